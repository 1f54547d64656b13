#include "deliver/webhook/webhook_request.h"

#include "base/text/instant_text.h"
#include "base/text/utf8.h"
#include "deliver/webhook/signature.h"

#include <fmt/format.h>

#include <algorithm>

namespace belfry::deliver {
namespace {

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_clean(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Status add_users_headers(const Json& target, HttpCall& call) {
  const auto headers = target.find("headers");
  if (headers == target.end() || !headers->is_object()) return {};
  for (const auto& [name, value] : headers->items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    if (!is_clean(name) || !is_clean(text)) {
      return fail(Errc::kInvalid, "the header `" + name + "` has control characters");
    }
    // libcurl would take "Name:" as a request to leave the header out.
    call.headers.push_back(text.empty() ? name + ";" : name + ": " + text);
  }
  return {};
}

bool has_header(const HttpCall& call, std::string_view name) {
  return std::any_of(call.headers.begin(), call.headers.end(), [&](const std::string& line) {
    return equal_ignoring_case(std::string_view(line).substr(0, line.find_first_of(":;")), name);
  });
}

// JSON as it is, anything else as text.
std::string result_of(const HttpAnswer& answer) {
  Json result{{"status", answer.status}};
  if (!answer.body.empty()) {
    auto body = parse_json(answer.body);
    result["body"] = body ? *std::move(body) : Json(answer.body);
  }
  return write_json(result);
}

std::string excerpt(const HttpAnswer& answer) {
  constexpr std::size_t kLongest = 200;
  if (answer.body.empty()) return "";
  return ": " + answer.body.substr(0, kLongest);
}

Outcome trouble_outcome(const HttpAnswer& answer) {
  switch (answer.trouble) {
    case HttpTrouble::kAddress:
      return failed_for_good("address", "the URL led to an address that is not for webhooks");
    case HttpTrouble::kTls: return failed("tls", answer.detail);
    case HttpTrouble::kTimeout: {
      Outcome outcome = failed("timeout", answer.detail);
      outcome.ending = Ending::kTimedOut;
      return outcome;
    }
    case HttpTrouble::kBroken: return failed("connection", answer.detail);
    case HttpTrouble::kProtocol: return failed("protocol", answer.detail);
    case HttpTrouble::kTooLarge:
      return failed_for_good("answer_too_large", "the answer is longer than 64 KiB; send less");
    case HttpTrouble::kTooManyHeaders:
      return failed_for_good("too_many_headers",
                             "the answer has more than 200 headers, or 64 KiB of them");
    case HttpTrouble::kConnect:
    case HttpTrouble::kNone: break;
  }
  return failed("connect", answer.detail);
}

}  // namespace

Result<net::Url> webhook_url(const Delivery& delivery) {
  if (!delivery.target.is_object()) return fail(Errc::kInvalid, "the target is not an object");
  const std::string text = text_in(delivery.target, "url");
  if (text.size() > 4096) return fail(Errc::kInvalid, "the URL is longer than 4096 characters");
  return net::Url::parse(text);
}

Result<HttpCall> webhook_call(const Delivery& delivery, const net::Url& url, Instant now) {
  HttpCall call;
  call.method = text_in(delivery.target, "method");
  if (call.method.empty()) call.method = "POST";
  call.url = net::to_string(url);
  call.host = url.host;
  call.port = url.port;
  if (call.method != "GET") call.body = delivery.payload;
  BELFRY_CHECK(add_users_headers(delivery.target, call));
  if (!has_header(call, "content-type") && !call.body.empty()) {
    call.headers.emplace_back("Content-Type: application/json");
  }
  const std::int64_t seconds = floor_unix_seconds(now);
  call.headers.push_back("webhook-id: " + delivery.run_id);
  call.headers.push_back(fmt::format("webhook-timestamp: {}", seconds));
  if (const std::string secret = text_in(delivery.target, "secret"); !secret.empty()) {
    call.headers.push_back("webhook-signature: " +
                           sign_webhook(secret, delivery.run_id, seconds, call.body));
  }
  call.headers.push_back("Idempotency-Key: " + delivery.run_id);
  call.headers.push_back(fmt::format("Belfry-Fence: {}", delivery.grant.fence.value()));
  call.headers.push_back("Belfry-Scheduled-For: " + format_instant(delivery.scheduled_for));
  call.headers.push_back(fmt::format("Belfry-Attempt: {}", delivery.attempt.value()));
  call.headers.push_back(fmt::format("Belfry-Stands-For: {}", delivery.stands_for));
  call.headers.push_back("traceparent: " + delivery.traceparent);
  return call;
}

bool answered(const HttpAnswer& answer) {
  switch (answer.trouble) {
    case HttpTrouble::kConnect:
    case HttpTrouble::kTls:
    case HttpTrouble::kTimeout:
    case HttpTrouble::kBroken:
    case HttpTrouble::kProtocol: return false;
    case HttpTrouble::kNone:
    case HttpTrouble::kAddress:
    case HttpTrouble::kTooLarge:
    case HttpTrouble::kTooManyHeaders: break;
  }
  return answer.status != 503;
}

Outcome webhook_outcome(const HttpAnswer& answer) {
  if (answer.trouble != HttpTrouble::kNone) return trouble_outcome(answer);
  const int status = answer.status;
  if (status == 202 && answer.asynchronous) return {.ending = Ending::kHandedOver};
  if (status >= 200 && status < 300) return succeeded(result_of(answer));
  const bool again = status == 408 || status == 425 || status == 429 || status >= 500;
  const std::string_view name = status >= 300 && status < 400 ? "redirect" : "status";
  const std::string what =
      fmt::format("{}{}{}", status,
                  name == "redirect" ? ", and redirects are not followed; use the final URL" : "",
                  excerpt(answer));
  Outcome outcome = again ? failed(name, what) : failed_for_good(name, what);
  outcome.result = result_of(answer);
  outcome.wait = answer.retry_after;
  return outcome;
}

}  // namespace belfry::deliver

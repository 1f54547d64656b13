#include "api/jobs/target_codec.h"

#include "base/digest.h"
#include "core/target_secrets.h"
#include "net/url.h"

#include <algorithm>
#include <array>

namespace belfry::api {
namespace {

constexpr std::array<std::string_view, 5> kMethods{"POST", "GET", "PUT", "PATCH", "DELETE"};

// What concerns one connection, not the message, and could make two readers of the same bytes
// disagree about where it ends.
constexpr std::array<std::string_view, 9> kHopByHop{
    "connection",     "keep-alive",    "te", "trailer", "transfer-encoding", "upgrade", "host",
    "content-length", "http2-settings"};

// Set by the courier itself, or by nobody: a job must not forge what a receiver checks.
bool is_reserved_header(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower.starts_with("webhook-") || lower.starts_with("belfry-") ||
         lower.starts_with("proxy-") || lower == "idempotency-key" || lower == "traceparent" ||
         lower == "expect" || std::ranges::find(kHopByHop, lower) != kHopByHop.end();
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

void read_secret_ref(ObjectReader& from, Json& to) {
  const auto name = from.text("secret_ref", 100);
  if (!name) return;
  to["secret_ref"] = *name;
  if (name->empty()) from.complain("secret_ref", "invalid", "it must not be empty");
}

void read_headers(ObjectReader& target, Json& result, std::vector<Complaint>& complaints) {
  const Json* headers = target.object("headers");
  if (headers == nullptr) return;
  ObjectReader reader(*headers, target.pointer("headers"), complaints);
  for (const auto& [name, value] : headers->items()) {
    if (value.is_object()) {
      ObjectReader named(value, reader.pointer(name), complaints);
      reader.any(name);
      read_secret_ref(named, result["headers"][name]);
      named.require("secret_ref");
      named.refuse_others();
    }
    const auto text = value.is_object() ? std::nullopt : reader.text(name);
    if (!is_token(name)) reader.complain(name, "invalid", "this is not the name of a header");
    if (is_reserved_header(name))
      reader.complain(name, "reserved", "a job may not set this header");
    const auto is_control = [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    if (text && std::any_of(text->begin(), text->end(), is_control)) {
      reader.complain(name, "invalid", "a header has no line breaks and no control characters");
    }
    if (text) result["headers"][name] = *text;
  }
}

// One or several secrets, with blanks between them. One that claims to be base64 has to be:
// receivers would compute with another key than ours.
void check_secrets(ObjectReader& target, std::string_view secrets) {
  constexpr std::string_view kPrefix = "whsec_";
  bool any = false;
  while (!secrets.empty()) {
    const auto blank = std::min(secrets.find(' '), secrets.size());
    const std::string_view secret = secrets.substr(0, blank);
    secrets.remove_prefix(std::min(blank + 1, secrets.size()));
    any = any || !secret.empty();
    if (!secret.starts_with(kPrefix)) continue;
    const auto key = decode_base64(secret.substr(kPrefix.size()));
    if (key && !key->empty()) continue;
    target.complain("secret", "invalid", "what follows `whsec_` is not base64",
                    "make one with: echo whsec_$(openssl rand -base64 24)");
    return;
  }
  if (!any) target.complain("secret", "invalid", "it must not be empty");
}

// Whether two targets call the same host.
bool same_host(const Json& a, const Json& b) {
  const auto origin = [](const Json& target) -> std::string {
    const auto url = net::Url::parse(target.value("url", ""));
    return url ? url->scheme + "://" + url->authority() : "";
  };
  return origin(a) == origin(b);
}

// Where a secret stands that is at "secret", "headers/X-Token", "url?token" or "url/".
std::string pointer_to(const std::string& place, const ObjectReader& target) {
  const std::size_t end = std::min(place.find_first_of("/?"), place.size());
  const std::string field = place.substr(0, end);
  if (field != "headers") return target.pointer(field);
  std::vector<Complaint> none;
  const Json headers = Json::object();
  return ObjectReader(headers, target.pointer(field), none).pointer(place.substr(end + 1));
}

// A secret that is sent back hidden is the one that the job has there. But what is sent along goes
// to no other host than the one it was written for: else who may change a job could have it sent
// to a host of his own.
void keep_hidden(Json& result, const Json& before, const ObjectReader& target,
                 std::vector<Complaint>& complaints) {
  const auto kept = core::secrets_in(before);
  core::visit_secrets(result, [&](const std::string& place, std::string& value) {
    if (value != core::kHiddenSecret) return;
    const auto found = kept.find(place);
    const bool is_there = found != kept.end();
    if (is_there && (place == "secret" || same_host(before, result))) {
      value = found->second;
      return;
    }
    if (is_there) {
      complaints.push_back({pointer_to(place, target), "invalid",
                            "it was written for another host and is not sent to this one",
                            "write the secret again, or leave it out"});
      return;
    }
    complaints.push_back({pointer_to(place, target), "invalid",
                          "there is no secret yet that could be kept",
                          "write the secret itself, or leave it out"});
  });
}

void read_http(ObjectReader& target, const Json& before, Json& result,
               std::vector<Complaint>& complaints) {
  target.require("url", "say where to call: \"url\": \"https://…\"");
  if (const auto url = target.text("url")) {
    const auto parsed = net::Url::parse(*url);
    if (!parsed) target.complain("url", "invalid", parsed.error().message, parsed.error().hint);
    result["url"] = *url;
  }
  const std::string method = target.text("method").value_or("POST");
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end()) {
    target.complain("method", "invalid", "`" + method + "` is not POST, GET, PUT, PATCH or DELETE");
  }
  result["method"] = method;
  read_headers(target, result, complaints);
  if (const auto secret = target.text("secret", 256)) {
    if (*secret != core::kHiddenSecret) check_secrets(target, *secret);
    result["secret"] = *secret;
  }
  read_secret_ref(target, result);
  if (result.contains("secret") && result.contains("secret_ref")) {
    target.complain("secret_ref", "invalid", "give secret or secret_ref, not both");
  }
  keep_hidden(result, before, target, complaints);
}

void read_topic(ObjectReader& target, Json& result) {
  for (const char* name : {"broker", "topic"}) {
    target.require(name);
    const auto text = target.text(name, 256);
    if (text && text->empty()) target.complain(name, "invalid", "it must not be empty");
    if (text) result[name] = *text;
  }
}

void read_exec(ObjectReader& target, Json& result) {
  target.require("command", "write the words of the command: [\"backup.sh\", \"--all\"]");
  const auto command = target.texts("command", 256);
  if (!command) return;
  if (command->empty() || command->front().empty()) {
    target.complain("command", "invalid", "the command has no first word");
  }
  result["command"] = *command;
}

}  // namespace

std::string read_target(const Json& target, const std::string& pointer, const std::string& before,
                        std::vector<Complaint>& complaints) {
  ObjectReader reader(target, pointer, complaints);
  reader.require("kind", "one of WORKER, HTTP, TOPIC, EXEC, CHECKIN");
  const std::string kind = reader.text("kind", 64).value_or("");
  Json result{{"kind", kind}};
  if (kind == "HTTP") {
    const auto old = parse_json(before.empty() ? "{}" : before);
    read_http(reader, old ? *old : Json::object(), result, complaints);
  } else if (kind == "TOPIC") {
    read_topic(reader, result);
  } else if (kind == "EXEC") {
    read_exec(reader, result);
  } else if (kind != "WORKER" && kind != "CHECKIN" && !kind.empty()) {
    reader.complain("kind", "invalid",
                    "`" + kind + "` is not one of WORKER, HTTP, TOPIC, EXEC, CHECKIN");
  }
  reader.refuse_others();
  return write_json(result);
}

}  // namespace belfry::api

#include "api/frame/call.h"

#include "base/text/instant_text.h"
#include "base/verbatim.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace belfry::api {
namespace {

// The largest batch has some 200,000; a bomb of the same length has millions, and takes a hundred
// bytes of memory for each.
constexpr JsonLimits kBodyLimits{.values = 500'000};

// The draft of the header has its value as a string of RFC 9651, in quotes; many send it without.
std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string bare;
  text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    bare += text[i];
  }
  return bare;
}

}  // namespace

void Outcome::complain(const std::vector<Complaint>& complaints) {
  if (complaints.empty()) return;
  const auto* problem = std::get_if<Problem>(&value_);
  std::vector<Complaint> all = complaints;
  if (problem != nullptr && problem->code == invalid({}).code) {
    for (const Complaint& each : problem->errors) {
      const bool is_known = std::ranges::any_of(complaints, [&](const Complaint& known) {
        return known.pointer == each.pointer && known.message == each.message;
      });
      if (!is_known) all.push_back(each);
    }
  }
  value_ = invalid(std::move(all));
}

net::Response json_response(int status, const Json& body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = write_json(body)};
}

Result<Json> read_body(const net::Request& request) {
  if (request.body.empty()) return Json::object();
  return parse_json(request.body, kBodyLimits);
}

Result<Json> read_body_keeping(std::string_view place, const net::Request& request) {
  if (request.body.empty()) return Json::object();
  return parse_json_keeping(place, request.body, kBodyLimits);
}

std::int64_t query_number(const net::Request& request, std::string_view name, std::int64_t fallback,
                          std::int64_t least, std::int64_t most,
                          std::vector<Complaint>& complaints) {
  const auto written = request.parameter(name);
  if (!written) return fallback;
  std::int64_t number = 0;
  const char* end = written->data() + written->size();
  const auto parsed = std::from_chars(written->data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && number >= least && number <= most) {
    return number;
  }
  complaints.push_back({"?" + std::string(name), "out_of_range",
                        "`" + std::string(*written) + "` is not a number between " +
                            std::to_string(least) + " and " + std::to_string(most),
                        ""});
  return fallback;
}

std::optional<Instant> query_instant(const net::Request& request, std::string_view name,
                                     std::vector<Complaint>& complaints) {
  const auto written = request.parameter(name);
  if (!written) return {};
  const auto parsed = parse_instant(*written);
  if (parsed) return *parsed;
  complaints.push_back(
      {"?" + std::string(name), "invalid", parsed.error().message, parsed.error().hint});
  return {};
}

std::optional<std::string> idempotency_key(const net::Request& request,
                                           std::vector<Complaint>& complaints) {
  constexpr std::size_t kLongest = 200;
  const auto key = request.headers.find("Idempotency-Key");
  if (!key) return {};
  const std::string bare = unquoted(*key);
  if (bare.empty() || bare.size() > kLongest) {
    complaints.push_back({"Idempotency-Key", "invalid", "a key has 1 to 200 bytes", ""});
    return {};
  }
  return bare;
}

}  // namespace belfry::api

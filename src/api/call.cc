#include "api/call.h"

#include "base/instant_text.h"

#include <algorithm>
#include <charconv>

namespace belfry::api {

net::Response json_response(int status, const Json& body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}},
          .body = write_json(body)};
}

Result<Json> read_body(const net::Request& request) {
  if (request.body.empty()) return Json::object();
  const auto type = request.headers.find("Content-Type");
  const bool is_json = !type || type->starts_with("application/json") ||
                       type->starts_with("application/merge-patch+json");
  if (!is_json) {
    return fail({.code = Errc::kInvalid,
                 .message = "a body of type `" + std::string(*type) + "` is not understood",
                 .field = kContentType,
                 .hint = "send the header `Content-Type: application/json`"});
  }
  return parse_json(request.body);
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

void refuse_other_parameters(const net::Request& request,
                             std::initializer_list<std::string_view> known,
                             std::vector<Complaint>& complaints) {
  for (const net::Parameter& given : request.query) {
    if (std::find(known.begin(), known.end(), given.name) != known.end()) continue;
    std::string names;
    for (const std::string_view name : known) {
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
    complaints.push_back({"?" + given.name, "unknown_parameter",
                          "there is no parameter `" + given.name + "` here",
                          names.empty() ? "this call takes none" : "known are: " + names});
  }
}

}  // namespace belfry::api

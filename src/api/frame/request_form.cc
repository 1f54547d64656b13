#include "api/frame/request_form.h"

#include "base/text/utf8.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace belfry::api {
namespace {

// Headers that decide something. If one came twice, two readers might see different values.
constexpr std::array<std::string_view, 6> kOwnHeaders{"Authorization",    "Belfry-Tenant",
                                                      "Content-Encoding", "Content-Type",
                                                      "Idempotency-Key",  "Last-Event-ID"};

constexpr std::string_view kManyTimes = "label";  // the one parameter that may be given again

Problem malformed(std::string detail) {
  return {.status = 400,
          .code = "malformed",
          .title = "The request is malformed",
          .detail = std::move(detail)};
}

Problem wrong_type(std::string detail) {
  return {.status = 415,
          .code = "wrong_type",
          .title = "The body has an unexpected type",
          .detail = std::move(detail)};
}

std::optional<Problem> check_headers(const net::Headers& headers) {
  for (const std::string_view own : kOwnHeaders) {
    const auto is_own = [&](const net::Header& header) {
      return equal_ignoring_case(header.name, own);
    };
    if (std::count_if(headers.begin(), headers.end(), is_own) > 1) {
      return malformed("the header " + std::string(own) + " is given twice");
    }
    if (!is_utf8(headers.find(own).value_or(""))) {
      return malformed("the header " + std::string(own) + " is not UTF-8");
    }
  }
  return {};
}

std::optional<Problem> check_target(const net::Request& request) {
  bool fine = std::all_of(request.segments.begin(), request.segments.end(), is_utf8);
  for (const net::Parameter& given : request.query) {
    fine = fine && is_utf8(given.name) && is_utf8(given.value);
  }
  if (fine) return {};
  return malformed("the path or the query is not UTF-8");
}

std::optional<Problem> check_type(const net::Request& request) {
  if (request.method == "GET" || request.method == "HEAD" || request.method == "DELETE") return {};
  const auto declared = request.headers.find("Content-Type");
  if (request.body.empty() && !declared) return {};
  const std::string_view given = declared.value_or("");
  std::string_view type = given.substr(0, given.find(';'));
  type = type.substr(0, type.find_last_not_of(' ') + 1);
  const bool is_json = equal_ignoring_case(type, "application/json") ||
                       equal_ignoring_case(type, "application/merge-patch+json");
  if (!is_json) {
    return wrong_type("a body of type `" + std::string(given) +
                      "` is not understood; send the header `Content-Type: application/json`");
  }
  if (equal_ignoring_case(request.headers.find("Content-Encoding").value_or("identity"),
                          "identity")) {
    return {};
  }
  return wrong_type("the body is encoded; send it without a `Content-Encoding`");
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::vector<Complaint> wrong_parameters(std::span<const net::Parameter> query,
                                        std::span<const std::string> known) {
  std::vector<Complaint> complaints;
  for (auto given = query.begin(); given != query.end(); ++given) {
    const std::string& name = given->name;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      complaints.push_back(
          {"?" + name, "unknown_parameter", "there is no parameter `" + name + "` here",
           known.empty() ? "this call takes none" : "the parameters are: " + listed(known)});
      continue;
    }
    const bool again = std::any_of(query.begin(), given,
                                   [&](const net::Parameter& other) { return other.name == name; });
    if (again && name != kManyTimes) {
      complaints.push_back({"?" + name, "invalid", "`" + name + "` is given twice", ""});
    }
  }
  return complaints;
}

std::optional<Problem> check_form(const net::Request& request) {
  if (auto problem = check_headers(request.headers)) return problem;
  if (auto problem = check_target(request)) return problem;
  return check_type(request);
}

}  // namespace belfry::api

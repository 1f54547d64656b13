#pragma once

#include "api/frame/problem.h"
#include "base/json.h"
#include "base/result.h"
#include "net/http.h"
#include "service/access/principal.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace belfry::api {

using service::Access;
using service::Principal;

// One request, routed and authenticated.
struct Call {
  net::Request request;
  Principal principal;
  std::string request_id;
  std::map<std::string, std::string, std::less<>> path;  // what stands for `{job}` in the route
  std::vector<Complaint> complaints = {};  // of its query; only handlers that collect see any

  const std::string& at(std::string_view name) const { return path.find(name)->second; }
  store::Author author() const {
    return {.actor = principal.actor,
            .request_id = request_id,
            .key_id = principal.key_id,
            .address = request.remote.substr(0, request.remote.rfind(':'))};
  }
};

// What a handler answers: a response, or the problem that prevents one.
class Outcome {
 public:
  Outcome(net::Response response) : value_(std::move(response)) {}
  Outcome(Problem problem) : value_(std::move(problem)) {}
  Outcome(const Error& error) : value_(problem_of(error)) {}

  // Has also these complaints about the request; none: as it is.
  void complain(const std::vector<Complaint>& complaints);

  net::Response to_response(const std::string& request_id) && {
    if (auto* response = std::get_if<net::Response>(&value_)) return std::move(*response);
    return api::to_response(std::get<Problem>(value_), request_id);
  }

 private:
  std::variant<net::Response, Problem> value_;
};

// The result's value, or the handler ends with its error:
//   BELFRY_NEED(job, find_job(services, call));
#define BELFRY_NEED_IMPL(holder, name, expr)                             \
  auto holder = (expr);                                                  \
  if (!holder) return ::belfry::api::Outcome(std::move(holder).error()); \
  auto name = std::move(*holder)
#define BELFRY_NEED(name, expr) BELFRY_NEED_IMPL(BELFRY_CONCAT(belfry_need_, __LINE__), name, expr)

net::Response json_response(int status, const Json& body);

// The request's body; an absent one reads as {}.
Result<Json> read_body(const net::Request& request);
// The same, with the values at a place kept as they are written (base/verbatim.h).
Result<Json> read_body_keeping(std::string_view place, const net::Request& request);

// A number from the query, `fallback` when absent; out of range is a complaint.
std::int64_t query_number(const net::Request& request, std::string_view name, std::int64_t fallback,
                          std::int64_t least, std::int64_t most,
                          std::vector<Complaint>& complaints);
std::optional<Instant> query_instant(const net::Request& request, std::string_view name,
                                     std::vector<Complaint>& complaints);
// The Idempotency-Key, if the caller sent one.
std::optional<std::string> idempotency_key(const net::Request& request,
                                           std::vector<Complaint>& complaints);

}  // namespace belfry::api

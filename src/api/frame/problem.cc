#include "api/frame/problem.h"

#include <chrono>
#include <utility>

namespace belfry::api {
namespace {

constexpr const char* kTypes = "/problems/";

int status_of(const service::Refusal& refusal) {
  using Kind = service::Refusal::Kind;
  switch (refusal.kind) {
    case Kind::kInvalid: return 422;
    case Kind::kUnauthorized: return 401;
    case Kind::kForbidden: return 403;
    case Kind::kNotFound: return 404;
    case Kind::kConflict: return 409;
    case Kind::kTooFast: return 429;
    case Kind::kUnavailable: return 503;
    case Kind::kUnknownOutcome: return 504;
    case Kind::kInternal: break;
  }
  return 500;
}

}  // namespace

Problem problem_of(const service::Refusal& refusal) {
  Problem problem{.status = status_of(refusal),
                  .code = refusal.code,
                  .title = refusal.title,
                  .detail = refusal.detail,
                  .errors = refusal.errors};
  if (refusal.kind == service::Refusal::Kind::kUnauthorized) {
    problem.headers.set("WWW-Authenticate", "Bearer");
  }
  if (refusal.retry_after > Duration::zero()) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(refusal.retry_after).count();
    problem.headers.set("Retry-After", std::to_string(seconds));
  }
  return problem;
}

Problem problem_of(const Error& error) {
  return problem_of(service::refusal_of(error));
}

Problem key_ended() {
  return {.status = 401,
          .code = "unauthorized",
          .title = "An API key is needed",
          .detail = "the key was revoked or has expired while the call waited"};
}

Problem busy() {
  return {.status = 503,
          .code = "busy",
          .title = "The node is overloaded",
          .detail = "too many calls wait already; nothing was changed, try again",
          .headers = {{"Retry-After", "1"}}};
}

Problem not_found(std::string detail) {
  return problem_of(service::Refusal::not_found(std::move(detail)));
}

Problem invalid(std::vector<Complaint> errors) {
  return problem_of(service::Refusal::invalid(std::move(errors)));
}

Json write_complaint(const Complaint& complaint) {
  const std::string& place = complaint.pointer;
  Json item;
  if (place.starts_with('?')) {
    item["parameter"] = place.substr(1);
  } else if (place.empty() || place.starts_with('/')) {
    item["pointer"] = place;
  } else {
    item["header"] = place;
  }
  item["code"] = complaint.code;
  item["message"] = complaint.message;
  if (!complaint.hint.empty()) item["hint"] = complaint.hint;
  return item;
}

net::Response to_response(const Problem& problem, const std::string& request_id) {
  Json body{{"type", kTypes + problem.code}, {"title", problem.title},   {"status", problem.status},
            {"code", problem.code},          {"detail", problem.detail}, {"instance", request_id}};
  for (const Complaint& complaint : problem.errors) {
    body["errors"].push_back(write_complaint(complaint));
  }
  net::Response response{.status = problem.status, .headers = problem.headers};
  response.headers.set("Content-Type", "application/problem+json");
  response.body = write_json(body);
  return response;
}

}  // namespace belfry::api

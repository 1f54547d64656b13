#include "api/problem.h"

#include "base/json.h"

#include <utility>

namespace belfry::api {
namespace {

constexpr const char* kTypes = "https://belfry.dev/problems/";

// A field of ours as a pointer: "cron_expression" -> "/cron_expression".
std::string pointer_to(const std::string& field) {
  if (field.empty() || field.front() == '/' || field.front() == '?') return field;
  return "/" + field;
}

Problem unavailable(const Error& error) {
  return {.status = 503,
          .code = "unavailable",
          .title = "The store cannot be reached just now",
          .detail = error.message + "; nothing was changed, try again",
          .headers = {{"Retry-After", "1"}}};
}

Problem unknown_outcome() {
  return {.status = 504,
          .code = "unknown_outcome",
          .title = "The store did not say whether it was done",
          .detail =
              "the change may or may not have happened; repeat the call with the same "
              "Idempotency-Key, or read first",
          .headers = {{"Retry-After", "1"}}};
}

}  // namespace

Problem not_found(std::string detail) {
  return {.status = 404, .code = "not_found", .title = "Not found", .detail = std::move(detail)};
}

Problem invalid(std::vector<Complaint> errors) {
  Problem problem{.status = 422, .code = "invalid", .title = "The request cannot be accepted"};
  problem.detail =
      errors.size() == 1 ? errors[0].message : std::to_string(errors.size()) + " fields are wrong";
  problem.errors = std::move(errors);
  return problem;
}

Problem problem_of(const Error& error) {
  switch (error.code) {
    case Errc::kInvalid:
      return invalid({{pointer_to(error.field), "invalid", error.message, error.hint}});
    case Errc::kNotFound: return not_found(error.message);
    case Errc::kConflict:
      return {.status = 409,
              .code = "conflict",
              .title = "It conflicts with what is there",
              .detail = error.message};
    case Errc::kQuotaExceeded:
      return {.status = 403,
              .code = "quota_exceeded",
              .title = "A limit of the tenant is reached",
              .detail = error.message,
              .errors = {{"", "quota", error.message, error.hint}}};
    case Errc::kFenced:
      return {.status = 409,
              .code = "fenced",
              .title = "Somebody else holds the run now",
              .detail = error.message};
    case Errc::kUnavailable: return unavailable(error);
    case Errc::kUnknownOutcome: return unknown_outcome();
    case Errc::kInternal: break;
  }
  return {.status = 500,
          .code = "internal",
          .title = "Something is wrong with Belfry itself",
          .detail = error.message};
}

net::Response to_response(const Problem& problem, const std::string& request_id) {
  Json body{{"type", kTypes + problem.code}, {"title", problem.title},   {"status", problem.status},
            {"code", problem.code},          {"detail", problem.detail}, {"instance", request_id}};
  for (const Complaint& complaint : problem.errors) {
    Json item{
        {"pointer", complaint.pointer}, {"code", complaint.code}, {"message", complaint.message}};
    if (!complaint.hint.empty()) item["hint"] = complaint.hint;
    body["errors"].push_back(std::move(item));
  }
  net::Response response{.status = problem.status, .headers = problem.headers};
  response.headers.set("Content-Type", "application/problem+json");
  response.body = write_json(body);
  return response;
}

}  // namespace belfry::api

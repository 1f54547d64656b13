#include "service/refusal.h"

#include <chrono>
#include <utility>

namespace belfry::service {
namespace {

using Kind = Refusal::Kind;

constexpr Duration kSoon = std::chrono::seconds(1);

// A field of ours as a pointer: "cron_expression" -> "/cron_expression".
std::string pointer_to(const std::string& field) {
  if (field.empty() || field.front() == '/' || field.front() == '?') return field;
  return "/" + field;
}

Refusal unavailable(const Error& error) {
  return {.kind = Kind::kUnavailable,
          .code = "unavailable",
          .title = "The store cannot be reached just now",
          .detail = error.message + "; nothing was changed, try again",
          .retry_after = kSoon};
}

Refusal unknown_outcome() {
  return {.kind = Kind::kUnknownOutcome,
          .code = "unknown_outcome",
          .title = "The store did not say whether the change was made",
          .detail =
              "the change may or may not have happened; repeat the call with the same "
              "Idempotency-Key, or read first",
          .retry_after = kSoon};
}

}  // namespace

Refusal Refusal::not_found(std::string detail) {
  return {.kind = Kind::kNotFound,
          .code = "not_found",
          .title = "Not found",
          .detail = std::move(detail)};
}

Refusal Refusal::invalid(std::vector<Complaint> errors) {
  Refusal refusal{
      .kind = Kind::kInvalid, .code = "invalid", .title = "The request cannot be accepted"};
  refusal.detail =
      errors.size() == 1 ? errors[0].message : std::to_string(errors.size()) + " fields are wrong";
  refusal.errors = std::move(errors);
  return refusal;
}

Refusal refusal_of(const Error& error) {
  switch (error.code) {
    case Errc::kInvalid:
      return Refusal::invalid({{pointer_to(error.field), "invalid", error.message, error.hint}});
    case Errc::kNotFound: return Refusal::not_found(error.message);
    case Errc::kConflict:
      return {.kind = Kind::kConflict,
              .code = "conflict",
              .title = "The request conflicts with what exists",
              .detail = error.message};
    case Errc::kQuotaExceeded:
      return {.kind = Kind::kForbidden,
              .code = "quota_exceeded",
              .title = "A limit of the tenant is reached",
              .detail = error.message,
              .errors = {{"", "quota", error.message, error.hint}}};
    case Errc::kForbidden:
      return {.kind = Kind::kForbidden,
              .code = "forbidden",
              .title = "The key does not allow this",
              .detail = to_string(error)};
    case Errc::kFenced:
      return {.kind = Kind::kConflict,
              .code = "fenced",
              .title = "Somebody else holds the run now",
              .detail = error.message};
    case Errc::kUnavailable: return unavailable(error);
    case Errc::kUnknownOutcome: return unknown_outcome();
    case Errc::kInternal: break;
  }
  return {.kind = Kind::kInternal,
          .code = "internal",
          .title = "Something is wrong with Belfry itself",
          .detail = error.message};
}

}  // namespace belfry::service

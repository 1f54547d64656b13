#pragma once

#include "base/error.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <vector>

// Why a call is refused, over HTTP or gRPC: `api` writes it as a problem of RFC 9457, `rpc` as a
// gRPC status.
namespace belfry::service {

// What is wrong with one field of a request.
struct Complaint {
  std::string pointer;  // "/retry/base" in the body, "?limit" in the query, or a header's name
  std::string code;     // stable: "required", "unknown_field", "invalid", ...
  std::string message;  // what is wrong
  std::string hint;     // what to do instead; empty when there is nothing to say
};

struct Refusal {
  enum class Kind : std::uint8_t {
    kInvalid,       // the request itself is wrong
    kUnauthorized,  // nobody we know
    kForbidden,     // known, but not allowed
    kNotFound,
    kConflict,  // with what is there
    kTooFast,
    kUnavailable,     // nothing was changed; try again
    kUnknownOutcome,  // it may or may not have happened
    kInternal,        // our own mistake
  };
  Kind kind{};
  std::string code;    // stable: "not_found"; finer than the kind
  std::string title;   // the same for all refusals of this code
  std::string detail;  // what happened here
  std::vector<Complaint> errors;
  Duration retry_after{};  // zero: nothing is said about it

  static Refusal not_found(std::string detail);
  static Refusal invalid(std::vector<Complaint> errors);
};

// What an error of the store or the core means to the caller.
Refusal refusal_of(const Error& error);

}  // namespace belfry::service

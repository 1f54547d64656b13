#pragma once

#include "base/json.h"
#include "base/result.h"
#include "net/http.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace belfry::client {

// Why a request to a server failed, told to a person: what happened, why, and what to do about it.
// The kind is what a program can act on.
struct Problem {
  enum class Kind : std::uint8_t {
    kFailed,       // it was done, and ended badly
    kInvalid,      // the same call will be refused again
    kNotFound,     // there is no such thing, or it is somebody else's
    kConflict,     // contradicts what is there
    kRefused,      // the key, the scope or a limit
    kUnreachable,  // no server answered, or it cannot serve just now; nothing was changed
    kTimedOut,     // no answer in time: it may or may not have been done
    kPartial,      // some of it was done
  };

  Kind kind = Kind::kFailed;
  std::string what;
  std::string why;
  std::string fix;
  std::vector<std::string> details;  // a line for each bad field
  // The first of them, as the server says it: a stable word, and what to do.
  std::string cause;
  std::string remedy;
  std::string code;        // the server's stable word; empty when it said nothing
  std::string type;        // the URI of the problem
  std::string request_id;  // for the server's logs

  Problem(Kind its_kind, std::string its_what, std::string its_why = {}, std::string its_fix = {})
      : kind(its_kind),
        what(std::move(its_what)),
        why(std::move(its_why)),
        fix(std::move(its_fix)) {}

  // What went wrong on this side of the wire, or on it.
  // NOLINTNEXTLINE(google-explicit-constructor): so that BELFRY_TRY passes a Result's error on.
  Problem(const Error& error);
};

// The problem in an answer of status 400 or above, even when the answer is not problem+json.
Problem problem_of(const net::Response& response);

// A value, or the Problem that explains why there is none.
template <typename T>
class [[nodiscard]] Answer : public tl::expected<T, Problem> {
 public:
  using tl::expected<T, Problem>::expected;
};

}  // namespace belfry::client

namespace belfry {

// Beside fail(Error), so that BELFRY_TRY takes an Answer too.
inline tl::unexpected<client::Problem> fail(client::Problem problem) {
  return tl::unexpected<client::Problem>(std::move(problem));
}

}  // namespace belfry

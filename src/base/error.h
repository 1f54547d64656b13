#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace belfry {

// What a caller can do about a failure. A code exists only if some caller acts on it; everything
// else a person needs to know is in the words of the Error.
enum class Errc : std::uint8_t {
  kInvalid,         // the input is wrong; the same call will fail again
  kNotFound,        // the named thing does not exist (or belongs to somebody else)
  kConflict,        // the thing changed or is taken; read again, then decide
  kQuotaExceeded,   // a limit of the tenant is reached; free something, or have it raised
  kForbidden,       // the caller may not do this; somebody else may
  kFenced,          // a newer holder exists; stop acting
  kUnavailable,     // a dependency does not answer; nothing was changed; try again later
  kUnknownOutcome,  // the reply was lost: the change may or may not have happened
  kInternal,        // a bug or corrupt data; a person has to look
};

// The stable lower-case name of a code, as logs and the API spell it.
std::string_view name_of(Errc code);

// A stretch of the input a parser complains about: bytes [begin, begin + length).
struct TextSpan {
  std::size_t begin = 0;
  std::size_t length = 0;
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// A failure in words a user can act on: which field, what is wrong with it, what to do instead.
struct Error {
  Errc code = Errc::kInternal;
  std::string message;           // "`MOM` is not a weekday"
  std::string field;             // "day-of-week"; empty when the whole input is meant
  std::string hint;              // "did you mean `MON`?"; empty when there is none
  std::optional<TextSpan> span;  // where in the input, for a caret
};

// "day-of-week: `MOM` is not a weekday; did you mean `MON`?"
std::string to_string(const Error& error);

// Two lines: the input, and carets under the span. Empty when the error has no span.
std::string point_at(std::string_view input, const Error& error);

}  // namespace belfry

#pragma once

#include "base/error.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace belfry {

// A value, or the Error that explains why there is none. Everything that can fail returns one; a
// plain tl::expected could be dropped silently, this class cannot.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

using Status = Result<void>;

// return fail(Errc::kInvalid, "the list is empty");
inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}
inline tl::unexpected<Error> fail(Errc code, std::string message) {
  return fail(Error{.code = code, .message = std::move(message)});
}

// Invalid input, with the place that is wrong.
inline tl::unexpected<Error> fail_at(TextSpan span, std::string message, std::string_view hint) {
  return fail(Error{.code = Errc::kInvalid,
                    .message = std::move(message),
                    .hint = std::string(hint),
                    .span = span});
}

}  // namespace belfry

#define BELFRY_CONCAT_IMPL(a, b) a##b
#define BELFRY_CONCAT(a, b) BELFRY_CONCAT_IMPL(a, b)
#define BELFRY_TRY_IMPL(holder, name, expr)                      \
  auto holder = (expr);                                          \
  if (!holder) return ::belfry::fail(std::move(holder).error()); \
  auto name = std::move(*holder)

// BELFRY_TRY(zone, zones.find(name)); declares `zone`, or returns the error from this function.
#define BELFRY_TRY(name, expr) BELFRY_TRY_IMPL(BELFRY_CONCAT(belfry_try_, __LINE__), name, expr)

// The same for a Status.
#define BELFRY_CHECK(expr)                                                       \
  do {                                                                           \
    auto belfry_status = (expr);                                                 \
    if (!belfry_status) return ::belfry::fail(std::move(belfry_status).error()); \
  } while (false)

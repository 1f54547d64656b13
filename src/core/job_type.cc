#include "core/job_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace belfry::core {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::int32_t kMostStarts = 1'000'000;

constexpr std::array<std::pair<char, Duration>, 3> kUnits{{
    {'s', seconds(1)},
    {'m', std::chrono::minutes(1)},
    {'h', std::chrono::hours(1)},
}};

// Starts in so long a time, rounded up.
std::int32_t starts_in(const TypeLimits& limits, Duration time) {
  const std::int64_t all = limits.starts * time.count();
  return static_cast<std::int32_t>((all + limits.per.count() - 1) / limits.per.count());
}

// Costs are rounded up, so that the rate is never exceeded; all of a burst may be off by this much.
Duration rounding(const TypeLimits& limits) {
  return Duration(limits.burst);
}

// How long it takes until what has started is paid for. It is never more than a burst costs: if it
// is, the clock has been set back, and what was started under it is forgiven.
Duration debt_of(const TypeLimits& limits, std::optional<Instant> paid_until, Instant now) {
  if (!paid_until || *paid_until <= now) return Duration::zero();
  const Duration debt = *paid_until - now;
  const Duration most = limits.burst * limits.per / limits.starts + rounding(limits);
  return debt > most ? Duration::zero() : debt;
}

}  // namespace

void apply_defaults(const TypeDefaults& defaults, JobPolicies& policies) {
  policies.max_attempts = defaults.max_attempts.value_or(policies.max_attempts);
  policies.timeout = defaults.timeout.value_or(policies.timeout);
  policies.start_within = defaults.start_within.value_or(policies.start_within);
  policies.misfire_grace = defaults.misfire_grace.value_or(policies.misfire_grace);
}

Status read_rate(std::string_view text, TypeLimits& limits) {
  const auto wrong = [&] {
    return fail({.code = Errc::kInvalid,
                 .message = "`" + std::string(text) + "` is no rate",
                 .field = "rate",
                 .hint = "write for example 100/s, 5/m or 1/h; at most 1000000"});
  };
  std::int32_t starts = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, starts);
  const bool has_unit = error == std::errc() && end - rest == 2 && *rest == '/';
  if (!has_unit || starts < 1 || starts > kMostStarts) return wrong();
  for (const auto& [letter, per] : kUnits) {
    if (rest[1] != letter) continue;
    limits.starts = starts;
    limits.per = per;
    limits.burst = starts_in(limits, seconds(1));
    return {};
  }
  return wrong();
}

std::string write_rate(const TypeLimits& limits) {
  std::string text = std::to_string(limits.starts) + "/";
  for (const auto& [letter, per] : kUnits) {
    if (limits.per == per) text += letter;
  }
  return text;
}

std::int32_t least_burst(const TypeLimits& limits) {
  return starts_in(limits, milliseconds(100));
}

std::int64_t room_by_rate(const TypeLimits& limits, std::optional<Instant> paid_until,
                          Instant now) {
  const std::int64_t per = limits.per.count();
  const Duration debt =
      std::max(debt_of(limits, paid_until, now) - rounding(limits), Duration::zero());
  return std::max<std::int64_t>((limits.burst * per - debt.count() * limits.starts) / per, 0);
}

std::int64_t room_of(const TypeLimits& limits, std::int64_t held, std::optional<Instant> paid_until,
                     Instant now) {
  std::int64_t room = std::numeric_limits<std::int32_t>::max();
  if (limits.max_concurrent > 0) room = std::max<std::int64_t>(limits.max_concurrent - held, 0);
  if (limits.starts > 0) room = std::min(room, room_by_rate(limits, paid_until, now));
  return room;
}

Instant pay_for(const TypeLimits& limits, std::optional<Instant> paid_until, Instant now,
                std::int64_t count) {
  const std::int64_t cost = (count * limits.per.count() + limits.starts - 1) / limits.starts;
  return now + debt_of(limits, paid_until, now) + Duration(cost);
}

std::size_t most_at_once(const TypeLimits& limits) {
  auto most = std::numeric_limits<std::int32_t>::max();
  if (limits.max_concurrent > 0) most = std::min(most, limits.max_concurrent);
  if (limits.starts > 0) most = std::min(most, limits.burst);
  return static_cast<std::size_t>(most);
}

Duration wait_for_room(const TypeLimits& limits) {
  if (limits.starts == 0) return milliseconds(100);
  // Where more than one can be saved up, nothing is lost by a look that comes a little late.
  const Duration cost = limits.per / limits.starts;
  const Duration wait = limits.burst > 1 ? cost : cost / 10;
  return std::clamp<Duration>(wait, milliseconds(20), seconds(1));
}

}  // namespace belfry::core

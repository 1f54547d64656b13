#include "store/postgres/jobs/registration_stock.h"

#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::store::postgres {
namespace {

constexpr std::int64_t kDrawn = 256;
constexpr std::size_t kLow = 96;
// The clocks of two machines hardly drift apart in that time; and a server that took over meanwhile
// may give the same serials to others, whose jobs then bar the way.
constexpr Duration kFresh = std::chrono::seconds(1);

}  // namespace

bool RegistrationStock::is_fresh() const {
  return drawn_at_ != BootInstant::min() && clock_.boot_now() - drawn_at_ < kFresh;
}

std::optional<RegistrationStock::Drawn> RegistrationStock::take(std::size_t jobs) {
  const MutexLock lock(mutex_);
  if (!is_fresh() || left_.serials.size() < jobs) return {};
  Drawn taken{
      .serials = {}, .types = left_.types, .now = left_.now + (clock_.boot_now() - drawn_at_)};
  for (std::size_t i = 0; i < jobs; ++i) {
    taken.serials.push_back(left_.serials.back());
    left_.serials.pop_back();
  }
  return taken;
}

bool RegistrationStock::is_low() const {
  const MutexLock lock(mutex_);
  return left_.serials.size() < kLow || clock_.boot_now() - drawn_at_ > kFresh / 2;
}

Statement RegistrationStock::draw(std::optional<Instant> now) {
  return {kDrawAhead, Params().instant(now).bigint(kDrawn)};
}

void RegistrationStock::put(const Reply& drawn) {
  Drawn fresh;
  for (int i = 0; i < drawn.size(); ++i) {
    Row row = drawn.row(i);
    fresh.serials.push_back(to_unsigned(row.number()));
    fresh.now = row.instant();
    fresh.types = read_types(row);
  }
  std::ranges::reverse(fresh.serials);  // they are taken from the end, the lowest first
  const MutexLock lock(mutex_);
  left_ = std::move(fresh);
  drawn_at_ = clock_.boot_now();
}

void RegistrationStock::drop() {
  const MutexLock lock(mutex_);
  left_ = {};
  drawn_at_ = BootInstant::min();
}

}  // namespace belfry::store::postgres

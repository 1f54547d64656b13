#include "store/postgres/runs/horizon.h"

namespace belfry::store::postgres {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A clean index answers in a fraction of this. A false suspicion costs claims little.
constexpr Duration kWading = milliseconds(1);
// Commits that take longer than this are found by the next whole look instead.
constexpr Duration kMargin = seconds(1);
constexpr Duration kFresh = seconds(5);
// Whole looks may take one part in this many of the time.
constexpr int kShare = 10;

}  // namespace

std::optional<Horizon::Look> Horizon::next_look(BootInstant now) const {
  const MutexLock lock(mutex_);
  if (now >= next_whole_) return Look{};
  if (since_ && now < until_) return Look{.since = since_};
  return std::nullopt;
}

void Horizon::report(const Report& report) {
  const Instant since = report.now - kMargin;
  const bool behind = report.oldest && *report.oldest < since;
  const bool whole = !report.look.since;
  const MutexLock lock(mutex_);
  if (whole) next_whole_ = report.at + kShare * report.took;
  if (whole) until_ = next_whole_ + kFresh;
  since_.reset();
  if (behind || (whole && report.took < kWading)) return;
  since_ = since;
}

std::optional<Instant> Horizon::since(BootInstant now) const {
  const MutexLock lock(mutex_);
  return now < until_ ? since_ : std::nullopt;
}

}  // namespace belfry::store::postgres

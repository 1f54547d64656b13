#include "store/postgres/horizon.h"

namespace belfry::store::postgres {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A clean index answers in a fraction of this. Wrongly suspected, it costs claims little.
constexpr Duration kWading = milliseconds(1);
// Commits that take longer than this are found by the next report instead.
constexpr Duration kMargin = seconds(2);
constexpr Duration kFresh = seconds(5);
// One part of the time may go into looking.
constexpr int kShare = 10;

}  // namespace

void Horizon::report(const Report& report) {
  const Instant since = report.now - kMargin;
  const bool behind = report.oldest && *report.oldest < since;
  const MutexLock lock(mutex_);
  next_ = report.at + kShare * report.took;
  since_.reset();
  if (report.took < kWading || behind) return;
  since_ = since;
  until_ = next_ + kFresh;
}

bool Horizon::wants_report(BootInstant now) const {
  const MutexLock lock(mutex_);
  return now >= next_;
}

std::optional<Instant> Horizon::since(BootInstant now) const {
  const MutexLock lock(mutex_);
  return now < until_ ? since_ : std::nullopt;
}

}  // namespace belfry::store::postgres

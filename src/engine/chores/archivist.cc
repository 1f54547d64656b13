#include "engine/chores/archivist.h"

namespace belfry::engine {
namespace {

constexpr std::size_t kPage = 5'000;
// In one call, which has to end before the leader's lease does; a day is not divided.
constexpr std::size_t kRunsAtOnce = 50'000;

}  // namespace

Result<bool> Archivist::run_once(Duration retention) {
  for (std::size_t runs = 0; runs < kRunsAtOnce;) {
    BELFRY_TRY(day, history_.oldest_day(retention));
    if (!day) return false;
    BELFRY_TRY(archived, archive_day(*day));
    runs += archived + 1;  // a day without runs is work, too
    BELFRY_CHECK(history_.drop_day(*day, archived));
  }
  return true;
}

std::optional<Archivist::Refusal> Archivist::refusal() const {
  const MutexLock lock(mutex_);
  return refusal_;
}

// How many runs the day had.
Result<std::size_t> Archivist::archive_day(std::chrono::sys_days day) {
  std::optional<store::HistoryStore::DayPlace> place;
  BELFRY_TRY(first, history_.runs_of_day(day, place, kPage));
  if (first.empty()) return 0;
  std::size_t count = 0;
  Status read;  // a store that does not answer is no trouble of the archive
  const auto next_page = [&]() -> Result<std::vector<store::RunRow>> {
    auto page = place ? history_.runs_of_day(day, place, kPage)
                      : Result<std::vector<store::RunRow>>(std::move(first));
    if (!page) {
      read = fail(page.error());
      return page;
    }
    count += page->size();
    if (!page->empty()) {
      const store::RunRow& last = page->back();
      place = {last.run, last.scheduled_for, last.finished_at.value_or(Instant())};
    }
    return page;
  };
  const Status kept = archive_.keep(day, next_page);
  BELFRY_CHECK(read);
  note(kept);
  BELFRY_CHECK(kept);
  return count;
}

void Archivist::note(const Status& kept) {
  const MutexLock lock(mutex_);
  if (kept) {
    refusal_.reset();
  } else {
    const BootInstant since = refusal_ ? refusal_->since : clock_.boot_now();
    refusal_ = Refusal{kept.error(), since};
  }
}

}  // namespace belfry::engine

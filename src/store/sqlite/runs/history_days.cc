#include "store/history_days.h"

#include "store/sqlite/implementation.h"
#include "store/sqlite/runs/run_row.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {
namespace {

constexpr std::size_t kDroppedAtOnce = 5'000;

std::chrono::sys_days day_at(Instant at) {
  return std::chrono::sys_days(std::chrono::floor<std::chrono::days>(at.since_origin()));
}

Status expect_runs(const Session& session, std::chrono::sys_days day, std::size_t runs) {
  const Instant begin(day.time_since_epoch());
  BELFRY_TRY(count, session.db.value<std::size_t>(kCountDay, begin, begin + std::chrono::days(1)));
  if (count == runs) return {};
  return fail(Errc::kConflict, "the runs of this day are not those that were seen");
}

// A batch of a day's rows; many short transactions, because ticks wait meanwhile.
Result<std::size_t> drop_some(const Session& session, std::chrono::sys_days day) {
  const Instant begin(day.time_since_epoch());
  const Instant end = begin + std::chrono::days(1);
  BELFRY_TRY(runs, session.db.run(kDropDay, begin, end, kDroppedAtOnce));
  BELFRY_TRY(attempts, session.db.run(kDropAttemptsOfDay, begin, end, kDroppedAtOnce));
  return runs + attempts;
}

}  // namespace

Result<std::optional<std::chrono::sys_days>> SqliteStore::oldest_day(Duration retention) {
  return read([&](const Session& session) -> Result<std::optional<std::chrono::sys_days>> {
    BELFRY_TRY(first, session.db.value<std::optional<Instant>>(kOldestHistoryDay));
    if (!first || day_at(*first) >= day_at(session.now - retention)) return std::nullopt;
    return day_at(*first);
  });
}

Result<std::vector<RunRow>> SqliteStore::runs_of_day(std::chrono::sys_days day,
                                                     const std::optional<DayPlace>& after,
                                                     std::size_t most) {
  const Instant begin(day.time_since_epoch());
  const DayPlace place = after.value_or(DayPlace{.finished_at = begin});
  return read([&](const Session& session) -> Result<std::vector<RunRow>> {
    std::vector<RunRow> runs;
    const auto add = [&](Row& row) { runs.push_back(read_listed(row)); };
    BELFRY_CHECK(session.db.each(kRunsOfDay, add, begin, begin + std::chrono::days(1),
                                 place.finished_at, place.run.job, place.run.key, most));
    return runs;
  });
}

Status SqliteStore::drop_day(std::chrono::sys_days day, std::size_t runs) {
  BELFRY_TRY(first, write([&](const Session& session) -> Result<std::size_t> {
               BELFRY_CHECK(expect_runs(session, day, runs));
               return drop_some(session, day);
             }));
  // From here on it only shrinks: nothing ends on a day that is over.
  for (std::size_t dropped = first; dropped > 0;) {
    BELFRY_TRY(more, write([&](const Session& session) { return drop_some(session, day); }));
    dropped = more;
  }
  return {};
}

}  // namespace belfry::store::sqlite

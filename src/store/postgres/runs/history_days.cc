#include "store/history_days.h"

#include "store/postgres/implementation.h"
#include "store/postgres/runs/run_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {

Result<std::optional<std::chrono::sys_days>> PostgresStore::oldest_day(Duration retention) {
  BELFRY_TRY(reply,
             database_.read(kOldestHistoryDay, Params().instant(now()).bigint(retention.count())));
  const auto begin = reply.row(0).maybe_instant();
  if (!begin) return std::nullopt;
  return std::chrono::sys_days(std::chrono::floor<std::chrono::days>(begin->since_origin()));
}

Result<std::vector<RunRow>> PostgresStore::runs_of_day(std::chrono::sys_days day,
                                                       const std::optional<DayPlace>& after,
                                                       std::size_t most) {
  const Instant begin(day.time_since_epoch());
  const DayPlace place = after.value_or(DayPlace{.scheduled_for = Instant::min()});
  Params params;
  params.instant(begin).instant(begin + std::chrono::days(1));
  params.integer(partition_of(place.run.job).value()).bigint(to_bigint(place.run.job.value()));
  params.instant(place.scheduled_for).bigint(place.run.key.value()).bigint(to_bigint(most));
  BELFRY_TRY(reply, database_.read(kRunsOfDay, params));
  return read_all(reply, [](Row row) { return read_listed(row); });
}

Status PostgresStore::drop_day(std::chrono::sys_days day, std::size_t runs) {
  const auto params =
      Params().instant(Instant(day.time_since_epoch())).bigint(static_cast<std::int64_t>(runs));
  BELFRY_TRY(reply, database_.write(kDropDay, params));
  if (reply.row(0).boolean()) return {};
  return fail(Errc::kConflict, "the runs of this day are not those that were seen");
}

}  // namespace belfry::store::postgres

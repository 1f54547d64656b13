#include "store/common/run_pages.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/runs/run_reader.h"
#include "store/sqlite/runs/run_row.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<RunRow> SqliteStore::find_run(const core::RunRef& run) {
  return read([&](const Session& session) -> Result<RunRow> {
    RunRow result;
    const auto read = [&](Row& row) {
      result = read_listed(row);
      row.read(result.payload);
    };
    BELFRY_TRY(live, session.db.first(kShowRun, read, run));
    if (live) return result;
    // One without a tick is found by its key; one with a tick by its time, which is the key.
    BELFRY_TRY(scheduled, session.db.value<std::optional<Instant>>(kScheduleOfRun, run));
    const Instant at = scheduled.value_or(Instant::from_micros(run.key.value()));
    BELFRY_TRY(past, session.db.first(kShowPastRun, read, run, at));
    if (!past) return fail(Errc::kNotFound, "there is no such run");
    return result;
  });
}

Result<RunPage> SqliteStore::list_runs(const RunFilter& filter, const std::string& cursor,
                                       std::size_t limit) {
  return read([&](const Session& session) -> Result<RunPage> {
    SqliteRunReader reader(session);
    return page_of_runs(reader, filter, cursor, limit);
  });
}

}  // namespace belfry::store::sqlite

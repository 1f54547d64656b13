#include "store/common/run_pages.h"
#include "store/postgres/implementation.h"
#include "store/postgres/runs/run_reader.h"
#include "store/postgres/runs/run_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
Result<RunRow> PostgresStore::find_run(const core::RunRef& run) {
  const auto params = Params().bigint(to_bigint(run.job.value())).bigint(run.key.value());
  // In this order: a run that ends in between is found rather than missed.
  for (const std::string_view statement : {kShowRun, kShowPastRun}) {
    BELFRY_TRY(reply, database_.read(statement, params));
    if (reply.empty()) continue;
    Row row = reply.row(0);
    RunRow found = read_listed(row);
    found.payload = row.text();
    return found;
  }
  return fail(Errc::kNotFound, "there is no such run");
}

Result<RunPage> PostgresStore::list_runs(const RunFilter& filter, const std::string& cursor,
                                         std::size_t limit) {
  PostgresRunReader reader(database_);
  return page_of_runs(reader, filter, cursor, limit);
}

}  // namespace belfry::store::postgres

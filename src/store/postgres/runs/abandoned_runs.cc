#include "store/common/audit_chain.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <set>

namespace belfry::store::postgres {

Result<std::vector<core::RunRef>> PostgresStore::give_up(std::span<const core::RunRef> runs) {
  if (runs.empty()) return std::vector<core::RunRef>();
  std::vector<std::int64_t> jobs;
  std::vector<std::int64_t> keys;
  for (const core::RunRef& run : std::set<core::RunRef>(runs.begin(), runs.end())) {
    jobs.push_back(to_bigint(run.job.value()));
    keys.push_back(run.key.value());
  }
  BELFRY_TRY(reply, database_.write(kGiveUp, Params().instant(now()).bigints(jobs).bigints(keys)));
  std::vector<core::RunRef> gone = read_all(reply, [](Row row) {
    const JobId job(to_unsigned(row.number()));
    return core::RunRef{job, core::RunKey(row.number())};
  });
  if (!gone.empty()) hints_.box().add_events();
  return gone;
}

Result<bool> PostgresStore::unstick_run(const core::RunRef& run, const std::string& note,
                                        const Author& author) {
  Params params;
  params.instant(now()).bigint(to_bigint(run.job.value())).bigint(run.key.value());
  params.text(author.actor).text(origin_of(author)).text(note);
  BELFRY_TRY(reply, database_.write(kUnstickRun, params));
  const bool was_running = reply.row(0).number() > 0;
  if (!was_running) return false;
  hints_.box().add_touched(run);
  hints_.box().add_events();
  return true;
}

}  // namespace belfry::store::postgres

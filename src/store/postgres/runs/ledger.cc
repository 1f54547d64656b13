#include "store/postgres/runs/ledger.h"

#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

AttemptRow read_attempt(Row row) {
  AttemptRow attempt;
  attempt.run.job = JobId(to_unsigned(row.number()));
  attempt.run.key = core::RunKey(row.number());
  attempt.attempt = AttemptNo(static_cast<std::uint32_t>(row.number()));
  attempt.fence = Fence(to_unsigned(row.number()));
  attempt.outcome = static_cast<core::AttemptOutcome>(row.number());
  attempt.started_at = row.instant();
  attempt.finished_at = row.instant();
  attempt.worker = row.text();
  attempt.error = row.text();
  return attempt;
}

}  // namespace

SkipRow read_skip(Row row) {
  SkipRow skip;
  skip.job = JobId(to_unsigned(row.number()));
  skip.first = Tick(row.instant());
  skip.last = Tick(row.instant());
  skip.count = row.number();
  skip.reason = static_cast<core::SkipReason>(row.number());
  skip.epoch = Epoch(to_unsigned(row.number()));
  return skip;
}

RunRow read_run(Row row) {
  RunRow run;
  run.run.job = JobId(to_unsigned(row.number()));
  run.run.key = core::RunKey(row.number());
  run.state = static_cast<core::RunState>(row.number());
  run.origin = static_cast<core::RunOrigin>(row.number());
  run.scheduled_for = row.instant();
  run.decided_at = row.instant();
  run.started_at = row.maybe_instant();
  run.finished_at = row.maybe_instant();
  run.attempts = static_cast<std::uint32_t>(row.number());
  run.fence = Fence(to_unsigned(row.number()));
  run.revision = static_cast<std::uint32_t>(row.number());
  run.stands_for = row.number();
  run.epoch = Epoch(to_unsigned(row.number()));
  run.node = Incarnation(row.bits128());
  run.worker = row.text();
  run.result = row.text();
  run.error = row.text();
  return run;
}

Result<std::vector<RunRow>> PostgresStore::runs_of(JobId job) {
  BELFRY_TRY(reply, database_.read(kRunsOf, Params().bigint(to_bigint(job.value()))));
  return read_all(reply, read_run);
}

Result<std::vector<SkipRow>> PostgresStore::skips_of(JobId job) {
  BELFRY_TRY(reply, database_.read(kSkipsOf, Params().bigint(to_bigint(job.value()))));
  return read_all(reply, read_skip);
}

Result<std::vector<AttemptRow>> PostgresStore::attempts_of(const core::RunRef& run) {
  BELFRY_TRY(reply,
             database_.read(kAttemptsOf,
                            Params().bigint(to_bigint(run.job.value())).bigint(run.key.value())));
  return read_all(reply, read_attempt);
}

}  // namespace belfry::store::postgres

#include "store/postgres/runs/run_row.h"

#include "store/postgres/implementation.h"

namespace belfry::store::postgres {
namespace {

constexpr int kRunColumns = 17;  // of read_run

}  // namespace

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

RunRow read_listed(Row& row) {
  RunRow run = read_run(row);
  row.skip(kRunColumns);
  run.tenant = TenantId(to_unsigned(row.number()));
  run.job_name = row.text();
  run.job_type = row.text();
  run.max_attempts = static_cast<std::int32_t>(row.number());
  run.due_at = row.maybe_instant();
  run.lease_until = row.maybe_instant();
  run.deadline = row.maybe_instant();
  run.cancel_requested = row.boolean();
  run.reason = static_cast<core::DeadReason>(row.number());
  return run;
}

std::string holder_text(const Taker& taker) {
  return taker.holder == Incarnation() ? "" : to_hex(taker.holder);
}

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

}  // namespace belfry::store::postgres

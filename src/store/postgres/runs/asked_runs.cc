#include "store/common/audit_chain.h"
#include "store/common/change_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/runs/run_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

Params params_of(const core::RunRef& run) {
  return Params().bigint(to_bigint(run.job.value())).bigint(run.key.value());
}

Result<std::optional<RunRow>> find_run(Transaction& transaction, const core::RunRef& run) {
  BELFRY_TRY(reply, transaction.run(kFindRun, params_of(run)));
  if (reply.empty()) return std::optional<RunRow>();
  return std::optional(read_run(reply.row(0)));
}

Status check_job(Transaction& transaction, JobId job) {
  BELFRY_TRY(reply, transaction.run(kJobStatus, Params().bigint(to_bigint(job.value()))));
  const bool exists = !reply.empty() && static_cast<core::JobStatus>(reply.row(0).number()) !=
                                            core::JobStatus::kDeleted;
  if (!exists) return fail(Errc::kNotFound, "there is no such job");
  return {};
}

// Runs that were made, or live again, on somebody's behalf.
Status record(Transaction& transaction, std::optional<Instant> now, JobId job,
              std::span<const std::int64_t> keys, std::string_view action, const Author& author) {
  Params params;
  params.instant(now).bigint(to_bigint(job.value())).bigints(keys);
  params.text(author.actor).text(action).text(origin_of(author));
  BELFRY_TRY(recorded, transaction.run(kRecordAskedRuns, params));
  return {};
}

Error changed_by_others() {
  return {.code = Errc::kUnavailable, .message = "the run is being changed by somebody else"};
}

Status check_feeding(Transaction& transaction, const RunRow& past) {
  BELFRY_TRY(reply, transaction.run(kFeeding, params_of(past.run).instant(past.scheduled_for)));
  if (reply.empty()) return fail(changed_by_others());
  Row row = reply.row(0);
  return check_may_feed({.target = row.text(),
                         .payload = row.text(),
                         .target_then = row.text(),
                         .payload_then = row.text()});
}

// Two concurrent calls make one run: the row in history, or the new key, exists once.
Result<RunRow> retry(Transaction& transaction, std::optional<Instant> now,
                     const RunStore::Retry& wanted) {
  BELFRY_TRY(known, find_run(transaction, wanted.run));
  if (!known) return fail(Errc::kNotFound, "there is no such run, or its history was dropped");
  if (core::is_live(known->state)) return *known;
  if (!wanted.may_exec) BELFRY_CHECK(check_feeding(transaction, *known));
  const bool succeeded = known->state == core::RunState::kSucceeded;
  const core::RunRef run{wanted.run.job, succeeded ? wanted.fresh : wanted.run.key};
  if (succeeded) {
    BELFRY_TRY(repeated, find_run(transaction, run));
    if (repeated) return *repeated;
  }
  Params params;
  params.instant(now).bigint(to_bigint(run.job.value())).bigint(wanted.run.key.value());
  params.instant(known->scheduled_for);
  if (succeeded) params.bigint(run.key.value());
  BELFRY_TRY(written, transaction.run(succeeded ? kRepeatRun : kReviveRun, params));
  BELFRY_TRY(made, find_run(transaction, run));
  if (!made) return fail(changed_by_others());
  const std::int64_t key = run.key.value();
  BELFRY_CHECK(record(transaction, now, run.job, {&key, 1}, "run.retry", wanted.author));
  return *made;
}

}  // namespace

Result<RunRow> PostgresStore::trigger(const Trigger& trigger) {
  std::optional<Instant> tick;
  if (trigger.tick) tick = trigger.tick->instant();
  Params params;
  params.instant(now())
      .bigint(to_bigint(trigger.job.value()))
      .bigint(trigger.key.value())
      .smallint(static_cast<std::int64_t>(trigger.origin))
      .instant(tick)
      .maybe_text(trigger.payload)
      .text(trigger.author.actor)
      .text(origin_of(trigger.author));
  for (int i = 0; i < kTries; ++i) {
    BELFRY_TRY(reply, database_.write(kTrigger, params));
    if (reply.empty()) return fail(Errc::kNotFound, "there is no such job");
    if (reply.row(0).next_is_null()) continue;
    hints_.box().add_touched({trigger.job, trigger.key});
    hints_.box().add_events();
    return read_run(reply.row(0));
  }
  return fail(Errc::kUnavailable, "the run is being made by somebody else");
}

Result<std::vector<BackfillFate>> PostgresStore::backfill(const Backfill& backfill) {
  std::vector<std::int64_t> keys;
  std::vector<std::optional<Instant>> ticks;
  std::vector<std::int64_t> waits;
  for (const core::BackfillTick& wanted : backfill.ticks) {
    keys.push_back(core::run_key_of(wanted.tick).value());
    ticks.emplace_back(wanted.tick.instant());
    waits.push_back(wanted.wait.count());
  }
  Params params;
  params.instant(now()).bigint(to_bigint(backfill.job.value()));
  params.bigints(keys).instants(ticks).bigints(waits).boolean(backfill.dry_run);
  std::vector<BackfillFate> fates;
  const auto run = [&](Transaction& transaction) -> Status {
    BELFRY_CHECK(check_job(transaction, backfill.job));
    BELFRY_TRY(reply, transaction.run(kBackfill, params));
    fates = read_all(reply, [](Row row) { return static_cast<BackfillFate>(row.number()); });
    if (fates.size() != backfill.ticks.size()) {
      return fail(Errc::kNotFound, "there is no such job");
    }
    std::vector<std::int64_t> made;
    for (std::size_t i = 0; i < fates.size() && !backfill.dry_run; ++i) {
      if (fates[i] == BackfillFate::kCreated) made.push_back(keys[i]);
    }
    return record(transaction, now(), backfill.job, made, "run.backfill", backfill.author);
  };
  BELFRY_CHECK(database_.transaction(run));
  if (backfill.dry_run) return fates;
  std::vector<core::RunKey> made;
  for (const core::BackfillTick& tick : backfill.ticks) made.push_back(core::run_key_of(tick.tick));
  hints_.box().add_touched(backfill.job, made);
  hints_.box().add_events();
  return fates;
}

Result<RunRow> PostgresStore::retry_run(const Retry& wanted) {
  RunRow result;
  const auto body = [&](Transaction& transaction) -> Status {
    BELFRY_TRY(made, retry(transaction, now(), wanted));
    result = std::move(made);
    return {};
  };
  BELFRY_CHECK(database_.transaction(body));
  hints_.box().add_touched(result.run);
  hints_.box().add_events();
  return result;
}

Result<bool> PostgresStore::cancel_run(const core::RunRef& run, const Author& author) {
  Params params;
  params.instant(now()).bigint(to_bigint(run.job.value())).bigint(run.key.value());
  params.text(author.actor).text(origin_of(author));
  BELFRY_TRY(reply, database_.write(kCancelRun, params));
  const bool was_live = reply.row(0).number() > 0;
  if (!was_live) return false;
  hints_.box().add_touched(run);
  hints_.box().add_events();
  return true;
}

}  // namespace belfry::store::postgres

#include "store/postgres/jobs/job_writes.h"

#include "core/overlap.h"
#include "store/common/change_rules.h"
#include "store/common/job_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/calendars.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/jobs/labels.h"
#include "store/postgres/jobs/record_texts.h"
#include "store/postgres/jobs/revisions.h"
#include "store/postgres/sql.h"
#include "store/postgres/ticks/decide.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace belfry::store::postgres {
namespace {

// Fates that a change writes in place of the owners.
class SettledTicks {
 public:
  explicit SettledTicks(const std::map<PartitionNo, LockedPartition>& partitions)
      : partitions_(partitions) {}

  void add(JobId job, const core::Fates& fates) {
    if (fates.runs.empty() && fates.skips.empty()) return;
    const PartitionNo number = partition_of(job);
    const LockedPartition& partition = partitions_.at(number);
    PartitionDecision& decision = by_owner_[partition.owner][number];
    decision.partition = number;
    decision.epoch = partition.epoch;
    decision.version = partition.version;
    decision.from = decision.to = partition.decided_through;
    append(decision.decisions, job, fates);
  }

  Status write(Transaction& transaction, DecideMode mode) const {
    for (const auto& [owner, by_partition] : by_owner_) {
      std::vector<PartitionDecision> decisions;
      for (const auto& [number, decision] : by_partition) decisions.push_back(decision);
      const Instant now = partitions_.at(decisions.front().partition).now;
      BELFRY_TRY(reply, transaction.run(kDecide, decide_params(now, owner, mode, decisions)));
    }
    return {};
  }

 private:
  const std::map<PartitionNo, LockedPartition>& partitions_;
  std::map<Incarnation, std::map<PartitionNo, PartitionDecision>> by_owner_;
};

// Whether a tick of the job has a fate under an earlier definition.
Result<bool> has_fate(Transaction& transaction, const JobRow& job, Tick tick, Settler& settler) {
  if (job.revision == 1) return false;  // it has no ledger yet
  Params params;
  params.bigint(to_bigint(job.id.value())).instant(tick.instant());
  BELFRY_TRY(reply, transaction.run(kFateOfTick, params.bigint(core::run_key_of(tick).value())));
  Row row = reply.row(0);
  if (row.number() > 0) return true;
  BELFRY_TRY(law, find_revision_at(transaction, job.id, tick.instant()));
  return law && settler.has_tick(job.tenant, *law, tick.instant());
}

}  // namespace

Result<std::map<PartitionNo, LockedPartition>> lock_partitions(
    Transaction& transaction, std::optional<Instant> now, const std::set<PartitionNo>& partitions) {
  std::vector<std::int64_t> ids;
  for (const PartitionNo partition : partitions) ids.push_back(partition.value());
  BELFRY_TRY(reply, transaction.run(kLockPartitions, Params().instant(now).integers(ids)));
  std::map<PartitionNo, LockedPartition> locked;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    LockedPartition& partition = locked[PartitionNo(static_cast<std::uint16_t>(row.number()))];
    partition.owner = Incarnation(row.bits128());
    partition.epoch = Epoch(to_unsigned(row.number()));
    partition.decided_through = row.instant();
    partition.version = JobsVersion(to_unsigned(row.number()));
    partition.now = row.instant();
  }
  return locked;
}

Status settle_ticks(Transaction& transaction, std::span<JobEdit> edits,
                    const std::map<PartitionNo, LockedPartition>& partitions, Settler& settler) {
  SettledTicks due(partitions);
  for (JobEdit& edit : edits) {
    if (!edit.change.reschedules) continue;
    const LockedPartition& partition = partitions.at(partition_of(edit.before.id));
    edit.after.effective_from =
        takes_effect(partition.now, partition.decided_through, &edit.before);
    edit.settled = {.fates = settler.end_of(edit.before, partition.decided_through, partition.now),
                    .at = partition.now};
    due.add(edit.before.id, edit.settled.fates);
  }
  return due.write(transaction, DecideMode::kSettle);
}

Status settle_starts(Transaction& transaction, std::optional<Instant> now,
                     std::span<const BegunJob> jobs, Settler& settler) {
  if (jobs.empty()) return {};
  std::set<PartitionNo> numbers;
  for (const BegunJob& begun : jobs) numbers.insert(partition_of(begun.job->id));
  BELFRY_TRY(partitions, lock_partitions(transaction, now, numbers));
  SettledTicks due(partitions);
  for (const BegunJob& begun : jobs) {
    const Instant at = partitions.at(partition_of(begun.job->id)).now;
    const core::Fates fates = settler.start_of(*begun.job, at);
    const auto tick = tick_of(fates);
    if (!tick) continue;
    BELFRY_TRY(known, has_fate(transaction, *begun.job, *tick, settler));
    if (known) continue;
    due.add(begun.job->id, fates);
    add(*begun.settled, fates, at);
  }
  return due.write(transaction, DecideMode::kSettleApart);
}

namespace {

constexpr std::string_view kNothingDiffers = R"({"changed":[]})";  // as differences() has it

bool only_restates(const JobEdit& edit) {
  return !edit.change.definition;
}

// The columns that the change may have touched.
Status write_jobs(Transaction& transaction, Instant now, std::span<const JobEdit> edits) {
  std::vector<const JobRow*> jobs;
  for (const JobEdit& edit : edits) jobs.push_back(&edit.after);
  Params params;
  params.instant(now);
  if (std::ranges::all_of(edits, only_restates)) {
    bind_restated(params, jobs);
    BELFRY_CHECK(transaction.run(kRestateJobs, params));
    return {};
  }
  bind_jobs(params, jobs);
  bind_states(params, jobs);
  BELFRY_CHECK(transaction.run(kUpdateJobs, params));
  return {};
}

// Revisions, audit and events of jobs just written.
Status record_jobs(Transaction& transaction, Instant now, std::span<const JobEdit> edits) {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> revisions_before;
  std::vector<std::string_view> targets;
  std::vector<std::string_view> payloads;
  std::vector<std::string_view> actors;
  std::vector<std::string_view> actions;
  std::vector<std::string> schedules;
  std::vector<std::string> details;
  Origins origins;
  for (const JobEdit& edit : edits) {
    const core::JobDefinition& definition = edit.after.definition;
    const bool restates = only_restates(edit);
    ids.push_back(to_bigint(edit.after.id.value()));
    revisions_before.push_back(edit.before.revision);
    targets.push_back(definition.target);
    payloads.push_back(definition.payload);
    actors.push_back(edit.change.author.actor);
    actions.push_back(action_of(edit.change));
    schedules.push_back(restates ? "" : schedule_text(definition));
    const std::string changed =
        restates ? std::string(kNothingDiffers) : differences(edit.before.definition, definition);
    details.push_back(audit_text({.job = edit.after,
                                  .origin = origins.of(edit.change.author),
                                  .revision_before = edit.before.revision,
                                  .changed = changed,
                                  .note = edit.change.pause_note}));
  }
  const auto views = [](const std::vector<std::string>& texts) {
    return std::vector<std::string_view>(texts.begin(), texts.end());
  };
  Params params;
  params.instant(now).bigints(ids).integers(revisions_before).texts(views(schedules));
  params.texts(targets).texts(payloads).texts(actors).texts(actions).texts(views(details));
  BELFRY_CHECK(transaction.run(kRecordJobs, params));
  return {};
}

}  // namespace

Status update_jobs(Transaction& transaction, Instant now, std::span<const JobEdit> edits) {
  std::vector<const JobRow*> unlabelled;
  std::vector<const JobRow*> relabelled;
  std::vector<const JobRow*> rescheduled;
  for (const JobEdit& edit : edits) {
    if (edit.change.reschedules) rescheduled.push_back(&edit.after);
    if (!is_relabelled(edit.before, edit.after)) continue;
    unlabelled.push_back(&edit.before);
    relabelled.push_back(&edit.after);
  }
  BELFRY_CHECK(drop_labels(transaction, unlabelled));
  BELFRY_CHECK(write_jobs(transaction, now, edits));
  BELFRY_CHECK(add_labels(transaction, relabelled));
  BELFRY_CHECK(copy_calendars(transaction, rescheduled));
  BELFRY_CHECK(stop_jobs(transaction, now, edits));
  return record_jobs(transaction, now, edits);
}

Status stop_jobs(Transaction& transaction, Instant now, std::span<const JobEdit> edits) {
  std::vector<std::int64_t> deleted;
  std::vector<std::int64_t> tenants;
  std::vector<std::int64_t> stopped;
  std::vector<bool> ends_waiting;
  for (const JobEdit& edit : edits) {
    const std::int64_t id = to_bigint(edit.after.id.value());
    if (edit.after.status == edit.before.status) continue;
    if (edit.after.status == core::JobStatus::kDeleted) {
      deleted.push_back(id);
      tenants.push_back(to_bigint(edit.after.tenant.value()));
    }
    if (!core::keeps_line(edit.after.status)) {
      stopped.push_back(id);
      ends_waiting.push_back(edit.change.ends_waiting);
    }
  }
  if (!deleted.empty()) {
    BELFRY_CHECK(transaction.run(kUncountJobs, Params().bigints(deleted).bigints(tenants)));
  }
  if (!stopped.empty()) {
    const auto params = Params().instant(now).bigints(stopped).booleans(ends_waiting);
    BELFRY_CHECK(transaction.run(kEndLine, params));
  }
  return {};
}

Statement announcement(std::optional<Instant> now, std::span<JobRow* const> jobs,
                       const std::unordered_set<JobId>& fresh, LetIn let_in) {
  std::vector<std::int64_t> ids;
  std::vector<std::optional<Instant>> starts;
  std::vector<std::int64_t> tenants;
  for (const JobRow* job : jobs) {
    ids.push_back(to_bigint(job->id.value()));
    starts.emplace_back(job->effective_from);
    tenants.push_back(fresh.contains(job->id) ? to_bigint(job->tenant.value()) : 0);
  }
  Params params;
  params.instant(now).bigints(ids).instants(starts).bigints(tenants);
  params.boolean(let_in == LetIn::kAskFirst);
  return {kAnnounceJobs, std::move(params)};
}

void take_starts(const Reply& announced, std::span<JobRow* const> jobs) {
  if (announced.empty()) return;
  std::unordered_map<JobId, JobRow*> by_id;
  for (JobRow* job : jobs) by_id.emplace(job->id, job);
  for (int i = 0; i < announced.size(); ++i) {
    Row row = announced.row(i);
    JobRow* const job = by_id.at(JobId(to_unsigned(row.number())));
    if (const auto start = row.maybe_instant()) job->effective_from = *start;
  }
}

Status announce_jobs(Transaction& transaction, std::optional<Instant> now,
                     std::span<JobRow* const> jobs, const std::unordered_set<JobId>& fresh) {
  if (jobs.empty()) return {};
  const Statement statement = announcement(now, jobs, fresh, LetIn::kAlready);
  BELFRY_TRY(announced, transaction.run(statement.sql, statement.params));
  take_starts(announced, jobs);
  return {};
}

}  // namespace belfry::store::postgres

// How a ticker comes by the jobs of a partition.
#include "core/misfire.h"
#include "engine/ticks/ticker.h"

#include <algorithm>
#include <span>

namespace belfry::engine {

Status Ticker::read_next(Instant now) {
  std::size_t reads = 0;
  for (auto& slice : slices_) {
    if (!slice || slice->loaded) continue;
    if (reads++ == config_.loads_per_round) break;
    BELFRY_TRY(loaded, reader_.read(slice->owned.partition));
    BELFRY_CHECK(load(loaded, now));
  }
  return {};
}

std::vector<PartitionNo> Ticker::unloaded() const {
  std::vector<PartitionNo> partitions;
  for (const auto& slice : slices_) {
    if (slice && !slice->loaded) partitions.push_back(slice->owned.partition);
  }
  return partitions;
}

// Afterwards the timetable has the jobs' ticks after its cursor, and the slice waits to write the
// fates of those before it. What changed since the jobs were read is read next.
Status Ticker::load(const LoadedPartition& loaded, Instant now) {
  auto& found = slice_at(loaded.partition);
  if (!found || found->owned.partition != loaded.partition || found->loaded) return {};
  Slice& slice = *found;
  if (loaded.era != store::era_of(slice.owned.epoch)) return {};  // read again
  // Cursors only grow: the later of two that were read is nearer to the truth, and the store's
  // guard knows it.
  slice.owned.decided_through = std::max(slice.owned.decided_through, loaded.decided_through);
  slice.owned.version = loaded.version;
  slice.loaded = slice.outdated = true;
  slice.left.reset();
  timetable_->reserve(slice_of(loaded.partition), loaded.size());
  for (const auto& group : loaded.groups) add_group(slice, loaded, group, now);
  BELFRY_CHECK(add_singly(slice, loaded, now));
  note_missed(slice, slice.owned.decided_through, now);
  return {};
}

// Jobs that share nothing with others, or begin on their own. After an error the partition is to be
// loaded again.
Status Ticker::add_singly(Slice& slice, const LoadedPartition& loaded, Instant now) {
  for (const auto& job : loaded.newcomers) {
    const Instant after = std::max(job.effective_from, slice.owned.decided_through);
    const Instant cursor = timetable_->cursor();
    const core::Fates missed = core::decide_due({.rhythm = job.terms->schedule.rhythm(),
                                                 .policies = job.terms->policies,
                                                 .paused_until = {},
                                                 .after = after,
                                                 .through = std::max(after, cursor),
                                                 .now = now,
                                                 .lost_through = lost_through_});
    add_missed(slice, job.id, missed);
    note_policies({&job.id, 1}, job.terms->policies);
    add_schedule(slice, job.id, job.terms->schedule, after);
  }
  const Status added = add_once(slice, loaded, now);
  if (!added) {
    unload(slice);
    return added;
  }
  for (const store::JobRow& job : loaded.whole) add_job(slice, job, now);
  return {};
}

// Jobs with the same terms miss the same ticks, in the same way.
void Ticker::add_group(Slice& slice, const LoadedPartition& loaded,
                       const LoadedPartition::Group& group, Instant now) {
  const std::span<const JobId> jobs = loaded.jobs_of(group);
  const core::Rhythm& rhythm = group.terms->schedule.rhythm();
  const Instant cursor = timetable_->cursor();
  note_policies(jobs, group.terms->policies);
  if (slice.owned.decided_through > cursor) {  // the database's clock was set back
    for (const JobId job : jobs) {
      add_schedule(slice, job, group.terms->schedule, slice.owned.decided_through);
    }
    return;
  }
  if (group.first && *group.first <= cursor && slice.owned.decided_through < cursor) {
    const core::Fates missed = core::decide_due({.rhythm = rhythm,
                                                 .policies = group.terms->policies,
                                                 .paused_until = {},
                                                 .after = slice.owned.decided_through,
                                                 .through = cursor,
                                                 .now = now,
                                                 .lost_through = lost_through_});
    for (const JobId job : jobs) add_missed(slice, job, missed);
  }
  if (timetable_->load(slice_of(slice.owned.partition), rhythm, jobs)) return;
  slice.ended.insert(slice.ended.end(), jobs.begin(), jobs.end());
}

// Only those that were missed have to be known whole.
Status Ticker::add_once(Slice& slice, const LoadedPartition& loaded, Instant now) {
  std::vector<JobId> missed;
  for (const auto& job : loaded.once) {
    const Instant after = std::max(job.effective_from, slice.owned.decided_through);
    if (job.at > after && job.at <= timetable_->cursor()) {
      missed.push_back(job.id);
      continue;
    }
    const core::Rhythm rhythm(core::OnceRule{job.at});
    const bool goes_on = timetable_->put(slice_of(slice.owned.partition),
                                         {.id = job.id, .rhythm = &rhythm, .after = after});
    if (!goes_on) slice.ended.push_back(job.id);
  }
  if (missed.empty()) return {};
  BELFRY_TRY(rows, store_.load_jobs(missed));
  for (const store::JobRow& job : rows) add_job(slice, job, now);
  return {};
}

void Ticker::add_missed(Slice& slice, JobId job, const core::Fates& missed) {
  if (missed.runs.empty() && missed.skips.empty()) return;
  append(slice.waiting, job, missed);
  const Instant cursor = timetable_->cursor();
  slice.decide_to = std::max(slice.decide_to.value_or(cursor), cursor);
}

void Ticker::add_schedule(Slice& slice, JobId job, const core::Schedule& schedule, Instant after) {
  const bool goes_on = timetable_->put(slice_of(slice.owned.partition),
                                       {.id = job,
                                        .rhythm = &schedule.rhythm(),
                                        .after = std::max(after, schedule.begins_after()),
                                        .until = schedule.end_at()});
  if (!goes_on) slice.ended.push_back(job);
}

void Ticker::add_job(Slice& slice, const store::JobRow& job, Instant now) {
  if (!core::can_tick(job.status)) return;
  const auto schedule = schedules_.of(job.tenant, job.definition.name, job.definition.schedule);
  if (!schedule) {
    log_.warn("schedule_broken", {{"job_id", job.id.value()},
                                  {"job_name", job.definition.name},
                                  {"reason", to_string(schedule.error())}});
    broken_[job.id] = schedule.error().message;
    ++broken_changes_;
    return;
  }
  const Instant cursor = timetable_->cursor();
  const Instant decided = slice.owned.decided_through;
  const Instant after = std::max(job.effective_from, decided);
  add_missed(slice, job.id,
             core::decide_job(
                 store::facts_of(job), *schedule,
                 {.after = after, .through = cursor, .now = now, .lost_through = lost_through_}));
  note_policies({&job.id, 1}, job.definition.policies);
  if (job.status == core::JobStatus::kPaused) {
    paused_[job.id] = core::paused_through(job.status, job.paused_until);
  }
  add_schedule(slice, job.id, *schedule, after);
}

}  // namespace belfry::engine

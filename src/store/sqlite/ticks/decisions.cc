#include "store/sqlite/ticks/decisions.h"

#include "core/overlap.h"
#include "store/common/fates.h"
#include "store/sqlite/runs/archive.h"
#include "store/sqlite/sql.h"

#include <algorithm>
#include <span>
#include <vector>

namespace belfry::store::sqlite {

namespace {

// Decides the ticks of one job. What the job has open is read once and written back once, so a
// thousand skips of a call cost one row and one statement.
class JobFates {
 public:
  JobFates(const Session& session, const Authority& authority, JobId job)
      : session_(session), authority_(authority), job_(job) {}

  // False when there is no such job.
  Result<bool> load();

  // The fates of the job, in order.
  Status write(std::span<const Fate> fates);

  const Written& written() const { return written_; }

 private:
  struct OpenSkip {
    Tick first;
    Tick last;
    std::int64_t count = 0;
    core::SkipReason reason{};
  };

  Status run(const Fate& fate, bool is_newest);
  Result<bool> insert(const Fate& fate);
  Status overlap(Tick tick, core::SkipReason reason);
  Status skip(const OpenSkip& added);
  Status close_skip();
  Status put_skip(const OpenSkip& skip, bool open);
  Status replace_others(const core::RunRef& newest);

  const Session& session_;
  const Authority& authority_;
  const JobId job_;
  std::int64_t live_limit_ = 0;
  std::int64_t live_ = 0;
  bool replaces_ = false;
  core::LiveRun new_run_;  // what its runs have in common
  Duration start_within_{};
  std::optional<OpenSkip> open_;
  bool open_changed_ = false;
  bool open_is_ours_ = true;  // began under the job's schedule of today; others are not continued
  Written written_;
};

Result<bool> JobFates::load() {
  return session_.db.first(
      kTermsOfJob,
      [&](Row& row) {
        std::optional<Tick> first;
        OpenSkip open;
        Instant effective_from;
        core::RunIn run_in{};
        row.read(live_limit_, replaces_, live_, new_run_.tenant, new_run_.queue, new_run_.type,
                 run_in, new_run_.priority, new_run_.exclusive, start_within_, effective_from,
                 first, open.last, open.count, open.reason);
        new_run_.region = core::region_for(job_, run_in);
        if (!first) return;
        open.first = *first;
        open_ = open;
        open_is_ours_ = first->instant() > effective_from;
      },
      job_);
}

Status JobFates::write(std::span<const Fate> fates) {
  const auto newest = std::ranges::find_if(fates.rbegin(), fates.rend(), &Fate::is_live_run);
  for (const Fate& fate : fates) {
    if (fate.reason) {
      BELFRY_CHECK(skip({fate.first, fate.last, fate.count, *fate.reason}));
    } else {
      BELFRY_CHECK(run(fate, newest != fates.rend() && &fate == &*newest));
    }
  }
  return open_ && open_changed_ ? put_skip(*open_, true) : Status();
}

Status JobFates::run(const Fate& fate, bool is_newest) {
  if (!fate.is_live_run()) {
    BELFRY_CHECK(insert(fate));
    return {};
  }
  const core::RunRef ref{job_, core::run_key_of(fate.first)};
  if (replaces_ && !is_newest) return overlap(fate.first, core::SkipReason::kOverlapReplaced);
  if (live_ >= live_limit_) {
    // The run of this very tick is no reason to skip the tick: it would have two fates.
    BELFRY_TRY(exists, session_.db.value<bool>(kRunIsLive, ref));
    return exists ? Status() : overlap(fate.first, core::SkipReason::kOverlap);
  }
  BELFRY_TRY(inserted, insert(fate));
  if (!inserted) return {};
  if (!fate.due) ++live_;
  return replaces_ ? replace_others(ref) : Status();
}

// False when the tick has a run already.
Result<bool> JobFates::insert(const Fate& fate) {
  BELFRY_CHECK(close_skip());
  const core::RunRef ref{job_, core::run_key_of(fate.first)};
  const Instant due = fate.due.value_or(fate.first.instant());
  BELFRY_TRY(inserted, session_.db.run(kInsertRun, ref, core::RunOrigin::kSchedule, fate.first, due,
                                       session_.now, fate.count, authority_.epoch, authority_.node,
                                       std::nullopt));
  if (inserted == 0) return false;
  session_.events.add(new_run_.tenant, RunEvent{ref, core::RunState::kReady});
  core::LiveRun& run = written_.runs.emplace_back(new_run_);
  run.run = ref;
  run.due = due;
  run.start_by = std::max(due, session_.now) + start_within_;
  run.exclusive |= due > fate.first.instant() && live_limit_ < core::kNoLimit;
  return true;
}

Status JobFates::overlap(Tick tick, core::SkipReason reason) {
  ++written_.overlaps;
  return skip({tick, tick, 1, reason});
}

Status JobFates::skip(const OpenSkip& added) {
  if (authority_.apart) {
    BELFRY_CHECK(close_skip());
    BELFRY_CHECK(session_.db.run(kPutLoneSkip, partition_of(job_), job_, added.first, added.last,
                                 added.count, added.reason, session_.now, authority_.epoch));
    return {};
  }
  if (open_ && open_->reason == added.reason && open_is_ours_) {
    open_->last = added.last;
    open_->count += added.count;
  } else {
    BELFRY_CHECK(close_skip());
    open_ = added;
    open_is_ours_ = true;
  }
  open_changed_ = true;
  return {};
}

Status JobFates::close_skip() {
  if (!open_) return {};
  BELFRY_CHECK(put_skip(*open_, false));
  open_.reset();
  open_changed_ = false;
  return {};
}

Status JobFates::put_skip(const OpenSkip& skip, bool open) {
  BELFRY_CHECK(session_.db.run(kPutSkip, partition_of(job_), job_, skip.first, skip.last,
                               skip.count, skip.reason, open, session_.now, authority_.epoch));
  return {};
}

Status JobFates::replace_others(const core::RunRef& newest) {
  std::vector<core::RunKey> waiting;
  const auto add = [&](Row& row) { row.read(waiting.emplace_back()); };
  BELFRY_CHECK(session_.db.each(kOtherWaitingRuns, add, newest));
  for (const core::RunKey key : waiting) {
    BELFRY_CHECK(
        archive_run(session_, {job_, key},
                    {.state = core::RunState::kCancelled, .error = "replaced by a newer run"}));
  }
  const auto tell = [&](Row& row) {
    core::RunRef& told = written_.told.emplace_back(newest);
    row.read(told.key);
  };
  BELFRY_CHECK(session_.db.each(kOtherRunningRuns, tell, newest));
  BELFRY_CHECK(session_.db.run(kCancelOtherRunningRuns, newest, session_.now));
  return {};
}

}  // namespace

Result<Written> write_decisions(const Session& session, PartitionNo partition,
                                const Authority& authority, const Decisions& decisions) {
  std::vector<Fate> fates;
  add_fates(fates, decisions, authority.epoch);
  sort_fates(fates);
  Written written;
  for (std::span<const Fate> rest = fates; !rest.empty();) {
    const std::span<const Fate> fates_of_job = take_job(rest);
    const JobId job = fates_of_job.front().job;
    if (partition_of(job) != partition) {
      return fail(Errc::kInternal, "a decision about a job of another partition");
    }
    JobFates of_job(session, authority, job);
    BELFRY_TRY(exists, of_job.load());
    if (!exists) continue;
    BELFRY_CHECK(of_job.write(fates_of_job));
    const Written& more = of_job.written();
    written.runs.insert(written.runs.end(), more.runs.begin(), more.runs.end());
    written.told.insert(written.told.end(), more.told.begin(), more.told.end());
    written.overlaps += more.overlaps;
  }
  return written;
}

}  // namespace belfry::store::sqlite

#include "engine/chores/bulk_worker.h"

#include "core/bulk/run_selector.h"
#include "core/id_text.h"
#include "core/run_key.h"
#include "store/common/bulk_arguments.h"

#include <algorithm>
#include <utility>

namespace belfry::engine {
namespace {

// Where commits are slow, a smaller batch would hardly be quicker, and the work much slower.
constexpr std::size_t kSmallestBatch = 50;
// Until other work has its turn: to take work costs a commit.
constexpr int kBatchesInATurn = 8;

// Worth another try as it is: the store was away, or somebody else has moved the work on.
bool is_passing(const Error& error) {
  return error.code == Errc::kUnavailable || error.code == Errc::kUnknownOutcome ||
         error.code == Errc::kConflict;
}

std::string seed_of(const store::BulkWork& work, const std::string& about) {
  return "bulk/" + std::to_string(work.id) + "/" + about;
}

}  // namespace

void BulkWorker::on_work(std::function<void()> call) {
  const MutexLock lock(mutex_);
  on_work_ = std::move(call);
}

void BulkWorker::wake() {
  const MutexLock lock(mutex_);
  if (on_work_) on_work_();
}

Result<bool> BulkWorker::run_once() {
  BELFRY_TRY(work, stores_.bulk.take_bulk(node_, config_.lease));
  if (!work) return false;
  if (work->wanted.object == "runs") {
    BELFRY_CHECK(act_on_runs(*work));
    return true;
  }
  BELFRY_TRY(deed, store::read_deed(work->wanted));
  if (deed.action == core::JobAction::kTrigger) {
    BELFRY_CHECK(trigger_jobs(*work));
  } else {
    BELFRY_CHECK(change_jobs(*work, deed));
  }
  return true;
}

store::BulkStore::Progress BulkWorker::progress_of(const store::BulkWork& work) const {
  return {.work = work, .node = node_, .lease = config_.lease};
}

Status BulkWorker::change_jobs(store::BulkWork work, const store::BulkStore::JobDeed& deed) {
  BELFRY_TRY(selector, core::read_selector(work.wanted.selector));
  for (int i = 0; i < kBatchesInATurn && work.state == store::BulkState::kRunning; ++i) {
    BELFRY_TRY(after, change_batch(work, selector, deed));
    if (!after) return {};
    work = *std::move(after);
  }
  return {};
}

// None: there was trouble, and the work is to be taken again.
Result<std::optional<store::BulkWork>> BulkWorker::change_batch(
    const store::BulkWork& work, const core::JobSelector& selector,
    const store::BulkStore::JobDeed& deed) {
  const BootInstant begin = clock_.boot_now();
  auto done = stores_.bulk.change_selected({.work = work,
                                            .node = node_,
                                            .lease = config_.lease,
                                            .selector = selector,
                                            .deed = deed,
                                            .most = batch_});
  if (!done && is_passing(done.error())) return fail(done.error());
  if (!done && batch_ > 1) {  // one of them is to blame: find it
    batch_ = 1;
    return std::nullopt;
  }
  if (!done) {
    BELFRY_CHECK(pass_over(work, done.error()));
    return std::nullopt;
  }
  for (const auto& [job, settled] : done->settled) {
    if (settled.fates == core::Fates()) continue;
    store::Decisions decisions;
    append(decisions, job, settled.fates);
    observer_.decided(decisions, 0, settled.at);
  }
  adapt(clock_.boot_now() - begin);
  return std::move(done->work);
}

void BulkWorker::adapt(Duration took) {
  if (took > config_.batch) batch_ = std::max(batch_ * 2 / 3, kSmallestBatch);
  if (took < config_.batch * 2 / 3) batch_ = std::min(batch_ + batch_ / 4 + 1, config_.most);
}

// The next job cannot be changed: it is counted, and the others go on.
Status BulkWorker::pass_over(const store::BulkWork& work, const Error& error) {
  BELFRY_TRY(selector, core::read_selector(work.wanted.selector));
  BELFRY_TRY(found, stores_.bulk.next_selected({.tenant = work.wanted.tenant,
                                                .selector = std::move(selector),
                                                .after = work.cursor,
                                                .look = 5'000,
                                                .most = 1,
                                                .made_by = work.created_at}));
  auto progress = progress_of(work);
  progress.next = found.next;
  if (!found.jobs.empty()) {
    progress.failed = 1;
    progress.error = found.jobs.front().second + ": " + to_string(error);
  }
  BELFRY_CHECK(stores_.bulk.advance_bulk(progress));
  return {};
}

// Repeated after a crash, a job is not triggered twice: the work and the job name the run.
Status BulkWorker::trigger_jobs(const store::BulkWork& work) {
  BELFRY_TRY(selector, core::read_selector(work.wanted.selector));
  BELFRY_TRY(found, stores_.bulk.next_selected({.tenant = work.wanted.tenant,
                                                .selector = std::move(selector),
                                                .after = work.cursor,
                                                .look = 5'000,
                                                .most = config_.one_by_one,
                                                .made_by = work.created_at}));
  auto progress = progress_of(work);
  progress.next = found.next;
  for (const auto& [job, name] : found.jobs) {
    const auto run =
        stores_.runs.trigger({.job = job,
                              .key = core::key_without_tick(seed_of(work, core::write_job_id(job))),
                              .author = work.wanted.author});
    if (!run && is_passing(run.error())) return fail(run.error());
    if (!run && progress.failed++ == 0) progress.error = name + ": " + to_string(run.error());
    if (!run) continue;
    ++progress.done;
    observer_.asked(run->run, run->decided_at, {});
  }
  BELFRY_CHECK(stores_.bulk.advance_bulk(progress));
  return {};
}

// Repeated after a crash, both actions leave alone what is cancelled or retried already.
Result<bool> BulkWorker::act_on_run(const store::BulkWork& work, const store::RunRow& run) {
  if (work.wanted.action == "cancel") {
    if (run.cancel_requested) return false;
    return stores_.runs.cancel_run(run.run, work.wanted.author);
  }
  const core::RunKey fresh = core::key_without_tick(seed_of(work, core::write_run_id(run.run)));
  // What its author may do is not kept with the work, so it does only what everybody may.
  BELFRY_TRY(
      again,
      stores_.runs.retry_run(
          {.run = run.run, .fresh = fresh, .may_exec = false, .author = work.wanted.author}));
  if (again.run != run.run) observer_.asked(again.run, again.decided_at, {});
  return true;
}

Status BulkWorker::act_on_runs(const store::BulkWork& work) {
  BELFRY_TRY(selector, core::read_run_selector(work.wanted.selector));
  const store::RunFilter filter{.tenant = work.wanted.tenant,
                                .job = selector.job,
                                .state = selector.state,
                                .from = selector.from,
                                .to = selector.to};
  BELFRY_TRY(page, stores_.listing.list_runs(filter, work.cursor, config_.one_by_one));
  auto progress = progress_of(work);
  progress.next = page.next;
  for (const store::RunRow& run : page.runs) {
    const auto acted = act_on_run(work, run);
    if (!acted && is_passing(acted.error())) return fail(acted.error());
    if (!acted && progress.failed++ == 0) {
      progress.error = core::write_run_id(run.run) + ": " + to_string(acted.error());
    }
    if (acted) ++(*acted ? progress.done : progress.skipped);
  }
  BELFRY_CHECK(stores_.bulk.advance_bulk(progress));
  return {};
}

}  // namespace belfry::engine

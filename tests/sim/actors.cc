#include "tests/sim/actors.h"

#include "core/overlap.h"
#include "core/retry.h"

#include <algorithm>
#include <array>

namespace belfry::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kLease = seconds(10);

}  // namespace

// ---- Nodes
// ----------------------------------------------------------------------------------------

void NodeActor::on_start() {
  clock_ = std::make_unique<SimClock>(stage_.loop, rate_, std::chrono::hours(2));
  node_ = std::make_unique<engine::Node>(
      engine::Node::World{stage_.store, *clock_, stage_.zones, stage_.log},
      engine::NodeConfig{.name = name_, .ownership = {}, .ticker = {}}, Rng(rng_.next_u64()));
  after(Duration(0), [this] { renew(); });
  after(milliseconds(1), [this] { tick(); });
  after(milliseconds(500), [this] { reap(); });
}

void NodeActor::on_kill() {
  node_.reset();  // a crash runs no farewell
}

void NodeActor::stop_gracefully() {
  if (node_ && !node_->leave()) stage_.happened("leave failed");
  kill();
}

void NodeActor::renew() {
  if (!node_->renew()) stage_.happened("renew failed");
  after(seconds(1), [this] { renew(); });
}

void NodeActor::tick() {
  const auto report = node_->tick();
  if (!report) stage_.happened("tick failed");
  const auto wake = node_->wake_at();
  const auto now = node_->now();
  Duration delay = milliseconds(250);
  if (wake && now)
    delay = std::clamp(*wake - std::max(*now, Instant()), Duration(milliseconds(2)), delay);
  if (wake == Instant::min()) delay = milliseconds(report ? 5 : 100);
  after(delay, [this] { tick(); });
}

void NodeActor::reap() {
  const auto report = node_->reap();
  if (report && report->ended > 0) stage_.happened("rescued");
  after(seconds(1), [this] { reap(); });
}

// ---- Workers
// --------------------------------------------------------------------------------------

void WorkerActor::on_start() {
  after(milliseconds(100), [this] { poll(); });
  after(kLease / 3, [this] { beat(); });
}

void WorkerActor::poll() {
  constexpr std::size_t kSlots = 50;
  if (held_.size() < kSlots) {
    const auto claimed = stage_.store.claim({.worker = name_,
                                             .job_types = {"default", "other"},
                                             .max_runs = kSlots - held_.size(),
                                             .lease = kLease});
    if (claimed) {
      for (const store::ClaimedRun& run : *claimed) {
        stage_.happened("claimed");
        stage_.checker.note_grant(run, stage_.db_now(), stage_.truth);
        held_[run.run] = run.fence;
        const Duration work =
            bad_ && rng_.chance(0.05) ? Duration(seconds(40)) : rng_.up_to(seconds(2));
        after(work, [this, grant = store::RunGrant{run.run, run.fence}] { finish(grant); });
      }
    }
  }
  after(milliseconds(100) + rng_.up_to(milliseconds(100)), [this] { poll(); });
}

void WorkerActor::beat() {
  std::vector<store::RunGrant> grants;
  for (const auto& [run, fence] : held_) grants.push_back({run, fence});
  const auto answers =
      grants.empty()
          ? Result<std::vector<store::HeartbeatAnswer>>(std::vector<store::HeartbeatAnswer>{})
          : stage_.store.heartbeat(grants, kLease);
  if (answers) {
    for (std::size_t i = 0; i < answers->size(); ++i) {
      if ((*answers)[i] != store::HeartbeatAnswer::kFenced) continue;
      stage_.happened("fenced");
      if (!bad_) held_.erase(grants[i].run);  // a bad one goes on and is refused
    }
  }
  after(kLease / 3, [this] { beat(); });
}

// As the server does it: facts, decision, end; the fence guards it all.
void WorkerActor::finish(store::RunGrant grant) {
  const auto held = held_.find(grant.run);
  if (held == held_.end() || held->second != grant.fence) return;
  const auto facts = stage_.store.facts_of({&grant, 1});
  const bool failed = rng_.chance(bad_ ? 0.3 : 0.02);
  core::AttemptOutcome outcome =
      failed ? core::AttemptOutcome::kFailed : core::AttemptOutcome::kSucceeded;
  if (!facts) return after(seconds(1), [this, grant] { finish(grant); });
  if (facts->empty()) {
    held_.erase(held);
    stage_.happened("stale result");
    return;
  }
  const store::AttemptFacts& fact = facts->front();
  const auto decision = core::decide_end({.outcome = outcome,
                                          .cancel_requested = fact.cancel_requested,
                                          .attempt = fact.attempt.value(),
                                          .max_attempts = fact.max_attempts,
                                          .retry_base = fact.retry_base,
                                          .retry_cap = fact.retry_cap},
                                         rng_);
  const store::AttemptEnd end{.grant = grant,
                              .outcome = outcome,
                              .next = decision.next,
                              .wait = decision.wait,
                              .result = "{}",
                              .error = failed ? "failed" : ""};
  const auto ended = stage_.store.end_attempts({&end, 1});
  if (!ended) {
    // We cannot know, but the checker must: did it happen?
    const auto still = stage_.truth.facts_of({&grant, 1});
    if (still && still->empty()) stage_.checker.note_end(grant, outcome);
    return after(seconds(1), [this, grant] { finish(grant); });
  }
  held_.erase(held);
  if (!ended->front()) return stage_.happened("refused end");
  stage_.happened(failed ? "failed" : "succeeded");
  stage_.checker.note_end(grant, outcome);
}

// ---- Users
// ----------------------------------------------------------------------------------------

core::JobDefinition UserActor::draw_definition() {
  constexpr std::array<const char*, 7> kExpressions{
      "* * * * * *",    "*/5 * * * * *",   "*/7 * * * * *",   "0 * * * * *",
      "30 */2 * * * *", "15,45 * * * * *", "*/10 */3 * * * *"};
  constexpr std::array<const char*, 4> kZones{"UTC", "America/New_York", "Asia/Kathmandu",
                                              "Australia/Lord_Howe"};
  core::JobDefinition job;
  job.job_type = rng_.chance(0.5) ? "default" : "other";
  core::ScheduleSpec& schedule = job.schedule;
  switch (rng_.below(10)) {
    case 0:
      schedule.type = core::ScheduleSpec::Type::kOnce;
      schedule.run_at = stage_.db_now() + rng_.up_to(std::chrono::minutes(4));
      break;
    case 1:
    case 2:
      schedule.type = core::ScheduleSpec::Type::kEvery;
      schedule.every = seconds(1 + rng_.below(20));
      break;
    default:
      schedule.cron_expression = kExpressions.at(rng_.below(kExpressions.size()));
      schedule.timezone = kZones.at(rng_.below(kZones.size()));
  }
  job.policies.overlap = static_cast<core::OverlapPolicy>(rng_.below(4));
  job.policies.max_concurrent = static_cast<std::int32_t>(rng_.below(4));
  job.policies.misfire = static_cast<core::MisfirePolicy>(rng_.below(3));
  job.policies.max_missed_firings = 20;
  job.policies.retry_base = seconds(1);
  job.policies.timeout = seconds(30);
  return job;
}

void UserActor::create_jobs(int count) {
  std::vector<store::JobStore::NewJob> jobs;
  for (int i = 0; i < count; ++i) {
    core::JobDefinition definition = draw_definition();
    definition.name = "job-" + std::to_string(++created_);
    jobs.push_back({TenantId(1), RegionNo(0), std::move(definition)});
  }
  // Whatever the reply says, or if there is none: the store tells what is there.
  if (!stage_.store.create_jobs(jobs)) stage_.happened("create failed");
  for (const auto& job : jobs) {
    const auto row = stage_.truth.find_job(TenantId(1), job.definition.name);
    if (!row) continue;
    stage_.happened("created");
    stage_.checker.note_job(*row);
    jobs_.push_back(row->id);
  }
}

void UserActor::change(JobId id) {
  const auto before = stage_.truth.find_job(id);
  if (!before) return;
  store::JobStore::JobChange change{.job = id, .if_revision = before->revision};
  switch (rng_.below(8)) {
    case 0: change.status = core::JobStatus::kPaused; break;
    case 1:
      change.status = core::JobStatus::kPaused;
      change.paused_until = stage_.db_now() + rng_.up_to(seconds(40));
      break;
    case 2:
    case 3:
    case 4: change.status = core::JobStatus::kActive; break;
    case 5:
      if (rng_.chance(0.2)) change.status = core::JobStatus::kDeleted;
      break;
    default:
      change.definition = draw_definition();
      change.definition->name = before->definition.name;
  }
  if (!change.status && !change.definition) return;
  const auto changed =
      stage_.store.change_job(change, [this](const store::JobStore::ChangeFacts& facts) {
        return engine::settle_change(facts, schedules_, seconds(10));
      });
  stage_.happened(changed ? "changed" : "change failed");
}

void UserActor::act() {
  if (editing_ && !jobs_.empty()) {
    const JobId id = jobs_[rng_.below(jobs_.size())];
    const std::uint64_t what = rng_.below(10);
    if (what == 0) {
      create_jobs(1 + static_cast<int>(rng_.below(3)));
    } else if (what == 1) {
      const core::RunKey key(static_cast<std::int64_t>(rng_.next_u64() | 1ULL << 63));
      if (stage_.store.trigger({.job = id, .key = key})) stage_.happened("triggered");
    } else {
      change(id);
      if (const auto now = stage_.truth.find_job(id)) {
        stage_.checker.note_job(*now);
      } else {
        std::erase(jobs_, id);
      }
    }
  }
  after(milliseconds(100) + rng_.up_to(seconds(1)), [this] { act(); });
}

}  // namespace belfry::sim

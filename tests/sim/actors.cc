#include "tests/sim/actors.h"

#include "service/jobs/backfill.h"
#include "tests/sim/freeze.h"

#include <algorithm>
#include <array>

namespace belfry::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kLongestHandOver = seconds(20);  // as the runner's

}  // namespace

// ---- Nodes

void NodeActor::on_start() {
  clock_ = std::make_unique<SimClock>(stage_.loop, rate_, std::chrono::hours(2));
  node_ = std::make_unique<engine::Node>(
      engine::Node::World{stage_.store, *clock_, stage_.zones, stage_.log, observer_},
      engine::NodeConfig{
          .name = name_, .ownership = {}, .ticker = {}, .live = {.patrol = seconds(5)}},
      Rng(rng_.next_u64()));
  renewals_ = ticks_ = loads_ = claims_ = completions_ = {};
  retired_ = false;
  plan(renewals_, BootInstant::min(), &NodeActor::renew);
  plan(ticks_, clock_->boot_now() + milliseconds(1), &NodeActor::tick);
  plan(loads_, clock_->boot_now() + milliseconds(2), &NodeActor::load);
  after(milliseconds(500), [this] { reap(); });
  // As the node's own, in a hurry: the storm is short.
  watch_ = std::make_unique<engine::LedgerWatch>(
      engine::LedgerWatch::World{.store = stage_.store,
                                 .node = node_->self(),
                                 .zones = stage_.zones,
                                 .clock = *clock_,
                                 .log = stage_.log,
                                 .observer = observer_,
                                 .sign = [](std::string_view) { return engine::Signature(); }},
      engine::LedgerWatchConfig{.share = 0.5,
                                .most_jobs = 50,
                                .rows_each = 200,
                                .settles = seconds(1),
                                .pause = seconds(20),
                                .lease = seconds(5),
                                .ask_every = seconds(1)});
  after(seconds(2), [this] { prove(); });
  node_->loader().on_loaded([this] {
    plan(ticks_, BootInstant::min(), &NodeActor::tick);
    if (node_->has_loaded()) plan(renewals_, BootInstant::min(), &NodeActor::renew);
  });
  node_->loader().on_work([this] { plan(loads_, BootInstant::min(), &NodeActor::load); });
  engine::Dispatcher& dispatcher = node_->dispatcher();
  dispatcher.claims().on_work([this] { plan(claims_, BootInstant::min(), &NodeActor::claim); });
  dispatcher.completions().on_work(
      [this] { plan(completions_, BootInstant::min(), &NodeActor::end_attempts); });
}

void NodeActor::on_kill() {
  watch_.reset();
  node_.reset();  // a crash says no goodbye
}

// Retires first, as the runner does, and goes on for a while; or leaves at once, as if alone.
void NodeActor::stop_gracefully() {
  if (node_ && rng_.chance(0.7)) {
    const auto retired = node_->retire(seconds(20));
    stage_.happened(retired && *retired ? "retired" : "not retired");
    retired_ = true;
    after(rng_.up_to(seconds(4)), [this] {
      leave();
      stage_.loop.at(stage_.loop.now() + seconds(1), [this] {
        if (!alive()) start();
      });
    });
  } else {
    leave();
  }
}

void NodeActor::hand_over_and_leave(std::function<void()> when_gone) {
  const auto retired = node_->retire(kLongestHandOver);
  stage_.happened(retired && *retired ? "retired" : "not retired");
  retired_ = true;
  await_relief(clock_->boot_now() + kLongestHandOver, std::move(when_gone));
}

void NodeActor::await_relief(BootInstant end, std::function<void()> when_gone) {
  const auto awaited = node_->is_awaited();
  if (awaited && *awaited && clock_->boot_now() < end) {
    after(milliseconds(50), [this, end, when_gone = std::move(when_gone)]() mutable {
      await_relief(end, std::move(when_gone));
    });
    return;
  }
  leave();
  when_gone();
}

void NodeActor::leave() {
  if (node_) node_->dispatcher().close();
  if (node_ && !node_->leave()) stage_.happened("leave failed");
  kill();
}

// The rounds are those of engine/runner.cc: what a node does, and when.
void NodeActor::renew() {
  if (retired_) return;
  const std::size_t before = node_->standing().partitions;
  const auto renewed = node_->renew();
  const BootInstant now = clock_->boot_now();
  if (!renewed) {
    stage_.happened("renew failed");
    return plan(renewals_, now + milliseconds(250), &NodeActor::renew);
  }
  plan(ticks_, BootInstant::min(), &NodeActor::tick);
  const bool took = node_->standing().partitions > before;
  const bool takes_more = took && node_->has_loaded();
  const BootInstant next =
      std::min(now + seconds(1), node_->renew_at().value_or(BootInstant::max()));
  plan(renewals_, takes_more ? BootInstant::min() : next, &NodeActor::renew);
}

void NodeActor::tick() {
  const auto report = node_->tick();
  if (!report) stage_.happened("tick failed");
  const BootInstant now = clock_->boot_now();
  if (!report) return plan(ticks_, now + milliseconds(100), &NodeActor::tick);
  if (node_->has_loaded()) plan(renewals_, BootInstant::min(), &NodeActor::renew);
  const auto wake = node_->wake_at();
  const auto store_now = node_->now();
  if (!wake || !store_now) return;  // a renewal or a load wakes it
  const Duration rest = *wake == Instant::min() ? milliseconds(1) : *wake - *store_now;
  plan(ticks_, now + std::min(rest, Duration(seconds(60))), &NodeActor::tick);
}

// Reading a partition takes a millisecond beside what the store takes.
void NodeActor::load() {
  const auto loaded = node_->load(0);
  if (!loaded) stage_.happened("load failed");
  const BootInstant now = clock_->boot_now();
  if (!loaded) return plan(loads_, now + milliseconds(100), &NodeActor::load);
  if (*loaded) plan(loads_, now + milliseconds(1), &NodeActor::load);
}

void NodeActor::reap() {
  const auto report = node_->reap();
  if (report && report->ended > 0) stage_.happened("rescued");
  after(seconds(1), [this] { reap(); });
}

void NodeActor::prove() {
  const auto rest = watch_->run_once();
  if (!rest) stage_.happened("proof failed");
  after(std::clamp(rest ? *rest : Duration(seconds(1)), Duration(milliseconds(50)),
                   Duration(seconds(1))),
        [this] { prove(); });
}

void NodeActor::receive(Message message) {
  if (!alive() || stage_.lost()) return;
  after(Duration(200),
        [this, message = std::move(message)] { message(node_->dispatcher(), clock_->boot_now()); });
}

void NodeActor::plan(Round& round, std::optional<BootInstant> wake, void (NodeActor::*duty)()) {
  if (!wake) return;
  const BootInstant now = clock_->boot_now();
  const Duration delay = std::max(*wake <= now ? Duration(0) : *wake - now, Duration(100));
  const Instant at = stage_.loop.now() + delay;
  if (round.at <= at) return;
  round.at = at;
  after(delay, [this, &round, number = ++round.number, duty] {
    if (round.number != number) return;
    round.at = Instant::max();
    (this->*duty)();
  });
}

void NodeActor::claim() {
  const auto report = node_->dispatcher().claim();
  if (!report) stage_.happened("claim failed");
  if (report && report->returned > 0) stage_.happened("returned");
  plan(claims_, node_->dispatcher().claims().next_wakeup(), &NodeActor::claim);
}

void NodeActor::end_attempts() {
  if (!node_->dispatcher().end_attempts()) stage_.happened("end failed");
  plan(completions_, node_->dispatcher().completions().next_wakeup(), &NodeActor::end_attempts);
}

// ---- Users

core::JobDefinition UserActor::draw_definition() {
  constexpr std::array<const char*, 7> kExpressions{
      "* * * * * *",    "*/5 * * * * *",   "*/7 * * * * *",   "0 * * * * *",
      "30 */2 * * * *", "15,45 * * * * *", "*/10 */3 * * * *"};
  constexpr std::array<const char*, 4> kZones{"UTC", "America/New_York", "Asia/Kathmandu",
                                              "Australia/Lord_Howe"};
  core::JobDefinition job;
  job.job_type = rng_.chance(0.5) ? "default" : "other";
  if (rng_.chance(0.05)) job.job_type = kNobodys;
  job.policies.start_within = kStartWithin;
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
  if (rng_.chance(0.15)) {
    schedule.calendar_name = kFreeze;
    schedule.calendar_policy = static_cast<core::CalendarPolicy>(rng_.below(2));
  }
  job.policies.overlap = static_cast<core::OverlapPolicy>(rng_.below(4));
  job.policies.max_concurrent = static_cast<std::int32_t>(rng_.below(4));
  job.policies.misfire = static_cast<core::MisfirePolicy>(rng_.below(3));
  job.policies.max_missed_firings = 20;
  job.policies.retry_base = seconds(1);
  job.policies.timeout = rng_.chance(0.2) ? Duration(std::chrono::hours(1)) : seconds(30);
  job.policies.stop_within = kStopWithin;
  return job;
}

void UserActor::create_jobs(int count) {
  std::vector<store::JobStore::NewJob> jobs;
  for (int i = 0; i < count; ++i) {
    core::JobDefinition definition = draw_definition();
    definition.name = "job-" + std::to_string(++created_);
    jobs.push_back({TenantId(1), RegionNo(0), std::move(definition)});
  }
  // Whatever the reply says, and even without one, the store knows what is there.
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
  const auto changed = stage_.store.change_job(change);
  stage_.happened(changed ? "changed" : "change failed");
}

// Backfills half a minute of the last one; asking twice creates nothing twice.
void UserActor::backfill(JobId id) {
  const Instant to = stage_.db_now() - rng_.up_to(seconds(30));
  const auto report =
      service::backfill(stage_.store, schedules_, {id, to - seconds(30), to, rng_.chance(0.3)});
  if (report && !report->created.empty()) stage_.happened("backfilled");
}

// Any run of the job that is over.
void UserActor::retry(JobId id) {
  const auto runs = stage_.truth.runs_of(id);
  if (!runs || runs->empty()) return;
  const store::RunRow& run = (*runs)[rng_.below(runs->size())];
  if (core::is_live(run.state)) return;
  stage_.checker.note_retry(run.run);
  const core::RunKey fresh(static_cast<std::int64_t>(rng_.next_u64() | 1ULL << 63));
  if (stage_.store.retry_run(run.run, fresh)) stage_.happened("run again");
}

// Takes a run of the job from its worker.
void UserActor::unstick(JobId id) {
  const auto runs = stage_.truth.runs_of(id);
  if (!runs) return;
  for (const store::RunRow& run : *runs) {
    if (run.state != core::RunState::kRunning) continue;
    const store::RunGrant grant{run.run, run.fence};
    stage_.checker.note_unstuck(grant);
    const auto unstuck = stage_.store.unstick_run(run.run, "it hangs", {});
    if (!unstuck) return;
    stage_.happened("unstuck");
    stage_.checker.check_unstuck(grant, stage_.truth);
    return;
  }
}

// Its worker may not listen.
void UserActor::cancel(JobId id) {
  const auto runs = stage_.truth.runs_of(id);
  if (!runs) return;
  for (const store::RunRow& run : *runs) {
    if (run.state != core::RunState::kRunning || run.cancel_requested) continue;
    const auto cancelled = stage_.store.cancel_run(run.run);
    if (!cancelled || !*cancelled) return;
    stage_.happened("cancelled");
    stage_.checker.note_cancelled({run.run, run.fence}, stage_.db_now());
    return;
  }
}

void UserActor::act() {
  if (editing_ && !jobs_.empty()) {
    const JobId id = jobs_[rng_.below(jobs_.size())];
    const std::uint64_t what = rng_.below(11);
    if (what == 0) {
      create_jobs(1 + static_cast<int>(rng_.below(3)));
    } else if (what == 1) {
      const core::RunKey key(static_cast<std::int64_t>(rng_.next_u64() | 1ULL << 63));
      if (stage_.store.trigger({.job = id, .key = key})) stage_.happened("triggered");
    } else if (what == 2) {
      backfill(id);
    } else if (what == 3) {
      retry(id);
    } else if (what == 4) {
      unstick(id);
    } else if (what == 5) {
      cancel(id);
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

#include "rehearse/stage.h"

#include "base/rng.h"
#include "core/overlap.h"
#include "rehearse/memory_store.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::rehearse {
namespace {

constexpr Duration kNever = std::chrono::days(36'525);
constexpr std::size_t kRunsPerClaim = 1'000;
// At one instant there are a few rounds for each of a herd's batches; this many are a mistake.
constexpr std::size_t kMostRounds = 1'000'000;

engine::LiveRunsConfig patient() {
  engine::LiveRunsConfig config;
  config.patrol = kNever;  // nothing gets lost here
  config.look_every = kNever;
  return config;
}

engine::TickerConfig hungry() {
  engine::TickerConfig config;
  config.loads_per_round = kPartitionCount;
  return config;
}

}  // namespace

Stage::Node::Node(Stage& stage, Incarnation name)
    : live(
          {stage.stores_.runs, stage.stores_.hints}, [&stage] { return stage.now(); }, Rng(1),
          patient()),
      ticker(
          {stage.stores_.decisions, stage.zones_, stage.log_, stage.observer_, live, stage.crew_},
          name, hungry()),
      reaper(stage.stores_.runs, live, stage.observer_, Rng(2)) {}

Stage::Stage(const Stores& stores, const Times& times, ManualClock& clock, core::ZoneCatalog& zones,
             Crew::WorkOf work_of, std::string queue)
    : stores_(stores),
      times_(times),
      clock_(clock),
      zones_(zones),
      log_(clock, [](std::string_view) {}, {.least = LogLevel::kError}),
      crew_(std::move(work_of), clock),
      queues_{std::move(queue)} {}

Status Stage::perform() {
  move_to(times_.from - Duration(1));
  BELFRY_CHECK(start());
  std::size_t rounds = 0;
  while (true) {
    BELFRY_CHECK(round());
    const Instant next = next_moment();
    rounds = next > now() ? 0 : rounds + 1;
    if (rounds > kMostRounds) return fail(Errc::kInternal, "the rehearsal does not move on");
    const bool goes_out =
        next_out_ < times_.outages.size() && next >= times_.outages[next_out_].from;
    if (!goes_out && next >= times_.to) return {};
    if (!goes_out) {
      move_to(next);
      continue;
    }
    node_.reset();
    move_to(times_.outages[next_out_++].to);
    if (now() >= times_.to) return {};
    BELFRY_CHECK(start());
  }
}

void Stage::move_to(Instant at) {
  if (at > now()) clock_.advance(at - now());
}

Status Stage::start() {
  const Incarnation name({0x5ee, ++starts_});
  node_ = std::make_unique<Node>(*this, name);
  BELFRY_TRY(owned, stores_.own(name));
  for (const store::OwnedPartition& partition : owned) {
    node_->ticker.gain(partition);
    node_->live.own(partition.partition);
  }
  return node_->live.run_once(clock_.boot_now());
}

Status Stage::round() {
  BELFRY_CHECK(report_done());
  BELFRY_CHECK(hand_out());  // who waited longer goes before the ticks of now
  BELFRY_CHECK(tick());
  BELFRY_CHECK(stop_replaced());
  BELFRY_CHECK(reap());
  return hand_out();
}

Status Stage::report_done() {
  std::vector<store::AttemptEnd> ends;
  for (const store::RunGrant& grant : crew_.take_done()) {
    ends.push_back({.grant = grant,
                    .outcome = core::AttemptOutcome::kSucceeded,
                    .next = core::RunState::kSucceeded});
  }
  return end(ends);
}

// Those that were stopped before are refused, and were counted then.
Status Stage::end(std::span<const store::AttemptEnd> ends) {
  if (ends.empty()) return {};
  BELFRY_TRY(applied, stores_.runs.end_attempts(ends));
  std::vector<store::RunGrant> ended;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    crew_.drop(ends[i].grant);
    if (applied[i]) ended.push_back(ends[i].grant);
  }
  crew_.note_ended(ended.size());
  node_->live.ended(ended);
  return {};
}

Status Stage::tick() {
  engine::Ticker& ticker = node_->ticker;
  ticker.rest(now() - Duration(1));
  for (std::size_t i = 0; i < kMostRounds; ++i) {
    const auto next = ticker.next_wakeup();
    if (!next || *next > now()) return {};
    BELFRY_TRY(report, ticker.run_once(now()));
    static_cast<void>(report);
  }
  return fail(Errc::kInternal, "the ticker does not come to rest");
}

// A worker is told with its next heartbeat; here that is at once.
Status Stage::stop_replaced() {
  const auto& running = crew_.replaceable();
  if (running.empty()) return {};
  const std::vector<store::RunGrant> grants(running.begin(), running.end());
  BELFRY_TRY(answers, stores_.runs.heartbeat(grants, kNever));
  std::vector<store::AttemptEnd> ends;
  for (std::size_t i = 0; i < grants.size(); ++i) {
    if (answers[i] == HeartbeatAnswer::kFenced) crew_.drop(grants[i]);
    if (answers[i] != HeartbeatAnswer::kCancel) continue;
    ends.push_back({.grant = grants[i],
                    .outcome = core::AttemptOutcome::kCancelled,
                    .next = core::RunState::kCancelled});
  }
  return end(ends);
}

Status Stage::reap() {
  const auto start_by = stores_.first_start_by ? stores_.first_start_by() : std::nullopt;
  const bool is_unstarted = start_by && *start_by <= now();
  if (!crew_.take_overdue() && !is_unstarted) return {};
  if (is_unstarted) {
    // The book keeps only those in mind whose time is near when it is asked: ask, then read again.
    static_cast<void>(node_->live.find_unstarted(1));
    node_->live.doubt(MemoryStore::kPartition);
    BELFRY_CHECK(node_->live.run_once(clock_.boot_now()));
  }
  for (std::size_t i = 0; i < kMostRounds; ++i) {
    BELFRY_TRY(report, node_->reaper.run_once());
    crew_.note_ended(report.ended);
    BELFRY_CHECK(node_->live.run_once(clock_.boot_now()));
    if (report.found + report.given_up == 0) return {};
  }
  return fail(Errc::kInternal, "the reaper does not come to rest");
}

Status Stage::hand_out() {
  engine::LiveRuns& live = node_->live;
  if (live.next_wakeup() == BootInstant::min()) {
    BELFRY_CHECK(live.run_once(clock_.boot_now()));
  }
  while (live.size() > crew_.busy()) {
    BELFRY_TRY(claimed,
               live.claim({.job_types = queues_, .shares = {{crew_.taker(), kRunsPerClaim}}}));
    for (const store::ClaimedRun& run : claimed) crew_.begin(run);
    if (claimed.size() < kRunsPerClaim) return {};
  }
  return {};
}

Instant Stage::next_moment() const {
  Instant next = times_.to;
  const auto sooner = [&](std::optional<Instant> at) {
    if (at && *at < next) next = std::max(*at, now());
  };
  sooner(node_->ticker.next_wakeup());
  sooner(crew_.next());
  if (const auto wait = node_->live.until_next_due()) sooner(now() + *wait);
  if (stores_.first_start_by) sooner(stores_.first_start_by());
  return next;
}

Status rehearse(const Plan& plan, core::ZoneCatalog& zones, const Diary& diary) {
  ManualClock clock(plan.from - std::chrono::seconds(1), BootInstant(std::chrono::hours(1)));
  MemoryStore memory(plan, clock, diary);
  const auto work_of = [&](JobId job) -> Crew::Work {
    const PlannedJob& planned = plan.jobs[MemoryStore::place_of(job)];
    return {planned.takes, core::overlap_terms(planned.definition.policies).replaces};
  };
  const Stage::Stores stores{
      .decisions = memory,
      .runs = memory,
      .hints = memory,
      .own = [&](const Incarnation&) -> Result<std::vector<store::OwnedPartition>> {
        return std::vector{memory.own()};
      },
      .first_start_by = [&] { return memory.first_start_by(); }};
  return Stage(stores, {plan.from, plan.to, plan.outages}, clock, zones, work_of,
               MemoryStore::queue())
      .perform();
}

}  // namespace belfry::rehearse

#include "tests/sim/world.h"

#include "base/text/instant_text.h"
#include "engine/proof/prove.h"
#include "store/wrappers/faulty_store.h"
#include "tests/sim/actors.h"
#include "tests/sim/freeze.h"
#include "tests/sim/saboteur.h"
#include "tests/sim/standby.h"
#include "tests/sim/worker.h"
#include "tests/support/handing_out.h"

#include <algorithm>
#include <string_view>

namespace belfry::sim {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// 2026-03-08T06:50Z: ten minutes before New York's clocks jump.
constexpr Instant kStart = from_unix_seconds(1'772'952'600);

class World {
 public:
  explicit World(const Plan& plan)
      : plan_(plan),
        rng_(plan.seed),
        loop_(kStart),
        log_clock_(loop_, 1.0, Duration(0)),
        log_(log_clock_, [](std::string_view) {}, {.least = LogLevel::kError}),
        database_(open_database(
            [this] { return db_now(); },
            {.with_standby = plan.failovers, .settles = plan.sabotage != "no_settle"})),
        truth_(database_.store.get()),
        sabotaged_(*truth_, plan.sabotage),
        store_(sabotaged_, [this](std::string_view transaction) { return fault_of(transaction); }),
        stage_{loop_,
               store_,
               *truth_,
               checker_,
               zones_,
               log_,
               [this] { return db_now(); },
               [this](const std::string& event) { happened(event); },
               [this] { return nodes_[rng_.below(nodes_.size())].get(); },
               [this] { return storm_ && plan_.lost_replies && rng_.chance(0.02); }} {}

  Outcome run() {
    set_up();
    loop_.run_until(kStart + plan_.storm);
    heal();
    loop_.run_until(kStart + plan_.storm + plan_.calm);
    return judge();
  }

 private:
  Instant db_now() const { return loop_.now() + db_offset_; }

  void happened(const std::string& event) {
    ++outcome_.counts[event];
    for (const char c : event) mix(static_cast<unsigned char>(c));
    mix(static_cast<std::uint64_t>(loop_.now().micros()));
  }
  void mix(std::uint64_t value) {
    outcome_.trace = (outcome_.trace ^ value) * 0x9e37'79b9'7f4a'7c15;
    outcome_.trace ^= outcome_.trace >> 29;
  }

  void set_up() {
    for (int i = 0; i < plan_.nodes; ++i) {
      const double rate =
          plan_.clock_rates ? 0.97 + 0.06 * static_cast<double>(rng_.below(100)) / 99 : 1.0;
      nodes_.push_back(std::make_unique<NodeActor>(stage_, "node-" + std::to_string(i), rate,
                                                   Rng(rng_.next_u64())));
    }
    for (int i = 0; i < plan_.workers; ++i) {
      workers_.push_back(std::make_unique<WorkerActor>(stage_, "worker-" + std::to_string(i),
                                                       plan_.bad_workers && i == 0,
                                                       Rng(rng_.next_u64())));
    }
    const bool all_live = !plan_.kills && !plan_.freezes && !plan_.outages && !plan_.failovers;
    if (all_live) checker_.expect_no_lost_attempts();
    if (plan_.type_limit) limit_type();
    // From before the beginning until after the end, whatever the database's clock does.
    const auto rules = freeze_rules(kStart - minutes(60), 180);
    if (!truth_->put_calendar(TenantId(1), std::string(kFreeze), rules, {})) {
      checker_.violate("store", "there is no calendar");
    }
    if (plan_.joins) checker_.expect_on_time(loop_.now() + seconds(30));
    users_ = std::make_unique<UserActor>(stage_, Rng(rng_.next_u64()));
    users_->create_jobs(plan_.jobs);
    users_->set_editing(plan_.edits);
    users_->start();
    for (auto& node : nodes_) node->start();
    for (auto& worker : workers_) worker->start();
    storm_ = true;
    loop_.at(loop_.now() + seconds(5), [this] { strike(); });
  }

  void limit_type() {
    const store::JobType type{.tenant = TenantId(1),
                              .name = std::string(kLimited),
                              .limits = {.max_concurrent = kMostOfLimited}};
    if (!truth_->put_type(type, {})) checker_.violate("store", "a type cannot be limited");
    checker_.expect_limit();
  }

  Process& any_process() {
    const std::size_t pick = rng_.below(nodes_.size() + workers_.size());
    if (pick < nodes_.size()) return *nodes_[pick];
    return *workers_[pick - nodes_.size()];
  }

  // Strikes with one of the plan's faults, then plans the next.
  void strike() {
    if (!storm_) return;
    if (plan_.kills && rng_.chance(0.3)) {
      Process& victim = any_process();
      happened("kill");
      victim.kill();
      loop_.at(loop_.now() + rng_.up_to(seconds(10)), [this, &victim] { revive(victim); });
    }
    if (plan_.joins) come_and_go();
    if (plan_.kills && rng_.chance(0.1)) {
      NodeActor& victim = *nodes_[rng_.below(nodes_.size())];
      if (victim.alive() && !victim.frozen()) {
        happened("graceful stop");
        victim.stop_gracefully();
        loop_.at(loop_.now() + rng_.up_to(seconds(3)), [this, &victim] { revive(victim); });
      }
    }
    if (plan_.freezes && rng_.chance(0.3)) {
      Process& victim = any_process();
      happened("freeze");
      victim.freeze();
      loop_.at(loop_.now() + rng_.up_to(seconds(20)), [&victim] { victim.thaw(); });
    }
    if (plan_.outages && rng_.chance(0.2)) {
      happened("outage");
      outage_until_ = loop_.now() + rng_.up_to(seconds(15));
    }
    if (plan_.db_steps && rng_.chance(0.05)) {
      happened("database clock step");
      db_offset_ = db_offset_ + (rng_.chance(0.5) ? Duration(minutes(1)) : -Duration(seconds(20)));
    }
    if (plan_.failovers && rng_.chance(0.1)) fail_over(rng_.up_to(seconds(5)));
    loop_.at(loop_.now() + seconds(1) + rng_.up_to(seconds(10)), [this] { strike(); });
  }

  // One at a time: the next goes once the last is back.
  void come_and_go() {
    NodeActor& node = *nodes_[rng_.below(nodes_.size())];
    const bool all_there = std::ranges::all_of(
        nodes_, [](const auto& each) { return each->alive() && !each->is_retired(); });
    if (!all_there || loop_.now() < kStart + seconds(20)) return;
    happened("leave and join");
    node.hand_over_and_leave([this, &node] {
      loop_.at(loop_.now() + rng_.up_to(seconds(5)), [this, &node] { revive(node); });
    });
  }

  // The standby lags from now on; the primary is lost a little later.
  void fail_over(Duration lag) {
    if (lagging_) return;
    lagging_ = true;
    database_.standby->catch_up();
    loop_.at(loop_.now() + lag, [this, known = checker_.known()] {
      happened("failover");
      lagging_ = false;
      database_.standby->promote(
          {.epochs = plan_.sabotage == "old_epochs", .fences = plan_.sabotage == "old_fences"});
      checker_.note_promotion(known);
    });
  }

  void revive(Process& process) {
    if (!process.alive()) process.start();
  }

  void heal() {
    storm_ = false;
    outage_until_ = Instant::min();
    for (auto& node : nodes_) {
      node->thaw();
      revive(*node);
    }
    for (auto& worker : workers_) {
      worker->thaw();
      worker->become_good();
      revive(*worker);
    }
    users_->set_editing(false);
  }

  store::Fault fault_of(std::string_view transaction) {
    mix(transaction.size());
    loop_.pass(plan_.slow_store && storm_ && rng_.chance(0.01)
                   ? rng_.up_to(seconds(4))
                   : Duration(50) + rng_.up_to(Duration(200)));
    if (!storm_) return store::Fault::kNone;
    if (loop_.now() < outage_until_) return store::Fault::kUnavailable;
    if (!plan_.lost_replies || !rng_.chance(0.03)) return store::Fault::kNone;
    happened("lost " + std::string(transaction));
    return rng_.chance(0.5) ? store::Fault::kLostReply : store::Fault::kLostRequest;
  }

  Outcome judge() {
    // Long enough ago that it must have been decided by now (L4).
    outcome_.ticks = checker_.check_ledger(*truth_, db_now() - seconds(10));
    check_proof();
    check_watch();
    check_order();
    outcome_.violations = checker_.violations();
    return std::move(outcome_);
  }

  // The product's own proof finds nothing wrong, either.
  void check_proof() {
    core::ZoneCatalog zones;
    engine::Prover prover(*truth_, zones, {.jobs = 7, .rows = 50, .page = 20});
    for (const JobId job : checker_.jobs()) {
      std::optional<engine::ProofPlace> place = engine::ProofPlace();
      while (place) {
        const auto step = prover.step(
            {.tenant = TenantId(1), .job = job, .through = db_now() - seconds(10)}, *place);
        if (!step) return checker_.violate("proof", "the ledger cannot be read");
        for (const engine::JobFlaw& each : step->flaws) {
          checker_.violate(
              "proof", std::string(core::name_of(each.flaw.kind)) + " of " + each.name + " at " +
                           format_instant(each.flaw.first.instant()) + ": " + each.flaw.evidence);
        }
        for (const engine::JobUnproven& gap : step->unproven) {
          checker_.violate("proof", gap.name + " cannot be proven: " + gap.what.why);
        }
        place = step->next;
      }
    }
  }

  // Nor has the leader taken anything for wrong, while all of it was going on; and it has come as
  // far as the calm lets it.
  void check_watch() {
    const auto found = truth_->ledger_violations({}, Instant::min(), 10);
    if (!found) return checker_.violate("proof", "what the leader found cannot be read");
    for (const store::LedgerViolation& each : *found) {
      checker_.violate("proof", "the leader found a " + std::string(core::name_of(each.flaw.kind)) +
                                    " of " + each.name + " at " +
                                    format_instant(each.flaw.first.instant()) + ": " +
                                    each.flaw.evidence);
    }
    const auto check = truth_->ledger_check();
    if (!check) return checker_.violate("proof", "how far the leader is cannot be read");
    if (check->checked_through < db_now() - seconds(60)) {
      checker_.violate("proof", "the leader has checked no further than " +
                                    format_instant(check->checked_through) + ", now it is " +
                                    format_instant(db_now()));
    }
  }

  // L4: a minute after everything is well again, nothing is stuck.
  void check_order() {
    const store::OwnershipStore::Node observer{Incarnation({1, 1}), "observer", RegionNo(0)};
    const auto membership = truth_->renew(observer, milliseconds(1));
    if (!membership) return checker_.violate("L4", "the membership cannot be read");
    if (membership->orphans != 0) {
      checker_.violate("L4", std::to_string(membership->orphans) + " partitions have no owner");
    }
    for (const auto& node : membership->nodes) {
      if (node.incarnation == observer.incarnation) continue;
      const auto fair = static_cast<std::size_t>(kPartitionCount / plan_.nodes);
      if (node.partitions < fair || node.partitions > fair + 1) {
        checker_.violate("L4", node.name + " owns " + std::to_string(node.partitions));
      }
    }
    const auto expired = test::find_expired(*truth_, 10);
    if (!expired || !expired->empty()) checker_.violate("L4", "runs with dead leases are left");
    check_waits();
    checker_.check_stopped(*truth_, db_now());
    hand_out_all();
    checker_.check_waiting(*truth_, db_now());
  }

  // Nobody forgets a run that may start.
  void check_waits() {
    std::vector<PartitionNo> all;
    for (int i = 0; i < kPartitionCount; ++i) all.emplace_back(static_cast<std::uint16_t>(i));
    const auto live = truth_->read_live(all);
    if (!live) return checker_.violate("L4", "live runs cannot be read");
    for (const core::LiveRun& run : *live) {
      if (run.held || run.exclusive || run.due > db_now() - minutes(1)) continue;
      if (run.queue == kNobodys) continue;
      // There may be more to do than the limit lets through, but then it is used.
      if (plan_.type_limit && run.type == kLimited && 2 * held_of_limited(*live) > kMostOfLimited) {
        continue;
      }
      checker_.violate("L4", "a run has been waiting for a minute");
    }
  }

  static std::ptrdiff_t held_of_limited(const std::vector<core::LiveRun>& live) {
    return std::ranges::count_if(
        live, [](const core::LiveRun& run) { return run.held && run.type == kLimited; });
  }

  // The workers may be behind, but the store must not keep anything from them.
  void hand_out_all() {
    if (plan_.type_limit) (void)truth_->delete_type(TenantId(1), std::string(kLimited), {});
    const test::ClaimRequest request{.job_types = {"default", "other"},
                                     .takers = {{.worker = "observer", .max_runs = 1'000}}};
    for (;;) {
      const auto claimed = test::claim(*truth_, request);
      if (!claimed) return checker_.violate("L4", "runs cannot be claimed");
      if (claimed->empty()) return;
    }
  }

  const Plan plan_;
  Rng rng_;
  Loop loop_;
  Duration db_offset_{};
  bool lagging_ = false;
  Instant outage_until_ = Instant::min();
  bool storm_ = false;
  SimClock log_clock_;
  Logger log_;
  core::ZoneCatalog zones_;
  Checker checker_;
  Outcome outcome_;
  Database database_;
  store::Store* truth_;
  Saboteur sabotaged_;
  store::FaultyStore store_;
  Stage stage_;
  std::vector<std::unique_ptr<NodeActor>> nodes_;
  std::vector<std::unique_ptr<WorkerActor>> workers_;
  std::unique_ptr<UserActor> users_;
};

}  // namespace

Plan Plan::draw(std::uint64_t seed) {
  Rng rng(seed ^ 0x5eed);
  Plan plan;
  plan.seed = seed;
  plan.nodes = 2 + static_cast<int>(rng.below(3));
  plan.jobs = 50 + static_cast<int>(rng.below(250));
  for (bool* fault : {&plan.kills, &plan.freezes, &plan.outages, &plan.lost_replies,
                      &plan.slow_store, &plan.clock_rates, &plan.edits, &plan.bad_workers}) {
    *fault = rng.chance(0.5);
  }
  plan.db_steps = rng.chance(0.2);
  if (plan.db_steps) plan.calm = minutes(4);  // a step forwards is doubted for two
  plan.failovers = rng.chance(0.2);
  plan.type_limit = rng.chance(0.3);
  return rng.chance(0.1) ? joins_alone(seed, "none") : plan;
}

Plan Plan::joins_alone(std::uint64_t seed, std::string sabotage) {
  Plan plan;
  plan.seed = seed;
  plan.jobs = 200;
  plan.joins = true;
  plan.sabotage = std::move(sabotage);
  return plan;
}

std::string Plan::describe() const {
  std::string text = "seed " + std::to_string(seed) + ": " + std::to_string(nodes) + " nodes, " +
                     std::to_string(jobs) + " jobs";
  const auto add = [&](bool on, const char* name) {
    if (on) text += std::string(", ") + name;
  };
  add(kills, "kills");
  add(freezes, "freezes");
  add(outages, "outages");
  add(lost_replies, "lost replies");
  add(slow_store, "slow store");
  add(clock_rates, "clock rates");
  add(db_steps, "database clock steps");
  add(failovers, "failovers");
  add(edits, "edits");
  add(bad_workers, "bad workers");
  add(type_limit, "a type with a limit");
  add(joins, "joins");
  return text;
}

Outcome simulate(const Plan& plan) {
  return World(plan).run();
}

}  // namespace belfry::sim

#include "bench/plans/figures.h"
#include "bench/plans/measures.h"
#include "tests/support/postgres_plans.h"

#include <string>

namespace belfry::bench {
namespace {

constexpr std::size_t kDecided = 2'000;  // what the engine puts into one decision
constexpr std::size_t kClaimed = 100;

std::vector<store::RunGrant> grants_of(const std::vector<store::ClaimedRun>& runs) {
  std::vector<store::RunGrant> grants;
  for (const auto& run : runs) grants.push_back({run.run, run.fence});
  return grants;
}

std::vector<store::AttemptEnd> successes(const std::vector<store::RunGrant>& grants) {
  std::vector<store::AttemptEnd> ends;
  for (const auto& grant : grants) {
    ends.push_back({.grant = grant,
                    .outcome = core::AttemptOutcome::kSucceeded,
                    .next = core::RunState::kSucceeded,
                    .wait = {},
                    .result = R"({"rows": 17})",
                    .error = ""});
  }
  return ends;
}

void measure_decide(World& world, int batches) {
  Figures figures(world);
  for (int i = 0; i < batches; ++i) {
    figures.time([&] { return world.decide(kDecided).runs.size(); });
  }
  figures.print("decide 2,000");
}

// Claimed, prolonged, asked about and ended, a hundred at a time.
void measure_attempts(World& world, int batches) {
  store::Store& store = world.store();
  std::vector<std::vector<store::RunGrant>> held;
  Figures claims(world);
  for (int i = 0; i < batches; ++i) {
    claims.time([&] {
      held.push_back(grants_of(world.claim(kClaimed)));
      return held.back().size();
    });
  }
  claims.print("claim 100");
  Figures heartbeats(world);
  for (const auto& grants : held) {
    heartbeats.time([&] { return must(store.heartbeat(grants, std::chrono::minutes(1))).size(); });
  }
  heartbeats.print("heartbeat 100");
  Figures ends(world);
  for (const auto& grants : held) {
    ends.time([&] { return must(store.end_attempts(successes(grants))).size(); });
  }
  ends.print("end_attempts 100");
}

void measure_reads(World& world) {
  store::Store& store = world.store();
  Figures renewals(world);
  for (int i = 0; i < 100; ++i) {
    renewals.time(
        [&] { return must(store.renew(world.node(), std::chrono::hours(24))).mine.size(); });
  }
  renewals.print("renew, owning all");
  Figures changes(world);
  for (std::uint16_t i = 0; i < 100; ++i) {
    changes.time([&] {
      const store::KnownJobs known{PartitionNo(i), store::JobsVersion(0)};
      return must(store.load_changes({&known, 1})).size();
    });
  }
  changes.print("load_changes, none");
  Figures loads(world);
  for (std::uint16_t i = 0; i < 10; ++i) {
    loads.time([&] { return must(store.load_partition(PartitionNo(i))).jobs.size(); });
  }
  loads.print("load_partition");
  Figures briefs(world);
  for (std::uint16_t i = 0; i < 10; ++i) {
    briefs.time([&] { return must(store.load_brief(PartitionNo(i))).brief.size(); });
  }
  briefs.print("load_brief");
}

}  // namespace

bool check_plans(World& world, const char* when) {
  bool fine = true;
  const auto connection = world.connect();
  for (const test::HotStatement& statement : test::hot_statements()) {
    const std::string plan = must(test::plan_of(*connection, statement.sql, world.deadline()));
    const std::string complaint = test::complaint_about(plan);
    if (complaint.empty()) continue;
    fine = false;
    std::printf("%.*s %s:\n%s\n", static_cast<int>(statement.name.size()), statement.name.data(),
                complaint.c_str(), plan.c_str());
  }
  std::printf("plans %-22s %s\n", when, fine ? "use their indexes" : "MISSED");
  return fine;
}

void measure_statements(World& world) {
  measure_decide(world, 50);
  measure_attempts(world, 200);
  measure_reads(world);
}

}  // namespace belfry::bench

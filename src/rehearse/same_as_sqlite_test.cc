// The store of a rehearsal against the embedded one: the same jobs, the same outages, and what both
// have to say in the end.
#include "base/text/instant_text.h"
#include "core/overlap.h"
#include "rehearse/memory_store.h"
#include "rehearse/stage.h"
#include "store/sqlite/sqlite_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace belfry::rehearse {
namespace {

using namespace std::chrono_literals;
using core::MisfirePolicy;
using core::OverlapPolicy;

// What a job has in the ledger: its runs with their begins, and how many ticks were skipped for
// which reason, from where to where.
struct Fate {
  std::vector<std::tuple<std::string, std::string, std::int64_t>> runs;
  std::map<core::SkipReason, std::tuple<std::int64_t, std::string, std::string>> skips;

  void add_run(Instant tick, Instant at, std::int64_t stands_for) {
    runs.emplace_back(format_instant(tick), format_instant(at), stands_for);
  }
  void add_skip(core::SkipReason reason, std::int64_t count, Tick first, Tick last) {
    auto& [sum, from, to] =
        skips.try_emplace(reason, 0, format_instant(first.instant()), "").first->second;
    sum += count;
    from = std::min(from, format_instant(first.instant()));
    to = std::max(to, format_instant(last.instant()));
  }
};

Plan mixed() {
  Plan plan{.from = from_unix_seconds(1'774'656'000),  // 2026-03-28T00:00:00Z
            .to = from_unix_seconds(1'774'828'800)};   // two days, with a night of 23 hours
  plan.outages = {{plan.from + 5h + 3min, plan.from + 6h + 2min},
                  {plan.from + 30h, plan.from + 30h + 7s},
                  {plan.from + 40h + 1min, plan.from + 44h}};
  const std::array crons{"*/10 * * * *", "7 * * * *", "30 2 * * *", "*/20 1-6 * * *",
                         "30 17 * * *"};
  const std::array overlaps{OverlapPolicy::kForbid, OverlapPolicy::kAllow, OverlapPolicy::kReplace,
                            OverlapPolicy::kQueueOne};
  const std::array misfires{MisfirePolicy::kFireOnce, MisfirePolicy::kSkip,
                            MisfirePolicy::kFireAll};
  const std::array<Duration, 3> durations{0s, 4min, 35min};
  // Few enough that nothing has to stand in line behind strangers: that depends on partitions.
  for (std::size_t i = 0; i < 10; ++i) {
    PlannedJob job{.takes = durations[(i + 2) % durations.size()]};
    job.definition.name = "job-" + std::to_string(i);
    job.definition.job_type = MemoryStore::queue();
    job.definition.schedule.cron_expression = crons[i % crons.size()];
    job.definition.schedule.timezone = i % 2 == 0 ? "Europe/Berlin" : "UTC";
    job.definition.policies.overlap = overlaps[i % overlaps.size()];
    job.definition.policies.misfire = misfires[i % misfires.size()];
    job.definition.policies.max_missed_firings = 2;
    job.definition.policies.misfire_grace = 2h;
    job.definition.policies.timeout = i == 8 ? 3min : 2h;
    job.definition.policies.max_attempts = 1;
    plan.jobs.push_back(std::move(job));
  }
  return plan;
}

std::map<std::string, Fate> in_memory(const Plan& plan, core::ZoneCatalog& zones) {
  std::map<std::string, Fate> fates;
  const auto done = rehearse(plan, zones, [&](const Event& event) {
    Fate& fate = fates[plan.jobs[event.job].definition.name];
    if (event.kind == Event::Kind::kFired)
      fate.add_run(event.tick.instant(), event.at, event.ticks);
    if (event.kind == Event::Kind::kSkipped) {
      fate.add_skip(event.reason, event.ticks, event.tick, event.last);
    }
  });
  EXPECT_TRUE(done) << to_string(done.error());
  for (auto& [name, fate] : fates) std::ranges::sort(fate.runs);
  return fates;
}

std::map<std::string, Fate> in_sqlite(const Plan& plan, core::ZoneCatalog& zones) {
  ManualClock clock(plan.from - Duration(1), BootInstant(1h));
  auto store = store::open_sqlite({.path = ":memory:", .now = [&] { return clock.wall_now(); }});
  EXPECT_TRUE(store);
  std::vector<store::NewJob> wanted;
  for (const PlannedJob& job : plan.jobs) wanted.push_back({kTenant, RegionNo(0), job.definition});
  const auto rows = (*store)->create_jobs(wanted);
  EXPECT_TRUE(rows) << to_string(rows.error());
  std::map<JobId, Crew::Work> work;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    const bool replaces = core::overlap_terms(plan.jobs[i].definition.policies).replaces;
    work[(*rows)[i].id] = {plan.jobs[i].takes, replaces};
  }
  const auto own = [&](const Incarnation& name) -> Result<std::vector<store::OwnedPartition>> {
    const store::OwnershipStore::Node node{.incarnation = name, .name = "stage"};
    BELFRY_TRY(members, (*store)->renew(node, 24h * 365));
    for (const auto& member : members.nodes) {  // the one before is gone
      if (member.incarnation == name) continue;
      BELFRY_CHECK((*store)->leave({.incarnation = member.incarnation, .name = member.name}));
    }
    return (*store)->acquire(node, kPartitionCount);
  };
  Stage stage(
      {**store, **store, **store, own, {}}, {plan.from, plan.to, plan.outages}, clock, zones,
      [&](JobId job) { return work.at(job); }, MemoryStore::queue());
  const auto done = stage.perform();
  EXPECT_TRUE(done) << to_string(done.error());

  std::map<std::string, Fate> fates;
  for (const store::JobRow& job : *rows) {
    Fate fate;
    const auto runs = (*store)->runs_of(job.id);
    const auto skips = (*store)->skips_of(job.id);
    EXPECT_TRUE(runs && skips);
    for (const store::RunRow& run : *runs) {
      if (run.started_at) fate.add_run(run.scheduled_for, *run.started_at, run.stands_for);
    }
    for (const store::SkipRow& skip : *skips) {
      fate.add_skip(skip.reason, skip.count, skip.first, skip.last);
    }
    std::ranges::sort(fate.runs);
    fates[job.definition.name] = fate;
  }
  return fates;
}

TEST(SameAsSqliteTest, TheMemoryOfARehearsalIsThatOfTheEmbeddedStore) {
  core::ZoneCatalog zones;
  const Plan plan = mixed();
  const auto memory = in_memory(plan, zones);
  const auto sqlite = in_sqlite(plan, zones);
  std::size_t runs = 0;
  std::map<core::SkipReason, std::int64_t> skips;
  for (const PlannedJob& job : plan.jobs) {
    const std::string& name = job.definition.name;
    ASSERT_TRUE(memory.contains(name) && sqlite.contains(name)) << name;
    EXPECT_EQ(memory.at(name).runs, sqlite.at(name).runs) << name;
    EXPECT_EQ(memory.at(name).skips, sqlite.at(name).skips) << name;
    runs += memory.at(name).runs.size();
    for (const auto& [reason, skip] : memory.at(name).skips) skips[reason] += std::get<0>(skip);
  }
  // There was something to compare.
  EXPECT_GT(runs, 400U);
  for (const core::SkipReason reason :
       {core::SkipReason::kMisfireCoalesced, core::SkipReason::kMisfireExpired,
        core::SkipReason::kMisfireSkipped, core::SkipReason::kMisfireLimit,
        core::SkipReason::kOverlap}) {
    EXPECT_GT(skips[reason], 0) << core::name_of(reason);
  }
}

}  // namespace
}  // namespace belfry::rehearse

// The ticker over each store: what a schedule, its policies and the time that passed leave behind.
#include "engine/ticker.h"

#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::MisfirePolicy;
using core::OverlapPolicy;
using core::SkipReason;

class TickerTest : public StoreTest {
 protected:
  TickerTest() {
    own_everything();
    for (const OwnedPartition& partition : must(store().renew(node(1), 24h)).mine) {
      ticker_.gain(partition);
    }
  }

  // Rounds until nothing is left to do at this moment.
  void tick() {
    do {
      must(ticker_.run_once(now()));
    } while (ticker_.next_wakeup() == Instant::min());
  }
  JobRow add_every_second(const std::string& name, MisfirePolicy misfire, OverlapPolicy overlap) {
    JobStore::NewJob job = new_job(name, overlap);
    job.definition.schedule.cron_expression = "* * * * * *";
    job.definition.policies.misfire = misfire;
    return add(job);
  }

 private:
  core::ZoneCatalog zones_;
  Logger log_{clock(), [](std::string_view) {}, {.least = LogLevel::kError}};
  engine::Ticker ticker_{store(), zones_, node(1).incarnation, log_};
};

// Rows of ticks that were missed; those of the last ten seconds are on time and no matter of the
// misfire policy.
TEST_P(TickerTest, AMonthOfMissedSecondsIsAtMostOneRowMoreThanItsRuns) {
  constexpr std::int64_t kMonth = 30 * 24 * 3600;
  for (const OverlapPolicy overlap : {OverlapPolicy::kAllow, OverlapPolicy::kForbid}) {
    for (const MisfirePolicy misfire :
         {MisfirePolicy::kFireOnce, MisfirePolicy::kSkip, MisfirePolicy::kFireAll}) {
      const JobRow job = add_every_second(std::to_string((now() - kStart) / 1s), misfire, overlap);
      const Instant begin = now();
      pass(std::chrono::seconds(kMonth));
      tick();
      const Instant on_time = now() - 10s;
      std::int64_t ticks = 0;
      std::size_t missed_rows = 0;
      for (const RunRow& run : must(store().runs_of(job.id))) {
        ++ticks;
        if (run.scheduled_for < on_time) ++missed_rows;
      }
      const std::size_t runs = missed_rows;
      for (const SkipRow& skip : must(store().skips_of(job.id))) {
        ticks += skip.count;
        if (skip.first.instant() < on_time) ++missed_rows;
      }
      EXPECT_EQ(ticks, kMonth);
      EXPECT_EQ(missed_rows, runs + 1);
      EXPECT_EQ(runs, misfire == MisfirePolicy::kFireOnce ? 1U
                      : misfire == MisfirePolicy::kSkip   ? 0U
                                                          : 1'000U);
      EXPECT_EQ(must(store().skips_of(job.id)).at(0).first, Tick(begin + 1s));
      must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}, {}));
    }
  }
}

// The whole way: downtime, and what workers are handed in each minute after it.
TEST_P(TickerTest, AfterDowntimeAJobStartsTwiceAsOftenUntilItHasCaughtUp) {
  JobStore::NewJob minutely = new_job("a", OverlapPolicy::kForbid);
  minutely.definition.policies.misfire = MisfirePolicy::kFireAll;
  const JobRow job = add(minutely);
  tick();
  pass(10min + 30s);
  std::size_t handed_out = 0;
  for (int minute = 0; minute < 12; ++minute) {
    std::size_t in_minute = 0;
    for (int i = 0; i < 60; ++i, pass(1s)) {
      tick();
      for (const ClaimedRun& run : claim(9)) {
        ++in_minute;
        EXPECT_TRUE(end(success(grant_of(run))));
      }
    }
    EXPECT_EQ(in_minute, minute < 10 ? 2U : 1U) << minute;
    handed_out += in_minute;
  }
  EXPECT_EQ(handed_out, 22U);
  EXPECT_TRUE(must(store().skips_of(job.id)).empty());
}

BELFRY_FOR_EACH_STORE(TickerTest);

}  // namespace
}  // namespace belfry::store

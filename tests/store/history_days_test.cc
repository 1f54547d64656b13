#include "engine/chores/archivist.h"
#include "tests/store/suite.h"

#include <functional>
#include <map>
#include <set>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::RunState;
using std::chrono::sys_days;

constexpr Duration kRetention = 24h * 90;

sys_days day_of(Instant at) {
  return sys_days(std::chrono::floor<std::chrono::days>(at.since_origin()));
}

// An archive that a test can look into, and that can be full.
class Shelf : public engine::HistoryArchive {
 public:
  Status keep(sys_days day, const Pages& next_page) override {
    std::vector<RunRow> runs;
    for (;;) {
      BELFRY_TRY(page, next_page());
      if (page.empty()) break;
      runs.insert(runs.end(), page.begin(), page.end());
    }
    if (after_reading) after_reading();
    if (is_full) return fail(Errc::kUnavailable, "the shelf is full");
    days.emplace_back(day, std::move(runs));
    return {};
  }

  std::vector<std::pair<sys_days, std::vector<RunRow>>> days;
  bool is_full = false;
  std::function<void()> after_reading;
};

class HistoryDaysTest : public StoreTest {
 protected:
  HistoryDaysTest() : job_(add_job("a")) {
    own_everything();
    must(store().renew(node(1), 24h * 400));
  }

  // Runs of these ticks that end now, with a result each.
  void end_runs(const std::vector<int>& seconds) {
    decide_runs(job_.id, seconds);
    for (const ClaimedRun& run : claim(seconds.size())) {
      AttemptEnd ended = success(grant_of(run));
      ended.result = R"({"n": 1})";
      EXPECT_TRUE(end(ended));
    }
  }
  // Three days with runs, each older than the retention.
  void make_old_days() {
    must(store().keep_history(kRetention));
    end_runs({60, 61, 62});
    pass(24h);
    end_runs({86'460});
    pass(24h * 2);
    end_runs({86'460 * 3, 86'460 * 3 + 1});
    pass(24h * 100);
  }
  std::size_t left() { return must(store().runs_of(job_.id)).size(); }

  const JobRow job_;
};

TEST_P(HistoryDaysTest, ADayIsGivenOnceAllOfItIsOld) {
  EXPECT_FALSE(must(store().oldest_day(kRetention)));
  end_runs({60});
  const sys_days day = day_of(now());
  const Instant begin(day.time_since_epoch());
  clock().set_wall(begin + 24h + kRetention - 1s);
  EXPECT_FALSE(must(store().oldest_day(kRetention)));
  pass(1s);
  EXPECT_LE(*must(store().oldest_day(kRetention)), day);
}

TEST_P(HistoryDaysTest, ItsRunsComeInPagesEachOnceAndWhole) {
  make_old_days();
  const sys_days day = day_of(kStart);
  std::vector<RunRow> all;
  std::optional<HistoryStore::DayPlace> place;
  for (;;) {
    const auto page = must(store().runs_of_day(day, place, 2));
    if (page.empty()) break;
    all.insert(all.end(), page.begin(), page.end());
    place = {all.back().run, all.back().scheduled_for, *all.back().finished_at};
  }
  ASSERT_EQ(all.size(), 3U);
  std::set<std::int64_t> keys;
  for (const RunRow& run : all) {
    keys.insert(run.run.key.value());
    const RunRow known = must(store().find_run(run.run));
    EXPECT_EQ(run.state, RunState::kSucceeded);
    EXPECT_EQ(run.scheduled_for, known.scheduled_for);
    EXPECT_EQ(run.finished_at, known.finished_at);
    EXPECT_EQ(run.result, known.result);
    EXPECT_EQ(run.job_name, "a");
    EXPECT_EQ(run.max_attempts, known.max_attempts);
    EXPECT_EQ(run.tenant, known.tenant);
  }
  EXPECT_EQ(keys.size(), 3U);
}

TEST_P(HistoryDaysTest, ADayIsDroppedOnlyAsItWasSeen) {
  make_old_days();
  const sys_days day = day_of(kStart);
  EXPECT_EQ(code_of(store().drop_day(day, 2)), Errc::kConflict);
  EXPECT_EQ(code_of(store().drop_day(day, 4)), Errc::kConflict);
  EXPECT_EQ(left(), 6U);
  must(store().drop_day(day, 3));
  EXPECT_EQ(left(), 3U);
  EXPECT_TRUE(must(store().attempts_of(ref(job_.id, 60))).empty());
  must(store().drop_day(day, 0));  // after a lost reply
  EXPECT_EQ(left(), 3U);
}

TEST_P(HistoryDaysTest, PastRunsStayWhereSomebodyElseDropsThem) {
  make_old_days();
  must(store().keep_history(kRetention, ChoreStore::PastRuns::kLeave));
  EXPECT_EQ(left(), 6U);
}

TEST_P(HistoryDaysTest, WhatIsDroppedIsInTheArchive) {
  make_old_days();
  end_runs({86'400 * 104});  // young, and stays
  Shelf shelf;
  engine::Archivist archivist(store(), shelf, clock());
  EXPECT_FALSE(must(archivist.run_once(kRetention)));
  EXPECT_EQ(left(), 1U);
  std::map<sys_days, std::size_t> runs;
  for (const auto& [day, kept] : shelf.days) {
    runs[day] += kept.size();
    for (const RunRow& run : kept) EXPECT_EQ(day_of(*run.finished_at), day);
  }
  EXPECT_EQ(runs[day_of(kStart)], 3U);
  EXPECT_EQ(shelf.days.size(), 3U);  // and no file for a day without runs
}

TEST_P(HistoryDaysTest, AFullArchiveDropsNothing) {
  make_old_days();
  Shelf shelf;
  shelf.is_full = true;
  engine::Archivist archivist(store(), shelf, clock());
  EXPECT_EQ(code_of(archivist.run_once(kRetention)), Errc::kUnavailable);
  EXPECT_EQ(left(), 6U);
  ASSERT_TRUE(archivist.refusal());
  EXPECT_EQ(archivist.refusal()->error.message, "the shelf is full");
  shelf.is_full = false;
  EXPECT_FALSE(must(archivist.run_once(kRetention)));
  EXPECT_FALSE(archivist.refusal());
  EXPECT_EQ(left(), 0U);
}

TEST_P(HistoryDaysTest, ARunThatIsRetriedWhileItsDayIsArchivedIsNotLost) {
  must(store().keep_history(kRetention));
  decide_runs(job_.id, {60, 61});
  for (const ClaimedRun& run : claim(2)) {
    AttemptEnd dead = failure(grant_of(run), {});
    dead.next = RunState::kDead;
    EXPECT_TRUE(end(dead));
  }
  pass(24h * 100);
  Shelf shelf;
  shelf.after_reading = [&] {
    if (shelf.days.empty()) must(store().retry_run(ref(job_.id, 60), core::RunKey(-7)));
  };
  engine::Archivist archivist(store(), shelf, clock());
  EXPECT_EQ(code_of(archivist.run_once(kRetention)), Errc::kConflict);
  EXPECT_EQ(must(store().find_run(ref(job_.id, 60))).state, RunState::kReady);
  EXPECT_EQ(must(store().find_run(ref(job_.id, 61))).state, RunState::kDead);
  EXPECT_FALSE(must(archivist.run_once(kRetention)));
  EXPECT_EQ(shelf.days.back().second.size(), 1U);
  EXPECT_EQ(must(store().find_run(ref(job_.id, 60))).state, RunState::kReady);
}

BELFRY_FOR_EACH_STORE(HistoryDaysTest);

}  // namespace
}  // namespace belfry::store

#include "tests/store/suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace belfry::store {
namespace {

using core::RunState;
using std::chrono::seconds;

class RunListsTest : public StoreTest {
 protected:
  RunListsTest() { own_everything(); }

  // A run of the job at its tick, brought to an end.
  void finish(JobId job, int second, RunState state, const std::string& result = "") {
    decide_runs(job, {second});
    const ClaimedRun run = claim(1).at(0);
    AttemptEnd ended = success(grant_of(run));
    ended.next = state;
    ended.result = result;
    EXPECT_TRUE(end(ended));
  }
  // Ticks of all pages, in seconds after kStart.
  std::vector<int> list(const RunFilter& filter, std::size_t limit = 100) {
    std::vector<int> ticks;
    std::set<core::RunRef> seen;
    std::string cursor;
    for (int pages = 0; pages < 100; ++pages) {
      const RunPage page = must(store().list_runs(filter, cursor, limit));
      EXPECT_LE(page.runs.size(), limit);
      for (const RunRow& run : page.runs) {
        EXPECT_TRUE(seen.insert(run.run).second) << "listed twice";
        ticks.push_back(second_of(run.scheduled_for));
      }
      if (!page.next) return ticks;
      cursor = *page.next;
    }
    ADD_FAILURE() << "the list does not end";
    return ticks;
  }
  static int second_of(Instant at) {
    return static_cast<int>(std::chrono::duration_cast<seconds>(at - kStart).count());
  }
  static constexpr TenantId kMine{1};
  using Seconds = std::vector<int>;
};

TEST_P(RunListsTest, OfAJobTheNewestFirstLiveAndPastTogether) {
  const JobRow job = add_job("a");
  finish(job.id, 1, RunState::kSucceeded);
  finish(job.id, 2, RunState::kDead);
  decide_runs(job.id, {3, 4});
  add_job("b");
  for (const std::size_t limit : {1U, 2U, 3U, 4U, 9U}) {
    EXPECT_EQ(list({.tenant = kMine, .job = job.id}, limit), (Seconds{4, 3, 2, 1})) << limit;
  }
  EXPECT_EQ(list({.tenant = kMine, .job = job.id, .state = RunState::kReady}, 1), (Seconds{4, 3}));
  EXPECT_EQ(list({.tenant = kMine, .job = job.id, .state = RunState::kDead}), Seconds{2});
  EXPECT_EQ(
      list({.tenant = kMine, .job = job.id, .from = tick(2).instant(), .to = tick(4).instant()}),
      (Seconds{3, 2}));
  EXPECT_EQ(list({.tenant = TenantId(2), .job = job.id}), Seconds{});
}

TEST_P(RunListsTest, OfATenantWhatLivesFirst) {
  const JobRow job = add_job("a");
  const JobRow other = add_job("b");
  decide_runs(job.id, {1});
  const ClaimedRun running = claim(1).at(0);
  EXPECT_EQ(running.scheduled_for, tick(1).instant());
  finish(other.id, 2, RunState::kSucceeded);
  finish(job.id, 3, RunState::kDead);
  finish(other.id, 4, RunState::kCancelled);
  decide_runs(other.id, {5, 6});
  for (const std::size_t limit : {1U, 2U, 3U, 4U, 5U, 6U, 9U}) {
    EXPECT_EQ(list({.tenant = kMine}, limit), (Seconds{6, 5, 1, 4, 3, 2})) << limit;
  }
  EXPECT_EQ(list({.tenant = kMine, .state = RunState::kRunning}), Seconds{1});
  EXPECT_EQ(list({.tenant = kMine, .state = RunState::kReady}, 1), (Seconds{6, 5}));
  EXPECT_EQ(list({.tenant = kMine, .state = RunState::kDead}), Seconds{3});
  EXPECT_EQ(list({.tenant = kMine, .state = RunState::kSucceeded}), Seconds{2});
  EXPECT_EQ(list({.tenant = kMine, .state = RunState::kTimedOut}), Seconds{});
  EXPECT_EQ(list({.tenant = kMine, .to = tick(4).instant()}), (Seconds{1, 3, 2}));
  EXPECT_EQ(list({.tenant = must(store().put_tenant({.name = "quiet"}))}), Seconds{});
}

TEST_P(RunListsTest, WaitingRunsOfEveryTypeAndPriority) {
  std::vector<JobRow> jobs;
  for (const int priority : {0, 5, -5}) {
    for (const char* type : {"default", "mail"}) {
      JobStore::NewJob job = new_job(type + std::to_string(priority), core::OverlapPolicy::kAllow);
      job.definition.policies.priority = priority;
      job.definition.job_type = type;
      jobs.push_back(add(job));
    }
  }
  int second = 0;
  for (const JobRow& job : jobs) decide_runs(job.id, {++second});
  EXPECT_EQ(list({.tenant = kMine}, 2), (Seconds{6, 5, 4, 3, 2, 1}));
}

TEST_P(RunListsTest, ALineTellsWhatAListShows) {
  JobStore::NewJob wanted = new_job("a", core::OverlapPolicy::kAllow);
  wanted.definition.policies.max_attempts = 7;
  wanted.definition.payload = R"({"n":1})";
  const JobRow job = add(wanted);
  decide_runs(job.id, {1});
  const ClaimedRun claimed = claim(1).at(0);
  const RunRow live = must(store().list_runs({.tenant = kMine}, "", 5)).runs.at(0);
  EXPECT_EQ(live.tenant, kMine);
  EXPECT_EQ(live.job_name, "a");
  EXPECT_EQ(live.job_type, "default");
  EXPECT_EQ(live.max_attempts, 7);
  EXPECT_EQ(live.lease_until, claimed.lease_until);
  EXPECT_EQ(live.deadline, claimed.deadline);
  EXPECT_EQ(live.payload, "");
  AttemptEnd ended = success(grant_of(claimed));
  ended.result = R"({"ok":true})";
  EXPECT_TRUE(end(ended));
  const RunRow past = must(store().list_runs({.tenant = kMine}, "", 5)).runs.at(0);
  EXPECT_EQ(past.job_name, "a");
  EXPECT_EQ(past.max_attempts, 7);
  EXPECT_EQ(past.result, "") << "results only where asked for";
  const RunRow asked =
      must(store().list_runs({.tenant = kMine, .with_result = true}, "", 5)).runs.at(0);
  EXPECT_EQ(asked.result, R"({"ok":true})");
}

TEST_P(RunListsTest, OneRunWithAllItHas) {
  JobStore::NewJob wanted = new_job("a", core::OverlapPolicy::kAllow);
  wanted.definition.payload = R"({"n":1})";
  const JobRow job = add(wanted);
  decide_runs(job.id, {1});
  EXPECT_EQ(must(store().find_run(ref(job.id, 1))).payload, R"({"n":1})");
  EXPECT_EQ(must(store().find_run(ref(job.id, 1))).state, RunState::kReady);
  AttemptEnd ended = success(grant_of(claim(1).at(0)));
  ended.result = R"({"ok":true})";
  EXPECT_TRUE(end(ended));
  const RunRow past = must(store().find_run(ref(job.id, 1)));
  EXPECT_EQ(past.state, RunState::kSucceeded);
  EXPECT_EQ(past.result, R"({"ok":true})");
  EXPECT_EQ(past.payload, R"({"n":1})");
  EXPECT_EQ(past.job_name, "a");
  const RunRow manual = must(
      store().trigger({.job = job.id, .key = core::RunKey(-77), .payload = R"({"by":"hand"})"}));
  EXPECT_EQ(must(store().find_run(manual.run)).payload, R"({"by":"hand"})");
  must(store().cancel_run(manual.run));
  EXPECT_EQ(must(store().find_run(manual.run)).state, RunState::kCancelled);
  EXPECT_EQ(must(store().find_run(manual.run)).payload, R"({"by":"hand"})");
  EXPECT_EQ(code_of(store().find_run(ref(job.id, 99))), Errc::kNotFound);
}

TEST_P(RunListsTest, ACursorOfAnotherKindIsRefused) {
  for (const char* cursor :
       {"x", "1.2.3", "1.2.3.4.5", "0.1.2.", "9.1.2.3", "0.1.-2.3", "0.1.2.3 "}) {
    const auto refused = store().list_runs({.tenant = kMine}, cursor, 5);
    ASSERT_EQ(code_of(refused), Errc::kInvalid) << cursor;
    EXPECT_EQ(refused.error().field, "cursor");
  }
}

// ---- The ledger ----

class PastTest : public RunListsTest {
 protected:
  // "r4" is a run at second 4, "s2-3" a skip of seconds 2 to 3; all pages of one order.
  std::vector<std::string> entries(LedgerWindow window, std::size_t limit) {
    std::vector<std::string> words;
    std::string cursor;
    for (int pages = 0; pages < 100; ++pages) {
      const LedgerPage page = must(store().ledger(window, cursor, limit));
      EXPECT_LE(page.entries.size(), limit);
      for (const LedgerEntry& entry : page.entries) words.push_back(word(entry));
      if (!page.next) return words;
      cursor = *page.next;
    }
    ADD_FAILURE() << "the ledger does not end";
    return words;
  }
  static std::string word(const LedgerEntry& entry) {
    if (const auto* run = std::get_if<RunRow>(&entry)) {
      return "r" + std::to_string(second_of(run->scheduled_for));
    }
    const auto& skip = std::get<SkipRow>(entry);
    return "s" + std::to_string(second_of(skip.first.instant())) + "-" +
           std::to_string(second_of(skip.last.instant()));
  }
  void skip(JobId job, int first, int last, core::SkipReason reason) {
    if (tick(last).instant() > now()) pass(tick(last).instant() - now());
    PartitionDecision made = decision(job, tick(last).instant());
    made.decisions.skips.push_back({job, tick(first), tick(last), last - first + 1, reason});
    EXPECT_EQ(decide(made).partitions.at(0).outcome, DecideOutcome::kDecided);
  }
  using Words = std::vector<std::string>;
};

TEST_P(PastTest, RunsAndSkipsByTimeInBothOrders) {
  const JobRow job = add_job("a");
  finish(job.id, 1, RunState::kSucceeded);
  skip(job.id, 2, 4, core::SkipReason::kPaused);
  decide_runs(job.id, {5});
  skip(job.id, 6, 8, core::SkipReason::kCalendar);
  decide_runs(job.id, {9});
  const Words upwards = {"r1", "s2-4", "r5", "s6-8", "r9"};
  Words downwards(upwards.rbegin(), upwards.rend());
  for (const std::size_t limit : {1U, 2U, 3U, 5U, 9U}) {
    EXPECT_EQ(entries({.job = job.id, .order = Order::kOldestFirst}, limit), upwards) << limit;
    EXPECT_EQ(entries({.job = job.id}, limit), downwards) << limit;
  }
  EXPECT_EQ(entries({.job = job.id, .from = tick(3).instant(), .to = tick(7).instant()}, 1),
            (Words{"s6-8", "r5", "s2-4"}))
      << "ranges that reach into the window belong to it";
  EXPECT_EQ(entries({.job = job.id, .from = tick(5).instant(), .to = tick(6).instant()}, 9),
            Words{"r5"});
}

TEST_P(PastTest, ARunAtTheTimeOfASkipIsNeitherLostNorDoubled) {
  const JobRow job = add_job("a");
  skip(job.id, 2, 4, core::SkipReason::kPaused);
  must(store().trigger({.job = job.id, .key = core::RunKey(-1), .tick = tick(2)}));
  must(store().trigger({.job = job.id, .key = core::RunKey(-2), .tick = tick(2)}));
  for (const std::size_t limit : {1U, 2U, 3U}) {
    EXPECT_EQ(entries({.job = job.id, .order = Order::kOldestFirst}, limit),
              (Words{"s2-4", "r2", "r2"}));
    EXPECT_EQ(entries({.job = job.id}, limit), (Words{"r2", "r2", "s2-4"})) << limit;
  }
}

TEST_P(PastTest, RevisionsSayWhatTheJobWas) {
  JobStore::NewJob wanted = new_job("a", core::OverlapPolicy::kForbid);
  wanted.definition.schedule.start_at = kStart + seconds(3);
  wanted.definition.schedule.jitter = seconds(9);
  wanted.definition.labels = R"({"team":"x \"1\""})";
  wanted.definition.description = "\"ü\"\n";
  const JobRow job = add(wanted);
  pass(seconds(10));
  core::JobDefinition definition = wanted.definition;
  definition.name = "b";
  definition.schedule.cron_expression = "0 0 * * *";
  definition.policies.misfire = core::MisfirePolicy::kSkip;
  definition.policies.max_attempts = 9;
  definition.labels = R"({"team":"y"})";
  definition.description = "";
  must(store().change_job({.job = job.id, .definition = definition}));
  pass(seconds(10));
  must(store().change_job(
      {.job = job.id, .status = core::JobStatus::kPaused, .paused_until = now() + seconds(60)}));
  const auto all = must(store().revisions_of(job.id, {}, 10));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].revision, 3U);
  EXPECT_EQ(all[0].status, core::JobStatus::kPaused);
  EXPECT_EQ(all[0].paused_until, now() + seconds(60));
  EXPECT_EQ(all[0].effective_from, now());
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[1].schedule.cron_expression, "0 0 * * *");
  EXPECT_EQ(all[1].policies, definition.policies);
  EXPECT_EQ(parse_json(all[1].labels.value()).value(), Json({{"team", "y"}}));
  EXPECT_EQ(all[1].description, "");
  EXPECT_EQ(all[2].name, "a");
  EXPECT_EQ(all[2].schedule.cron_expression, "* * * * *");
  EXPECT_EQ(all[2].schedule.start_at, kStart + seconds(3));
  EXPECT_EQ(all[2].schedule.end_at, std::nullopt);
  EXPECT_EQ(all[2].schedule.jitter, seconds(9));
  EXPECT_EQ(all[2].policies, wanted.definition.policies);
  EXPECT_EQ(parse_json(all[2].labels.value()).value(), Json({{"team", "x \"1\""}}));
  EXPECT_EQ(all[2].description, wanted.definition.description);
  EXPECT_EQ(must(store().revisions_of(job.id, 3, 1)).at(0).revision, 2U);
  EXPECT_EQ(must(store().revision_at(job.id, now())).revision, 2U)
      << "a tick at the very moment of the change is the old one's";
  EXPECT_EQ(must(store().revision_at(job.id, now() + seconds(1))).revision, 3U);
  EXPECT_EQ(must(store().revision_at(job.id, kStart + seconds(5))).revision, 1U);
  EXPECT_EQ(code_of(store().revision_at(job.id, kStart)), Errc::kNotFound);
}

TEST_P(PastTest, APauseThatIsProlongedIsANewRevision) {
  const JobRow job = add_job("a");
  must(store().change_job(
      {.job = job.id, .status = core::JobStatus::kPaused, .paused_until = now() + seconds(60)}));
  must(store().change_job({.job = job.id, .paused_until = now() + seconds(90)}));
  const auto revisions = must(store().revisions_of(job.id, {}, 9));
  ASSERT_EQ(revisions.size(), 3U);
  EXPECT_EQ(revisions[0].paused_until, now() + seconds(90));
  EXPECT_EQ(revisions[1].paused_until, now() + seconds(60));
}

BELFRY_FOR_EACH_STORE(RunListsTest);
BELFRY_FOR_EACH_STORE(PastTest);

}  // namespace
}  // namespace belfry::store

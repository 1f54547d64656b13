#include "core/run_key.h"
#include "engine/chores/bulk_worker.h"
#include "store/common/bulk_arguments.h"
#include "tests/store/suite.h"

#include <map>
#include <set>

namespace belfry::store {
namespace {

using core::JobAction;
using core::JobStatus;
using std::chrono::seconds;

const Incarnation kOne({1, 1});
const Incarnation kTwo({2, 2});
constexpr Duration kLease = seconds(10);

class BulkTest : public StoreTest {
 protected:
  JobRow add_labelled(const std::string& name, const std::string& labels) {
    NewJob job = new_job(name, core::OverlapPolicy::kAllow);
    job.definition.labels = labels;
    return add(job);
  }
  void add_many(int count) {
    for (int i = 0; i < count; ++i) {
      add_labelled("job-" + std::to_string(100 + i), R"({"env":"prod"})");
    }
  }

  std::vector<std::string> names(const core::JobSelector& selector) {
    const auto found = must(store().count_selected(
        {.tenant = TenantId(1), .selector = selector, .look = 1'000, .most = 100}));
    EXPECT_EQ(found.matched, found.jobs.size());
    EXPECT_EQ(found.next, std::nullopt);
    std::vector<std::string> all;
    for (const auto& [id, name] : found.jobs) all.push_back(name);
    return all;
  }
  static core::JobSelector labelled(const std::string& text) {
    return {.labels = {must(core::parse_label_term(text))}};
  }

  BulkWork begin(const BulkStore::JobDeed& deed, const core::JobSelector& selector = {}) {
    return must(
        store().begin_bulk({.tenant = TenantId(1),
                            .object = "jobs",
                            .action = std::string(core::word_for(deed.action, core::kJobActions)),
                            .selector = write_json(core::write_selector(selector)),
                            .arguments = write_json(write_arguments(deed)),
                            .note = "why",
                            .author = kAlice}));
  }
  BulkStore::Batch batch_of(const BulkWork& work, const Incarnation& node, std::size_t most) {
    return {.work = work,
            .node = node,
            .lease = kLease,
            .selector = must(core::read_selector(work.wanted.selector)),
            .deed = must(read_deed(work.wanted)),
            .most = most};
  }
  BulkWork finish(std::uint64_t id) {
    engine::Observer nobody;
    engine::BulkWorker worker(store(), kOne, clock(), nobody);
    while (must(worker.run_once())) {
    }
    return must(store().find_bulk(TenantId(1), id));
  }

  // How many rows the audit has for each object, of one action.
  std::map<std::string, int> audited(const std::string& action) {
    std::map<std::string, int> rows;
    for (const auto& row : must(store().list_audit(TenantId(1), {}, 1'000))) {
      if (row.action == action) ++rows[row.object];
    }
    return rows;
  }
  std::size_t count(JobStatus status) {
    return must(store().list_jobs({.tenant = TenantId(1), .status = status}, "", 1'000))
        .jobs.size();
  }
};

TEST_P(BulkTest, SelectsByEveryPart) {
  add_labelled("backup-a", R"({"env":"prod","team":"x"})");
  add_labelled("backup-b", R"({"env":"stage"})");
  const JobRow paused = add_labelled("Report", "{}");
  must(store().change_job({.job = paused.id, .status = JobStatus::kPaused}));
  NewJob typed = new_job("typed", core::OverlapPolicy::kAllow);
  typed.definition.job_type = "shell";
  add(typed);
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({}), (Names{"Report", "backup-a", "backup-b", "typed"}));
  EXPECT_EQ(names(labelled("env=prod")), Names{"backup-a"});
  EXPECT_EQ(names(labelled("env!=prod")), (Names{"Report", "backup-b", "typed"}));
  EXPECT_EQ(names(labelled("env in (prod,stage)")), (Names{"backup-a", "backup-b"}));
  EXPECT_EQ(names({.labels = {{"env", false, {"prod"}}, {"team", true, {"x"}}}}), Names{});
  EXPECT_EQ(names({.name_prefix = "backup-"}), (Names{"backup-a", "backup-b"}));
  EXPECT_EQ(names({.name_contains = "REP"}), Names{"Report"});
  EXPECT_EQ(names({.status = JobStatus::kPaused}), Names{"Report"});
  EXPECT_EQ(names({.job_type = "shell"}), Names{"typed"});
  EXPECT_EQ(names({.failing = true}), Names{});
}

TEST_P(BulkTest, LooksAtABoundedNumberOfNames) {
  add_many(5);
  add_labelled("zebra", R"({"env":"dev"})");
  const auto first = must(store().next_selected(
      {.tenant = TenantId(1), .selector = labelled("env=dev"), .look = 4, .most = 2}));
  EXPECT_TRUE(first.jobs.empty());
  EXPECT_EQ(first.next, "job-103");
  const auto last = must(store().next_selected({.tenant = TenantId(1),
                                                .selector = labelled("env=dev"),
                                                .after = *first.next,
                                                .look = 4,
                                                .most = 2}));
  ASSERT_EQ(last.jobs.size(), 1U);
  EXPECT_EQ(last.jobs[0].second, "zebra");
  EXPECT_EQ(last.next, std::nullopt);
}

TEST_P(BulkTest, EachActionDoesWhatTheSingleCallDoes) {
  add_many(25);
  const BulkWork paused =
      finish(begin({.action = JobAction::kPause, .until = now() + seconds(100)}).id);
  EXPECT_EQ(paused.state, BulkState::kDone);
  EXPECT_EQ(paused.done, 25U);
  EXPECT_EQ(paused.finished_at, now());
  const JobRow job = must(store().find_job(TenantId(1), "job-100"));
  EXPECT_EQ(job.status, JobStatus::kPaused);
  EXPECT_EQ(job.paused_until, now() + seconds(100));
  EXPECT_EQ(job.paused_by, "alice");
  EXPECT_EQ(job.pause_note, "why");
  EXPECT_EQ(job.revision, 2U);
  EXPECT_EQ(audited("job.pause").size(), 25U);
  // The second time there is nothing to do.
  const BulkWork again = finish(begin({.action = JobAction::kPause}).id);
  EXPECT_EQ(again.done, 0U);
  EXPECT_EQ(again.skipped, 25U);
  EXPECT_EQ(finish(begin({.action = JobAction::kResume}).id).done, 25U);
  EXPECT_EQ(count(JobStatus::kActive), 25U);
  const core::LabelEdit edit{.set = R"({"team":"x"})", .remove = {"env"}};
  EXPECT_EQ(finish(begin({.action = JobAction::kLabel, .labels = edit}).id).done, 25U);
  EXPECT_EQ(names(labelled("team=x")).size(), 25U);
  EXPECT_EQ(
      must(store().list_jobs({.tenant = TenantId(1), .labels = {"team=x"}}, "", 100)).jobs.size(),
      25U);
  EXPECT_EQ(
      must(store().list_jobs({.tenant = TenantId(1), .labels = {"env=prod"}}, "", 100)).jobs.size(),
      0U);
  EXPECT_EQ(finish(begin({.action = JobAction::kTrigger}).id).done, 25U);
  EXPECT_EQ(audited("run.trigger").size(), 25U);
  EXPECT_EQ(finish(begin({.action = JobAction::kCancel}).id).done, 25U);
  EXPECT_EQ(count(JobStatus::kCancelled), 25U);
  EXPECT_EQ(finish(begin({.action = JobAction::kResume}).id).skipped, 25U);
  EXPECT_EQ(finish(begin({.action = JobAction::kDelete}, labelled("team=x")).id).done, 25U);
  EXPECT_EQ(names({}).size(), 0U);
}

TEST_P(BulkTest, TheOwnersLearnOfEachChange) {
  const JobRow job = add_job("a");
  const JobsVersion before = version_of(partition_of(job.id));
  finish(begin({.action = JobAction::kPause}).id);
  const auto changes = must(changes_since(store(), partition_of(job.id), before));
  ASSERT_EQ(changes.jobs.size(), 1U);
  EXPECT_EQ(changes.jobs[0].status, JobStatus::kPaused);
}

TEST_P(BulkTest, YoungerJobsAreLeftAlone) {
  add_many(2);
  const BulkWork work = begin({.action = JobAction::kDelete});
  pass(seconds(1));
  add_job("younger");
  EXPECT_EQ(finish(work.id).done, 2U);
  EXPECT_EQ(names({}), std::vector<std::string>{"younger"});
}

TEST_P(BulkTest, AnotherNodeGoesOnWhereOneStopped) {
  add_many(10);
  begin({.action = JobAction::kPause});
  const BulkWork taken = *must(store().take_bulk(kOne, kLease));
  EXPECT_EQ(must(store().take_bulk(kTwo, kLease)), std::nullopt);
  const auto first = must(store().change_selected(batch_of(taken, kOne, 4)));
  EXPECT_EQ(first.work.done, 4U);
  pass(kLease);
  const BulkWork taken_over = *must(store().take_bulk(kTwo, kLease));
  EXPECT_EQ(taken_over.cursor, first.work.cursor);
  // The first one wakes up and believes the work to be its own.
  EXPECT_EQ(code_of(store().change_selected(batch_of(first.work, kOne, 4))), Errc::kConflict);
  EXPECT_EQ(count(JobStatus::kPaused), 4U);
  const auto rest = must(store().change_selected(batch_of(taken_over, kTwo, 100)));
  EXPECT_EQ(rest.work.state, BulkState::kDone);
  EXPECT_EQ(rest.work.done, 10U);
  const auto rows = audited("job.pause");
  EXPECT_EQ(rows.size(), 10U);
  for (const auto& [object, times] : rows) EXPECT_EQ(times, 1) << object;
}

// What it changes leaves the selection, and others come into it, while it is being worked on.
TEST_P(BulkTest, EachJobIsHandledOnceWhateverTheBatches) {
  add_many(60);
  begin({.action = JobAction::kDelete}, labelled("env=prod"));
  std::uint64_t handled = 0;
  for (const std::size_t most : {7U, 1U, 3U, 100U, 100U}) {
    const BulkWork taken = *must(store().take_bulk(kOne, kLease));
    if (handled ==
        7) {  // with a piece begun, the next job is still the one that a batch would take
      const auto next = must(store().next_selected({.tenant = TenantId(1),
                                                    .selector = labelled("env=prod"),
                                                    .after = taken.cursor,
                                                    .look = 100,
                                                    .most = 1}));
      ASSERT_EQ(next.jobs.size(), 1U);
      const auto done = must(store().change_selected(batch_of(taken, kOne, most)));
      EXPECT_EQ(must(store().find_job(next.jobs[0].first)).status, JobStatus::kDeleted);
      EXPECT_EQ(next.next, done.work.cursor);
      handled = done.work.done;
      continue;
    }
    const BulkWork after = must(store().change_selected(batch_of(taken, kOne, most))).work;
    EXPECT_EQ(after.skipped, 0U);
    handled = after.done;
    if (after.state == BulkState::kDone) break;
  }
  EXPECT_EQ(handled, 60U);
  EXPECT_EQ(audited("job.delete").size(), 60U);
}

TEST_P(BulkTest, ABatchWhoseReplyWasLostIsNotDoneTwice) {
  add_many(10);
  begin({.action = JobAction::kLabel, .labels = {.set = R"({"n":"1"})"}});
  const BulkWork taken = *must(store().take_bulk(kOne, kLease));
  must(store().change_selected(batch_of(taken, kOne, 4)));
  EXPECT_EQ(code_of(store().change_selected(batch_of(taken, kOne, 4))), Errc::kConflict);
  EXPECT_EQ(must(store().take_bulk(kOne, kLease))->done, 4U);
  EXPECT_EQ(audited("job.update").size(), 4U);
}

TEST_P(BulkTest, ABatchThatFailsLeavesNothing) {
  add_many(3);
  begin({.action = JobAction::kPause});
  const BulkWork taken = *must(store().take_bulk(kOne, kLease));
  pass(kLease);  // the lease is over, and another node has taken it, while the batch is written
  must(store().take_bulk(kTwo, kLease));
  EXPECT_EQ(code_of(store().change_selected(batch_of(taken, kOne, 100))), Errc::kConflict);
  EXPECT_EQ(count(JobStatus::kPaused), 0U);
  EXPECT_TRUE(audited("job.pause").empty());
  EXPECT_EQ(must(store().find_job(TenantId(1), "job-100")).revision, 1U);
}

TEST_P(BulkTest, WaitingRunsAreKeptOrCancelled) {
  own_everything();
  const JobRow kept = add_job("kept");
  const JobRow ended = add_job("ended");
  for (const JobRow& job : {kept, ended}) {
    must(store().trigger({.job = job.id, .key = core::key_without_tick(job.definition.name)}));
  }
  finish(begin({.action = JobAction::kCancel}, {.name_prefix = "kept"}).id);
  finish(begin({.action = JobAction::kCancel, .ends_waiting = true}, {.name_prefix = "ended"}).id);
  EXPECT_EQ(must(store().runs_of(kept.id)).at(0).state, core::RunState::kReady);
  EXPECT_EQ(must(store().runs_of(ended.id)).at(0).state, core::RunState::kCancelled);
}

TEST_P(BulkTest, RunsAreCancelledAndRetried) {
  const JobRow job = add_job("a");
  for (const char* seed : {"1", "2", "3"}) {
    must(store().trigger({.job = job.id, .key = core::key_without_tick(seed)}));
  }
  const auto act = [&](const std::string& action, const std::string& state) {
    return finish(must(store().begin_bulk({.tenant = TenantId(1),
                                           .object = "runs",
                                           .action = action,
                                           .selector = R"({"state":")" + state + R"("})",
                                           .arguments = "{}",
                                           .author = kAlice}))
                      .id);
  };
  EXPECT_EQ(act("cancel", "READY").done, 3U);
  EXPECT_EQ(audited("run.cancel").size(), 3U);
  EXPECT_EQ(act("retry", "CANCELLED").done, 3U);
  for (const RunRow& run : must(store().runs_of(job.id))) {
    EXPECT_EQ(run.state, core::RunState::kReady);
  }
}

TEST_P(BulkTest, WorkIsFoundListedStoppedAndKnownByItsKey) {
  const NewBulk wanted{.tenant = TenantId(1),
                       .object = "jobs",
                       .action = "pause",
                       .selector = R"({"all":true})",
                       .arguments = "{}",
                       .author = kAlice,
                       .total = 7,
                       .request_key = "key"};
  const BulkWork first = must(store().begin_bulk(wanted));
  EXPECT_EQ(must(store().begin_bulk(wanted)).id, first.id);
  const BulkWork second = begin({.action = JobAction::kResume});
  EXPECT_EQ(must(store().find_bulk(TenantId(1), first.id)).wanted.total, 7U);
  EXPECT_EQ(code_of(store().find_bulk(TenantId(2), first.id)), Errc::kNotFound);
  const auto listed = must(store().list_bulk(TenantId(1), {}, 10));
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].id, second.id);
  EXPECT_EQ(must(store().list_bulk(TenantId(1), second.id, 10)).size(), 1U);
  EXPECT_EQ(must(store().stop_bulk(TenantId(1), first.id, kAlice)).state, BulkState::kStopped);
  EXPECT_EQ(audited("bulk.stop").size(), 1U);
  EXPECT_EQ(must(store().take_bulk(kOne, kLease))->id, second.id);
}

TEST_P(BulkTest, WorksTakeTurns) {
  const BulkWork first = begin({.action = JobAction::kPause});
  const BulkWork second = begin({.action = JobAction::kResume});
  EXPECT_EQ(must(store().take_bulk(kOne, kLease))->id, first.id);
  pass(seconds(1));
  EXPECT_EQ(must(store().take_bulk(kOne, kLease))->id, second.id);
  pass(seconds(1));
  EXPECT_EQ(must(store().take_bulk(kOne, kLease))->id, first.id);
}

BELFRY_FOR_EACH_STORE(BulkTest);

}  // namespace
}  // namespace belfry::store

#include "store/wrappers/faulty_store.h"
#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using Outcome = RegisteredJob::Outcome;

class OnceTest : public StoreTest {
 protected:
  OnceTest() { own_everything(); }

  JobStore::Registered ask(Store& from, const std::vector<NewJob>& jobs, const std::string& key,
                           const std::string& fingerprint = "f", TenantId tenant = TenantId(1)) {
    return from.register_jobs(
        {.jobs = jobs, .idempotency = IdempotencyKey{tenant, key, fingerprint}});
  }
  JobStore::Registered ask(const std::vector<NewJob>& jobs, const std::string& key,
                           const std::string& fingerprint = "f", TenantId tenant = TenantId(1)) {
    return ask(store(), jobs, key, fingerprint, tenant);
  }
  std::vector<NewJob> jobs_{new_job("b", OverlapPolicy::kAllow),
                            new_job("a", OverlapPolicy::kAllow)};
};

TEST_P(OnceTest, TheSameRequestAgainYieldsTheSameJobs) {
  const auto first = must(ask(jobs_, "k"));
  EXPECT_EQ(first.at(0).outcome, Outcome::kCreated);
  const EventId last = must(store().last_event());
  pass(1h);
  const auto again = must(ask(jobs_, "k"));
  ASSERT_EQ(again.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again[i].outcome, Outcome::kRepeated);
    EXPECT_EQ(again[i].job.id, first[i].job.id);
    EXPECT_EQ(again[i].job.definition.name, jobs_[i].definition.name);
  }
  EXPECT_TRUE(must(store().events_after(last, 10)).empty());
}

TEST_P(OnceTest, AnotherRequestUnderTheSameKeyIsRefused) {
  must(ask(jobs_, "k"));
  const auto refused = ask({new_job("c", OverlapPolicy::kAllow)}, "k", "g");
  ASSERT_EQ(code_of(refused), Errc::kConflict);
  EXPECT_EQ(refused.error().field, "idempotency_key");
  EXPECT_EQ(code_of(store().find_job(TenantId(1), "c")), Errc::kNotFound);
}

TEST_P(OnceTest, KeysBelongToTenants) {
  const TenantId other = must(store().put_tenant({.name = "other"}));
  must(ask(jobs_, "k"));
  const NewJob theirs = new_job("b", OverlapPolicy::kAllow, other);
  EXPECT_EQ(must(ask({theirs}, "k", "g", other)).at(0).outcome, Outcome::kCreated);
}

TEST_P(OnceTest, ARefusedRequestLeavesItsKeyFree) {
  const JobRow taken = add_job("a");
  EXPECT_EQ(code_of(ask(jobs_, "many")), Errc::kConflict);
  EXPECT_EQ(code_of(ask({jobs_[1]}, "one")), Errc::kConflict);
  must(store().change_job({.job = taken.id, .status = core::JobStatus::kDeleted}));
  EXPECT_EQ(must(ask({jobs_[1]}, "one", "g")).at(0).outcome, Outcome::kCreated);
  EXPECT_EQ(must(ask({jobs_[0]}, "many", "g")).at(0).outcome, Outcome::kCreated);
}

TEST_P(OnceTest, AKeyIsForgottenAfterADay) {
  must(ask(jobs_, "k"));
  pass(23h);
  must(store().keep_history(24h));
  EXPECT_EQ(must(ask(jobs_, "k")).at(0).outcome, Outcome::kRepeated);
  pass(2h);
  const std::vector others{new_job("c", OverlapPolicy::kAllow)};
  EXPECT_EQ(must(ask(others, "k", "g")).at(0).outcome, Outcome::kCreated);
  pass(25h);
  must(store().keep_history(24h));
  EXPECT_EQ(code_of(ask(others, "k", "g")), Errc::kConflict);  // the name is taken, not the key
}

TEST_P(OnceTest, ALostReplyIsMadeGoodByAskingAgain) {
  for (const Fault fault : {Fault::kLostReply, Fault::kLostRequest}) {
    Fault next = fault;
    FaultyStore bad(store(), [&](std::string_view) { return std::exchange(next, Fault::kNone); });
    const std::string name = fault == Fault::kLostReply ? "reply" : "request";
    const std::vector jobs{new_job(name, OverlapPolicy::kAllow)};
    EXPECT_EQ(code_of(ask(bad, jobs, name)), Errc::kUnknownOutcome);
    const auto second = must(ask(bad, jobs, name));
    EXPECT_EQ(second.at(0).outcome,
              fault == Fault::kLostReply ? Outcome::kRepeated : Outcome::kCreated);
    EXPECT_EQ(must(store().find_job(TenantId(1), name)).id, second.at(0).job.id);
  }
}

TEST_P(OnceTest, EachOfManyRequestsHasItsOwnKey) {
  must(ask({jobs_[0]}, "old"));
  const NewJob c = new_job("c", OverlapPolicy::kAllow);
  const std::vector<Registration> requests{
      {.jobs = {&jobs_[0], 1}, .idempotency = IdempotencyKey{TenantId(1), "old", "f"}},
      {.jobs = {&c, 1}, .idempotency = IdempotencyKey{TenantId(1), "new", "f"}},
      {.jobs = {&c, 1}, .idempotency = IdempotencyKey{TenantId(1), "new", "f"}},
      {.jobs = {&c, 1}, .idempotency = IdempotencyKey{TenantId(1), "new", "g"}},
      {.jobs = {&c, 1}, .idempotency = IdempotencyKey{TenantId(1), "third", "f"}},
      {.jobs = {&jobs_[1], 1}, .idempotency = IdempotencyKey{TenantId(1), "old", "g"}}};
  const auto answers = must(store().register_all(requests));
  EXPECT_EQ(answers[0]->at(0).outcome, Outcome::kRepeated);
  EXPECT_EQ(answers[1]->at(0).outcome, Outcome::kCreated);
  EXPECT_EQ(answers[2]->at(0).outcome, Outcome::kRepeated);
  EXPECT_EQ(answers[2]->at(0).job.id, answers[1]->at(0).job.id);
  EXPECT_EQ(code_of(answers[3]), Errc::kConflict);
  EXPECT_EQ(answers[3].error().field, "idempotency_key");
  EXPECT_EQ(code_of(answers[4]), Errc::kConflict);
  EXPECT_EQ(answers[4].error().field, "c");
  EXPECT_EQ(answers[5].error().field, "idempotency_key");
}

TEST_P(OnceTest, ReplacingUnderAKeyRemembersWhatWasThere) {
  const JobRow job = add_job("a");
  NewJob wanted = new_job("a", OverlapPolicy::kAllow);
  wanted.definition.payload = "[1]";
  const Registration request{
      .jobs = {&wanted, 1}, .replace = true, .idempotency = IdempotencyKey{TenantId(1), "k", "f"}};
  EXPECT_EQ(must(store().register_jobs(request)).at(0).outcome, Outcome::kReplaced);
  // Also when somebody has changed it since.
  must(store().change_job({.job = job.id, .definition = job.definition}));
  const auto again = must(store().register_jobs(request));
  EXPECT_EQ(again.at(0).outcome, Outcome::kRepeated);
  EXPECT_EQ(again.at(0).job.id, job.id);
  EXPECT_EQ(must(store().find_job(job.id)).revision, 3U);
}

BELFRY_FOR_EACH_STORE(OnceTest);

}  // namespace
}  // namespace belfry::store

#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using std::chrono::seconds;

class SecretsTest : public StoreTest {
 protected:
  JobRow add_hook(const std::string& name, const std::string& target) {
    NewJob job = new_job(name, core::OverlapPolicy::kAllow);
    job.definition.target = target;
    return add(job);
  }
};

TEST_P(SecretsTest, ASecretIsPutReplacedListedAndDeleted) {
  const TenantId other = must(store().put_tenant({.name = "other"}, {}));
  const SecretRow made = must(store().put_secret(TenantId(1), "a", "one", kAlice));
  EXPECT_EQ(made.created_at, now());
  EXPECT_EQ(made.updated_by, "alice");
  must(store().put_secret(other, "a", "theirs", kAlice));
  must(store().put_secret(TenantId(1), "b", "two", kAlice));
  pass(seconds(1));
  const SecretRow again = must(store().put_secret(TenantId(1), "a", "three", kAlice));
  EXPECT_EQ(again.created_at, made.created_at);
  EXPECT_EQ(again.updated_at, now());
  EXPECT_EQ(must(store().find_secret(TenantId(1), "a")).sealed, "three");
  EXPECT_EQ(must(store().find_secret(other, "a")).sealed, "theirs");
  const auto listed = must(store().list_secrets(TenantId(1), "a", 10));
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].name, "b");
  EXPECT_EQ(listed[1].tenant, other);
  must(store().delete_secret(TenantId(1), "a", kAlice));
  EXPECT_EQ(code_of(store().find_secret(TenantId(1), "a")), Errc::kNotFound);
  EXPECT_EQ(code_of(store().delete_secret(TenantId(1), "a", kAlice)), Errc::kNotFound);
  EXPECT_EQ(code_of(store().put_secret(TenantId(99), "a", "x", kAlice)), Errc::kNotFound);
}

TEST_P(SecretsTest, ASecretStaysWhileJobsNameIt) {
  must(store().put_secret(TenantId(1), "a_b", "x", kAlice));
  must(store().put_secret(TenantId(1), "axb", "x", kAlice));
  const JobRow job = add_hook("hook", R"({"kind":"HTTP","secret_ref":"a_b"})");
  const auto refused = store().delete_secret(TenantId(1), "a_b", kAlice);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kConflict);
  EXPECT_NE(refused.error().message.find("`hook`"), std::string::npos);
  must(store().find_secret(TenantId(1), "a_b"));
  must(store().delete_secret(TenantId(1), "axb", kAlice));
  must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}));
  must(store().delete_secret(TenantId(1), "a_b", kAlice));
}

TEST_P(SecretsTest, TargetsOfAllRevisionsAreSealedAnew) {
  const JobRow plain = add_job("plain");
  const JobRow hook = add_hook("hook", R"({"kind":"HTTP","secret":"one"})");
  core::JobDefinition definition = hook.definition;
  definition.target = R"({"kind":"HTTP","secret":"two"})";
  must(store().change_job({.job = hook.id, .definition = definition, .reschedules = false}));
  std::vector<std::string> targets;
  KeptTarget last;
  for (auto page = must(store().list_targets(JobId(0), 0, 2)); !page.empty();
       page = must(store().list_targets(last.job, last.revision, 2))) {
    for (const KeptTarget& kept : page) targets.push_back(kept.target);
    last = page.back();
    EXPECT_EQ(last.tenant, TenantId(1));
  }
  std::ranges::sort(targets);
  EXPECT_EQ(targets, (std::vector<std::string>{"", R"({"kind":"HTTP","secret":"one"})",
                                               R"({"kind":"HTTP","secret":"two"})"}));
  must(store().reseal_target({.job = hook.id,
                              .revision = 2,
                              .tenant = TenantId(1),
                              .target = R"({"kind":"HTTP","secret":"new"})"}));
  EXPECT_EQ(must(store().find_job(hook.id)).definition.target, R"({"kind":"HTTP","secret":"new"})");
  EXPECT_EQ(must(store().find_job(hook.id)).revision, 2U);
  const SecretRow read = must(store().put_secret(TenantId(1), "a", "old", kAlice));
  must(store().put_secret(TenantId(1), "a", "newer", kAlice));
  must(store().reseal_secret(read, "resealed"));
  EXPECT_EQ(must(store().find_secret(TenantId(1), "a")).sealed, "newer") << "it had changed";
}

TEST_P(SecretsTest, KeysThatSealedSomethingAreNoted) {
  must(store().note_seal_key("one"));
  pass(seconds(1));
  must(store().note_seal_key("two"));
  must(store().note_seal_key("one"));
  EXPECT_EQ(must(store().seal_keys()), (std::vector<std::string>{"one", "two"}));
  must(store().keep_only_seal_key("two"));
  EXPECT_EQ(must(store().seal_keys()), std::vector<std::string>{"two"});
}

BELFRY_FOR_EACH_STORE(SecretsTest);

}  // namespace
}  // namespace belfry::store

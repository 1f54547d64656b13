#include "service/secrets/secret_box.h"

#include "base/manual_clock.h"
#include "core/alerts/rule.h"
#include "core/target_secrets.h"
#include "service/secrets/reseal.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/support/must.h"

#include <gtest/gtest.h>

namespace belfry::service {
namespace {

using test::code_of;
using test::must;

constexpr TenantId kTenant(1);
const store::Author kAlice{.actor = "alice", .request_id = "req-1"};

class SecretBoxTest : public testing::Test {
 protected:
  SecretBoxTest()
      : store_(must(store::open_sqlite(
            {.path = ":memory:", .now = [this] { return clock_.wall_now(); }}))) {}

  SecretBox box() {
    return {*store_, clock_, {.read = [this] { return Result<std::string>(keys_); }}};
  }
  JobId add_webhook(const std::string& target) {
    core::JobDefinition job{.name = "hook"};
    job.schedule.type = core::ScheduleSpec::Type::kEvery;
    job.schedule.every = std::chrono::hours(1);
    job.target = target;
    const store::NewJob wanted{.tenant = kTenant, .definition = job};
    return must(store_->create_jobs({&wanted, 1})).at(0).id;
  }
  std::string target_of(JobId job) { return must(store_->find_job(job)).definition.target; }

  ManualClock clock_{from_unix_seconds(1'800'000'000)};
  std::unique_ptr<store::Store> store_;
  std::string keys_ = draw_seal_key();
};

constexpr const char* kTarget =
    R"({"kind":"HTTP","url":"http://x/?token=canary1","headers":{"X-Any":"canary2"},)"
    R"("secret":"canary3"})";

TEST_F(SecretBoxTest, ATargetOpensAsItWas) {
  SecretBox secrets = box();
  ASSERT_TRUE(secrets.start());
  const std::string sealed = must(secrets.seal_target(kTenant, kTarget, ""));
  EXPECT_EQ(sealed.find("canary"), std::string::npos) << sealed;
  EXPECT_EQ(write_json(must(secrets.open_target(kTenant, must(parse_json(sealed))))), kTarget);
  EXPECT_EQ(must(secrets.seal_target(kTenant, kTarget, sealed)), sealed) << "the same secrets";
  const std::string plain = R"({"kind":"WORKER"})";
  EXPECT_EQ(must(secrets.seal_target(kTenant, plain, "")), plain);
}

TEST_F(SecretBoxTest, TheKeyForSigningFollowsFromTheNewest) {
  SecretBox secrets = box();
  ASSERT_TRUE(secrets.start());
  const auto key = must(secrets.signing_key());
  ASSERT_TRUE(key);
  EXPECT_EQ(must(box().signing_key())->public_key(), key->public_key());
  EXPECT_TRUE(must(store_->seal_keys()).empty()) << "nothing is sealed with it";
  keys_ = draw_seal_key() + "\n" + keys_;
  EXPECT_NE(must(box().signing_key())->public_key(), key->public_key());
  keys_ = "";
  EXPECT_FALSE(must(box().signing_key()));
  EXPECT_FALSE(must(box().signing_key(true))) << "who was told none makes none";
}

TEST_F(SecretBoxTest, WhatIsSealedForOneOpensForNoOther) {
  SecretBox secrets = box();
  ASSERT_TRUE(secrets.start());
  const std::string sealed = must(secrets.seal(kTenant, "secret", "canary"));
  EXPECT_EQ(must(secrets.open(kTenant, "secret", sealed)), "canary");
  EXPECT_EQ(code_of(secrets.open(TenantId(2), "secret", sealed)), Errc::kInvalid);
  EXPECT_EQ(code_of(secrets.open(kTenant, "headers/X", sealed)), Errc::kInvalid);
  EXPECT_EQ(code_of(secrets.open(kTenant, "secret", sealed.substr(0, 30))), Errc::kInvalid);
}

TEST_F(SecretBoxTest, WithoutItsKeyNothingStartsOrOpens) {
  SecretBox first = box();
  ASSERT_TRUE(first.start());
  const std::string sealed = must(first.seal(kTenant, "secret", "canary"));
  keys_ = draw_seal_key();
  EXPECT_EQ(code_of(box().start()), Errc::kInvalid);
  keys_ = "";
  SecretBox none = box();
  EXPECT_EQ(code_of(none.start()), Errc::kInvalid);
  EXPECT_EQ(code_of(none.open(kTenant, "secret", sealed)), Errc::kInvalid);
  EXPECT_EQ(code_of(none.seal(kTenant, "secret", "canary")), Errc::kInvalid);
  EXPECT_EQ(must(none.seal_target(kTenant, R"({"kind":"WORKER"})", "")), R"({"kind":"WORKER"})");
}

TEST_F(SecretBoxTest, KeysAreReadAgainForOneThatIsNew) {
  SecretBox other = box();
  ASSERT_TRUE(other.start());
  keys_ = draw_seal_key() + "\n" + keys_;
  SecretBox ahead = box();
  ASSERT_TRUE(ahead.start());
  const std::string sealed = must(ahead.seal(kTenant, "secret", "canary"));
  EXPECT_EQ(code_of(other.open(kTenant, "secret", sealed)), Errc::kInvalid) << "not all the time";
  clock_.advance(std::chrono::seconds(2));
  EXPECT_EQ(must(other.open(kTenant, "secret", sealed)), "canary");
}

TEST_F(SecretBoxTest, ARotationReachesReceiversOfAlerts) {
  SecretBox secrets = box();
  ASSERT_TRUE(secrets.start());
  const std::string receiver = must(
      secrets.seal_target(kTenant, R"({"kind":"HTTP","url":"https://x/","secret":"canary"})", ""));
  core::AlertRule rule{.name = "r"};
  rule.receivers = {receiver};
  must(store_->put_alert_rule(kTenant, "r", core::write_alert_rule(rule), kAlice));
  keys_ = draw_seal_key() + " " + keys_;
  EXPECT_EQ(must(reseal(*store_, secrets, "", true, TenantId(1), kAlice)).resealed, 1U);
  EXPECT_EQ(must(reseal(*store_, secrets, "", false, TenantId(1), kAlice)).resealed, 0U);
  keys_ = keys_.substr(0, keys_.find(' '));
  SecretBox later = box();
  ASSERT_TRUE(later.start());
  const auto kept =
      must(core::read_alert_rule("r", must(store_->find_alert_rule(kTenant, "r")).definition));
  const Json opened = must(later.open_target(kTenant, must(parse_json(kept.receivers.at(0)))));
  EXPECT_EQ(opened.value("secret", ""), "canary");
}

TEST_F(SecretBoxTest, ARotationSealsEverythingAnewAndOnlyThenForgetsTheOldKey) {
  SecretBox secrets = box();
  ASSERT_TRUE(secrets.start());
  const JobId plain = add_webhook(kTarget);  // as one of before
  must(secrets.put(kTenant, "name", "canary4", kAlice));
  const std::string old = must(secrets.newest_key());
  const std::string oldest = keys_;
  keys_ = draw_seal_key() + " " + keys_;
  const Resealed first = must(reseal(*store_, secrets, "", true, TenantId(1), kAlice));
  EXPECT_EQ(first.resealed, 4U);
  EXPECT_NE(first.key, old);
  EXPECT_EQ(first.next, std::nullopt);
  EXPECT_EQ(must(store_->seal_keys()).size(), 2U) << "something may have come behind it";
  EXPECT_EQ(must(reseal(*store_, secrets, "", false, TenantId(1), kAlice)).resealed, 0U);
  EXPECT_EQ(must(store_->seal_keys()), std::vector<std::string>{first.key});
  keys_ = keys_.substr(0, keys_.find(' '));
  SecretBox later = box();
  ASSERT_TRUE(later.start());
  EXPECT_EQ(target_of(plain).find("canary"), std::string::npos);
  EXPECT_EQ(write_json(must(later.open_target(kTenant, must(parse_json(target_of(plain)))))),
            kTarget);
  EXPECT_EQ(code_of(reseal(*store_, later, "1.2", false, TenantId(1), kAlice)), Errc::kInvalid);
  keys_ = oldest;
  EXPECT_EQ(code_of(box().start()), Errc::kInvalid);
}

TEST_F(SecretBoxTest, NamedSecretsArePutInPlaceAndFollowChanges) {
  SecretBox secrets = box();
  ASSERT_TRUE(secrets.start());
  const Json target = must(parse_json(R"({"kind":"HTTP","secret_ref":"name"})"));
  EXPECT_EQ(code_of(secrets.open_target(kTenant, target)), Errc::kNotFound);
  must(secrets.put(kTenant, "name", "canary", kAlice));
  EXPECT_EQ(must(secrets.open_target(kTenant, target))["secret"], "canary");
  EXPECT_EQ(must(store_->find_secret(kTenant, "name")).sealed.find("canary"), std::string::npos);
  must(secrets.put(kTenant, "name", "second", kAlice));
  EXPECT_EQ(must(secrets.open_target(kTenant, target))["secret"], "second");
  add_webhook(write_json(target));
  const auto refused = secrets.remove(kTenant, "name", kAlice);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kConflict);
  EXPECT_NE(refused.error().message.find("`hook`"), std::string::npos);
}

}  // namespace
}  // namespace belfry::service

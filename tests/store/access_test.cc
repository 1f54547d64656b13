#include "tests/store/suite.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace belfry::store {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class AccessTest : public StoreTest {
 protected:
  static KeyHash hash(std::uint8_t seed) {
    KeyHash bytes{};
    bytes.fill(seed);
    bytes[1] = 0;  // a hash may have zeros anywhere
    return bytes;
  }
  static AccessStore::NewKey key(std::uint8_t seed, Scope scope = Scope::kOperator) {
    return {.tenant = TenantId(1),
            .name = "key " + std::to_string(seed),
            .hash = hash(seed),
            .scope = scope};
  }
  std::vector<std::string> actions(std::optional<TenantId> tenant = {}) {
    std::vector<std::string> words;
    for (const auto& row : must(store().list_audit(tenant, {}, 100))) {
      words.push_back(row.actor + " " + row.action + " " + row.object);
    }
    return words;
  }
  using Words = std::vector<std::string>;
};

TEST_P(AccessTest, AKeyIsFoundByItsHashWithItsTenant) {
  const TenantId other =
      must(store().put_tenant({.name = "other", .weight = 3, .max_requests = 9}));
  AccessStore::NewKey wanted = key(1);
  wanted.tenant = other;
  wanted.expires_at = now() + hours(1);
  const ApiKey made = must(store().put_key(wanted, kAlice));
  EXPECT_EQ(made.created_by, "alice");
  EXPECT_EQ(made.created_at, now());
  const auto found = must(store().find_key(hash(1)));
  EXPECT_EQ(found.key.id, made.id);
  EXPECT_EQ(found.key.scope, Scope::kOperator);
  EXPECT_EQ(found.key.expires_at, wanted.expires_at);
  EXPECT_EQ(found.tenant.id, other);
  EXPECT_EQ(found.tenant.name, "other");
  EXPECT_EQ(found.tenant.max_requests, 9);
  EXPECT_EQ(code_of(store().find_key(hash(2))), Errc::kNotFound);
  pass(hours(1));
  EXPECT_EQ(code_of(store().find_key(hash(1))), Errc::kNotFound) << "expired";
}

TEST_P(AccessTest, ARepeatedKeyIsTheSameKey) {
  const ApiKey made = must(store().put_key(key(1), kAlice));
  EXPECT_EQ(must(store().put_key(key(1), kAlice)).id, made.id);
  EXPECT_EQ(actions(), Words{"alice key.created key:" + std::to_string(made.id.value())});
  EXPECT_EQ(code_of(store().put_key(key(1, Scope::kAdmin), kAlice)), Errc::kConflict);
  AccessStore::NewKey stranger = key(2);
  stranger.tenant = TenantId(99);
  EXPECT_EQ(code_of(store().put_key(stranger, kAlice)), Errc::kNotFound);
}

TEST_P(AccessTest, AValidKeyHasItsNameForItself) {
  AccessStore::NewKey same = key(2);
  same.name = key(1).name;
  const ApiKey first = must(store().put_key(key(1), kAlice));
  EXPECT_EQ(code_of(store().put_key(same, kAlice)), Errc::kConflict);
  const TenantId other = must(store().put_tenant({.name = "other"}));
  AccessStore::NewKey theirs = same;
  theirs.tenant = other;
  theirs.hash = hash(3);
  EXPECT_TRUE(store().put_key(theirs, kAlice));
  must(store().revoke_key(TenantId(1), first.id, kAlice));
  EXPECT_TRUE(store().put_key(same, kAlice));
}

TEST_P(AccessTest, OneOfManyMakesTheFirstKey) {
  std::atomic<int> made = 0;
  std::vector<std::thread> askers;
  for (std::uint8_t seed = 1; seed <= 8; ++seed) {
    askers.emplace_back([&, seed] {
      AccessStore::NewKey first = key(seed, Scope::kRoot);
      first.must_be_first = true;
      if (store().put_key(first, kAlice)) ++made;
    });
  }
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(must(store().list_keys(TenantId(1))).size(), 1U);
}

TEST_P(AccessTest, AKeyIsReplacedWithAnOverlap) {
  AccessStore::NewKey wanted = key(1, Scope::kWorker);
  wanted.may_exec = true;
  wanted.expires_at = now() + hours(10);
  const ApiKey old = must(store().put_key(wanted, kAlice));
  pass(hours(1));
  const ApiKey fresh = must(store().replace_key(TenantId(1), old.id, hash(2), hours(2), kAlice));
  EXPECT_EQ(fresh.name, old.name);
  EXPECT_EQ(fresh.scope, Scope::kWorker);
  EXPECT_TRUE(fresh.may_exec);
  EXPECT_EQ(fresh.expires_at, wanted.expires_at);
  EXPECT_EQ(must(store().find_key(hash(1))).key.replaced_at, now());
  EXPECT_EQ(code_of(store().replace_key(TenantId(1), old.id, hash(3), hours(2), kAlice)),
            Errc::kNotFound);
  EXPECT_EQ(code_of(store().replace_key(TenantId(2), fresh.id, hash(3), hours(2), kAlice)),
            Errc::kNotFound);
  pass(hours(2));
  EXPECT_EQ(code_of(store().find_key(hash(1))), Errc::kNotFound);
  EXPECT_EQ(must(store().find_key(hash(2))).key.id, fresh.id);
}

TEST_P(AccessTest, AReplacedKeyDoesNotLiveLongerThanItWould) {
  AccessStore::NewKey wanted = key(1);
  wanted.expires_at = now() + hours(1);
  const ApiKey old = must(store().put_key(wanted, kAlice));
  must(store().replace_key(TenantId(1), old.id, hash(2), hours(5), kAlice));
  EXPECT_EQ(must(store().find_key(hash(1))).key.expires_at, wanted.expires_at);
}

TEST_P(AccessTest, TheUseOfAKeyIsNoted) {
  const ApiKey made = must(store().put_key(key(1), kAlice));
  EXPECT_EQ(made.last_used_at, std::nullopt);
  pass(hours(1));
  EXPECT_TRUE(store().touch_key(made.id));
  EXPECT_EQ(must(store().find_key(hash(1))).key.last_used_at, now());
}

TEST_P(AccessTest, ARevokedKeyOpensNothing) {
  EXPECT_FALSE(must(store().any_keys()));
  const ApiKey first = must(store().put_key(key(1), kAlice));
  const ApiKey second = must(store().put_key(key(2, Scope::kWorker), kAlice));
  EXPECT_TRUE(must(store().any_keys()));
  pass(seconds(1));
  EXPECT_EQ(must(store().revoke_key(TenantId(1), first.id, kAlice)).revoked_at, now());
  EXPECT_EQ(code_of(store().find_key(hash(1))), Errc::kNotFound);
  EXPECT_EQ(must(store().find_key(hash(2))).key.id, second.id);
  const Instant revoked = now();
  pass(seconds(1));
  EXPECT_EQ(must(store().revoke_key(TenantId(1), first.id, kAlice)).revoked_at, revoked);
  EXPECT_EQ(code_of(store().revoke_key(TenantId(2), second.id, kAlice)), Errc::kNotFound);
  EXPECT_TRUE(must(store().any_keys()));
  must(store().revoke_key(TenantId(1), second.id, kAlice));
  EXPECT_TRUE(must(store().any_keys())) << "the door must not open again";
  const auto listed = must(store().list_keys(TenantId(1)));
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].id, second.id);
  EXPECT_EQ(listed[1].revoked_at, revoked);
}

TEST_P(AccessTest, TenantsAreListedAndFound) {
  for (const char* name : {"b", "a", "c"}) must(store().put_tenant({.name = name}, kAlice));
  const auto listed = must(store().list_tenants("", 10));
  ASSERT_EQ(listed.size(), 4U);
  EXPECT_EQ(listed[0].name, "a");
  EXPECT_EQ(listed[3].name, "default");
  EXPECT_EQ(must(store().list_tenants("b", 1)).at(0).name, "c");
  Tenant b = must(store().find_tenant("b"));
  b.weight = 5;
  b.max_in_flight = 6;
  b.max_requests = 7;
  must(store().put_tenant(b, kAlice));
  const Tenant found = must(store().find_tenant(b.id));
  EXPECT_EQ(found.weight, 5);
  EXPECT_EQ(found.max_in_flight, 6);
  EXPECT_EQ(found.max_requests, 7);
  EXPECT_EQ(code_of(store().find_tenant("z")), Errc::kNotFound);
  EXPECT_EQ(code_of(store().find_tenant(TenantId(99))), Errc::kNotFound);
}

TEST_P(AccessTest, EveryChangeLeavesARowAndNobodysLeavesNone) {
  const TenantId tenant = must(store().put_tenant({.name = "t"}, kAlice));
  must(store().put_tenant({.name = "engine's"}));
  const ApiKey made = must(store().put_key(key(1), kAlice));
  must(store().revoke_key(TenantId(1), made.id, {.actor = "bob"}));
  must(store().put_calendar(TenantId(1), "c", {"SAT"}, kAlice));
  must(store().delete_calendar(TenantId(1), "c", kAlice));
  const std::string id = std::to_string(made.id.value());
  EXPECT_EQ(actions(), (Words{"alice calendar.deleted calendar:c", "alice calendar.put calendar:c",
                              "bob key.revoked key:" + id, "alice key.created key:" + id,
                              "alice tenant.put tenant:t"}));
  EXPECT_EQ(actions(tenant), Words{"alice tenant.put tenant:t"});
  const auto rows = must(store().list_audit(TenantId(1), {}, 100));
  EXPECT_NE(rows.at(1).detail.find("SAT"), std::string::npos) << rows.at(1).detail;
  EXPECT_NE(rows.at(1).detail.find("req-1"), std::string::npos) << rows.at(1).detail;
  EXPECT_EQ(must(store().list_audit(TenantId(1), rows.at(1).seq, 1)).at(0).seq, rows.at(2).seq);
}

TEST_P(AccessTest, ARefusedChangeLeavesNoRow) {
  EXPECT_EQ(code_of(store().put_tenant({.id = TenantId(99), .name = "x"}, kAlice)),
            Errc::kNotFound);
  EXPECT_EQ(code_of(store().put_calendar(TenantId(1), "c", {"MOONDAY"}, kAlice)), Errc::kInvalid);
  EXPECT_EQ(actions(), Words{});
}

TEST_P(AccessTest, TheClusterAtAGlance) {
  own_everything();
  must(store().lead(node(1), seconds(30)));
  const JobRow job = add_job("a");
  const JobRow paused = add_job("b");
  must(store().change_job({.job = paused.id, .status = core::JobStatus::kPaused}));
  decide_runs(job.id, {1, 2, 3});
  const ClaimedRun first = claim(1).at(0);
  EXPECT_TRUE(end(failure(grant_of(first), hours(1))));
  claim(1);
  const Overview overview = must(store().overview());
  EXPECT_EQ(overview.now, now());
  ASSERT_EQ(overview.nodes.size(), 1U);
  EXPECT_EQ(overview.nodes[0].incarnation, node(1).incarnation);
  EXPECT_EQ(overview.nodes[0].name, "node-1");
  EXPECT_EQ(overview.nodes[0].region, "default");
  EXPECT_GT(overview.nodes[0].lease_until, now());
  ASSERT_EQ(overview.partitions.size(), 256U);
  const auto& mine = overview.partitions.at(partition_of(job.id).value());
  EXPECT_EQ(mine.partition, partition_of(job.id));
  EXPECT_EQ(mine.owner, node(1).incarnation);
  EXPECT_EQ(mine.decided_through, tick(3).instant());
  EXPECT_EQ(mine.version, version_of(partition_of(job.id)));
  ASSERT_TRUE(overview.leader);
  EXPECT_EQ(overview.leader->holder, node(1).incarnation);
  const Totals totals = must(store().totals());
  EXPECT_EQ(totals.ready.value, 1);
  EXPECT_EQ(totals.running.value, 1);
  EXPECT_EQ(totals.retrying.value, 1);
  EXPECT_TRUE(totals.ready.exact);
  EXPECT_EQ(totals.oldest_ready, tick(3).instant());
  EXPECT_EQ(totals.active.value, 1);
  EXPECT_EQ(totals.paused.value, 1);
  EXPECT_EQ(totals.completed.value, 0);
  EXPECT_TRUE(totals.active.exact);
}

TEST_P(AccessTest, TotalsOfATenantAreItsOwn) {
  own_everything();
  const JobRow job = add_job("mine");
  decide_runs(job.id, {1, 2});
  claim(1);
  const TenantId other = must(store().put_tenant({.name = "other"}));
  const Totals mine = must(store().totals_of(TenantId(1)));
  EXPECT_EQ(mine.active.value, 1);
  EXPECT_EQ(mine.ready.value, 1);
  EXPECT_EQ(mine.running.value, 1);
  EXPECT_TRUE(mine.active.exact);
  const Totals theirs = must(store().totals_of(other));
  EXPECT_EQ(theirs.active.value + theirs.ready.value + theirs.running.value, 0);
  EXPECT_EQ(theirs.oldest_ready, std::nullopt);
}

TEST_P(AccessTest, WhatWaitsInEachQueue) {
  own_everything();
  const JobRow open = add_job("open");
  decide_runs(open.id, {1, 2, 3});
  pass(seconds(10));
  EXPECT_EQ(must(store().queue_loads()).size(), 1U);
  const ClaimedRun held = claim(1).at(0);
  EXPECT_EQ(held.scheduled_for, tick(1).instant());
  const QueueLoad load = must(store().queue_loads()).at(0);
  EXPECT_EQ(load.queue, "default");
  EXPECT_EQ(load.tenant, TenantId(1));
  EXPECT_EQ(load.waiting, 2);
  EXPECT_EQ(load.waiting_since, tick(2).instant());
  EXPECT_EQ(load.held, 1);
  EXPECT_EQ(load.held_since, now());
  EXPECT_EQ(load.in_line, 0);
}

// What waits for its own job's run does not wait for a worker.
TEST_P(AccessTest, ARunBehindAnotherOfItsJobWaitsForNoWorker) {
  own_everything();
  const JobRow job = add(new_job("one by one", core::OverlapPolicy::kQueueOne));
  decide_runs(job.id, {1, 2});
  pass(seconds(10));
  EXPECT_EQ(must(store().queue_loads()).at(0).waiting, 2);
  claim(1);
  EXPECT_EQ(must(store().queue_loads()).at(0).waiting, 0);
  EXPECT_EQ(must(store().queue_loads()).at(0).held, 1);
}

BELFRY_FOR_EACH_STORE(AccessTest);

}  // namespace
}  // namespace belfry::store

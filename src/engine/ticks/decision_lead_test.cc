#include "engine/ticks/decision_lead.h"

#include "base/manual_clock.h"
#include "engine/node.h"
#include "store/sqlite/sqlite_store.h"
#include "store/wrappers/faulty_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart = from_unix_seconds(1'800'000'000);

TEST(DecisionLeadTest, IsWhatTheSlowestOfTheLastOnesTook) {
  DecisionLead lead(50ms);
  EXPECT_EQ(lead.value(), 5ms);
  lead.learn(20ms);
  EXPECT_EQ(lead.value(), 20'500us);
  lead.learn(2ms);
  EXPECT_LT(lead.value(), 20ms);
  EXPECT_GT(lead.value(), 19ms);
  for (int i = 0; i < 100; ++i) lead.learn(2ms);
  EXPECT_EQ(lead.value(), 2'500us);
}

TEST(DecisionLeadTest, IsNeverMoreThanThePatienceOfTheStore) {
  DecisionLead lead(50ms);
  lead.learn(1s);
  EXPECT_EQ(lead.value(), 50ms);
  DecisionLead none(0ms);
  EXPECT_EQ(none.value(), 0ms);
  none.learn(1s);
  EXPECT_EQ(none.value(), 0ms);
}

// Waits for the moment up to which it is to decide, as PostgreSQL does: time passes meanwhile.
class PatientStore final : public store::FaultyStore {
 public:
  PatientStore(Store& inner, ManualClock& clock)
      : FaultyStore(inner, [](std::string_view) { return store::Fault::kNone; }),
        truth_(inner),
        clock_(clock) {}

  Duration patience() const override { return 50ms; }
  Result<store::DecideResult> decide(
      const Incarnation& node, std::span<const store::PartitionDecision> partitions) override {
    const Duration ahead = partitions.front().to - clock_.wall_now();
    aheads.push_back(ahead);
    if (ahead > Duration(0)) clock_.advance(ahead);
    auto result = truth_.decide(node, partitions);
    if (result) result->spare = ahead - took;
    return result;
  }

  std::vector<Duration> aheads;
  Duration took = 8ms;

 private:
  Store& truth_;
  ManualClock& clock_;
};

class BeforeTheTickTest : public testing::Test {
 protected:
  BeforeTheTickTest() {
    store::JobStore::NewJob job{.tenant = TenantId(1)};
    job.definition.name = "a";
    job.definition.schedule.cron_expression = "* * * * *";
    EXPECT_TRUE(truth_->create_jobs({&job, 1}));
    for (int i = 0; i < 200; ++i) {
      EXPECT_TRUE(node_.renew());
      EXPECT_TRUE(node_.tick());
      while (node_.load(0).value_or(false)) {
      }
    }
  }
  void pass_until(Instant moment) {
    while (clock_.wall_now() + 1s < moment) {
      clock_.advance(1s);
      EXPECT_TRUE(node_.renew());
      EXPECT_TRUE(node_.tick());
    }
    clock_.advance(moment - clock_.wall_now());
  }

  ManualClock clock_{kStart};
  std::unique_ptr<store::Store> truth_ = std::move(
      *store::open_sqlite({.path = ":memory:", .now = [this] { return clock_.wall_now(); }}));
  PatientStore store_{*truth_, clock_};
  core::ZoneCatalog zones_;
  Logger log_{clock_, [](std::string_view) {}, {.least = LogLevel::kError}};
  Observer observer_;
  Node node_{Node::World{store_, clock_, zones_, log_, observer_}, NodeConfig{}, Rng(1)};
};

TEST_F(BeforeTheTickTest, TheDecisionIsBegunAndIsUpToTheTick) {
  const Instant first = kStart + 60s;
  EXPECT_EQ(node_.wake_at(), first - 5ms);
  pass_until(first - 6ms);
  ASSERT_TRUE(node_.tick());
  EXPECT_TRUE(store_.aheads.empty()) << "too soon";
  clock_.advance(2ms);
  const auto report = node_.tick();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->runs, 1U);
  EXPECT_EQ(store_.aheads, std::vector<Duration>{4ms});
  EXPECT_EQ(report->decided_at, first);
  EXPECT_EQ(node_.wake_at(), first + 60s - 8'500us) << "it took 8 ms";
  ASSERT_TRUE(node_.tick());
  EXPECT_EQ(store_.aheads.size(), 1U) << "and is over";
}

TEST_F(BeforeTheTickTest, WhatIsLateIsDecidedAsOfNow) {
  pass_until(kStart + 60s + 10ms);
  ASSERT_TRUE(node_.tick());
  EXPECT_EQ(store_.aheads, std::vector<Duration>{0ms});
  EXPECT_EQ(node_.wake_at(), kStart + 120s - 5ms) << "nothing is learned from it";
}

}  // namespace
}  // namespace belfry::engine

#include "service/jobs/target_warning.h"

#include <gtest/gtest.h>

namespace belfry::service {
namespace {

constexpr TenantId kTenant{7};

class TargetWarningTest : public testing::Test {
 protected:
  TargetWarningTest() {
    facts_.cluster.emplace();
    job_.id = JobId(0x10005);
    job_.tenant = kTenant;
    job_.definition.job_type = "mail";
  }
  std::string code() const {
    const auto warning = warn_of_queue(job_, facts_);
    return warning ? warning->code : "";
  }

  HealthFacts facts_;
  store::JobRow job_;
};

TEST_F(TargetWarningTest, ATypeForWhichNobodyAsks) {
  ASSERT_EQ(code(), "no_worker");
  EXPECT_NE(warn_of_queue(job_, facts_)->message.find("a worker of type `mail`"),
            std::string::npos);
  facts_.node.served = {{"mail", TenantId(8)}, {"post", kTenant}};
  EXPECT_EQ(code(), "no_worker") << "another tenant's, and another type's";
  facts_.node.served.insert({"mail", std::nullopt, RegionNo(3)});
  EXPECT_EQ(code(), "no_worker") << "elsewhere";
  job_.definition.policies.run_in = core::RunIn::kAny;
  EXPECT_EQ(code(), "");
}

TEST_F(TargetWarningTest, WhoHoldsRunsMayBeTooBusyToAsk) {
  facts_.cluster->queues.push_back({.queue = "mail", .tenant = kTenant, .waiting = 3});
  EXPECT_EQ(code(), "no_worker");
  facts_.cluster->queues[0].held = 1;
  EXPECT_EQ(code(), "");
}

TEST_F(TargetWarningTest, CommandsNeedExecWorkers) {
  job_.definition.target = R"({"kind":"EXEC","command":["true"]})";
  facts_.node.served = {{"mail", kTenant}};
  EXPECT_EQ(code(), "no_worker");
  facts_.node.served = {{"EXEC mail", kTenant}};
  EXPECT_EQ(code(), "");
}

TEST_F(TargetWarningTest, ABrokerThatTheNodeDoesNotKnow) {
  job_.definition.target = R"({"kind":"TOPIC","broker":"kafka","topic":"t"})";
  EXPECT_EQ(code(), "unknown_broker");
  facts_.node.brokers.push_back({.name = "kafka"});
  EXPECT_EQ(code(), "");
}

TEST_F(TargetWarningTest, WebhooksAndCheckInsNeedNobody) {
  job_.definition.target = R"({"kind":"HTTP","url":"https://example.org"})";
  EXPECT_EQ(code(), "");
  job_.definition.target = R"({"kind":"CHECKIN"})";
  EXPECT_EQ(code(), "");
}

TEST_F(TargetWarningTest, WhatTheStoreHasNotSaidYetIsNoReason) {
  facts_.cluster.reset();
  EXPECT_EQ(code(), "");
}

}  // namespace
}  // namespace belfry::service

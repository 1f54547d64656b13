#include "deliver/mail/mails.h"

#include "tests/support/eventually.h"

#include <gtest/gtest.h>

#include <set>

namespace belfry::deliver {
namespace {

// A mail server that hangs on whatever goes to `hang@…`, until it is let go.
class MailsTest : public testing::Test {
 protected:
  void SetUp() override {
    mails_.emplace([this](const Mail& mail, const std::atomic<bool>& stop) {
      const bool hangs = mail.to.at(0).starts_with("hang@");
      const MutexLock lock(mutex_);
      ++busy_;
      most_busy_ = std::max(most_busy_, busy_);
      while (hangs && !stop && !let_go_) bell_.wait_for(mutex_, std::chrono::milliseconds(20));
      --busy_;
      return stop ? failed("smtp", "stopped") : succeeded("");
    });
  }

  void send(const std::string& to, TenantId tenant) {
    Delivery delivery{.grant = {{JobId(++sent_), core::RunKey(0)}, Fence(1)},
                      .tenant = tenant,
                      .target = {{"kind", "MAIL"}, {"to", {to}}},
                      .payload = R"({"subject":"s","text":"t"})"};
    mails_->start(std::move(delivery), [this, to](const Outcome& outcome) {
      const MutexLock lock(mutex_);
      if (outcome.ending == Ending::kSucceeded) arrived_.insert(to);
    });
  }
  std::size_t arrived(const std::string& to) {
    const MutexLock lock(mutex_);
    return arrived_.count(to);
  }
  std::size_t busy() {
    const MutexLock lock(mutex_);
    return busy_;
  }
  void let_go() {
    const MutexLock lock(mutex_);
    let_go_ = true;
  }

  Mutex mutex_;
  Condition bell_;
  bool let_go_ BELFRY_GUARDED_BY(mutex_) = false;
  std::size_t busy_ BELFRY_GUARDED_BY(mutex_) = 0;
  std::size_t most_busy_ BELFRY_GUARDED_BY(mutex_) = 0;
  std::multiset<std::string> arrived_ BELFRY_GUARDED_BY(mutex_);
  std::uint64_t sent_ = 0;
  std::optional<Mails> mails_;
};

TEST_F(MailsTest, MailThatHangsHoldsUpNobody) {
  for (int i = 0; i < 100; ++i) send("hang@example.com", TenantId(1));
  ASSERT_TRUE(test::eventually([&] { return busy() == Mails::kAtOnceOfATenant; }));
  send("ops@example.com", TenantId(2));
  ASSERT_TRUE(test::eventually([&] { return arrived("ops@example.com") == 1; }));
  let_go();
  ASSERT_TRUE(test::eventually([&] { return arrived("hang@example.com") == 100; }));
  const MutexLock lock(mutex_);
  EXPECT_LE(most_busy_, Mails::kAtOnceOfATenant + 1) << "at most one more, of the other tenant";
}

TEST_F(MailsTest, NodesStopAlthoughMailHangs) {
  for (int i = 0; i < 20; ++i) send("hang@example.com", TenantId(static_cast<std::uint64_t>(i)));
  ASSERT_TRUE(test::eventually([&] { return busy() == Mails::kAtOnce; }));
  mails_.reset();
  EXPECT_EQ(arrived("hang@example.com"), 0U);
}

TEST_F(MailsTest, WhatIsDroppedIsNotSent) {
  for (int i = 0; i < 4; ++i) send("hang@example.com", TenantId(1));
  ASSERT_TRUE(test::eventually([&] { return busy() == 4; }));
  send("late@example.com", TenantId(1));
  mails_->drop({{JobId(5), core::RunKey(0)}, Fence(1)});
  let_go();
  ASSERT_TRUE(test::eventually([&] { return arrived("hang@example.com") == 4; }));
  EXPECT_EQ(arrived("late@example.com"), 0U);
}

}  // namespace
}  // namespace belfry::deliver

#include "deliver/courier.h"

#include "base/manual_clock.h"
#include "base/real_clock.h"
#include "tests/support/event.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <thread>

namespace belfry::deliver {
namespace {

using namespace std::chrono_literals;
using test::Event;

Delivery delivery_no(std::uint64_t number) {
  Delivery delivery;
  delivery.grant = {{JobId(number), core::RunKey(1)}, Fence(number)};
  return delivery;
}

// Gives what it was told to, once for each claim, and remembers what it hears.
class FakeSource final : public RunSource {
 public:
  explicit FakeSource(const Clock& clock) : clock_(clock) {}

  void offer(std::vector<Delivery> deliveries) {
    for (Delivery& delivery : deliveries) {
      delivery.give_up_at = clock_.boot_now() + 1h;
      if (late) delivery.granted = clock_.boot_now() - 10s;
    }
    const MutexLock lock(mutex_);
    offers_.push_back(std::move(deliveries));
  }
  Status claim(const std::string&, std::size_t most, Duration,
               OnDeliveries on_deliveries) override {
    std::vector<Delivery> offered;
    {
      const MutexLock lock(mutex_);
      if (offers_.empty()) return fail(Errc::kUnavailable, "nothing");
      offered = std::move(offers_.front());
      offers_.pop_front();
    }
    EXPECT_LE(offered.size(), most);
    on_deliveries(std::move(offered));
    asked.happen();
    return {};
  }
  bool withdraw() override { return true; }
  void complete(const RunGrant& grant, Outcome outcome,
                std::function<void(bool)> on_told) override {
    bool heard = false;
    {
      const MutexLock lock(mutex_);
      heard = deaf_-- <= 0;
      told_by = std::this_thread::get_id();
      if (heard) reports.emplace_back(grant, std::move(outcome));
    }
    on_told(heard);
    if (heard) reported.happen();
  }
  void heartbeat(std::vector<RunGrant> grants, Duration lease, OnHeartbeat on_heartbeat) override {
    std::vector<HeartbeatAnswer> answers;
    bool heard = false;
    {
      const MutexLock lock(mutex_);
      // A lease of another length means that the run is handed over.
      heard = lease == usual_lease || deaf_to_beats_-- <= 0;
      if (heard) leases.push_back(lease);
      for (const RunGrant& grant : grants) {
        answers.push_back(grant == cancelled ? HeartbeatAnswer::kCancel
                          : grant == fenced  ? HeartbeatAnswer::kFenced
                                             : HeartbeatAnswer::kExtended);
      }
    }
    if (!heard) return on_heartbeat(fail(Errc::kUnavailable, "not now"));
    ++beats;
    on_heartbeat(std::move(answers));
    beaten.happen();
    if (lease != usual_lease) handed_over.happen();
  }
  void give_back(std::vector<RunGrant> grants, Duration wait) override {
    {
      const MutexLock lock(mutex_);
      for (const RunGrant& grant : grants) returned.emplace_back(grant, wait);
    }
    given_back.happen();
  }
  void be_deaf(int times) {
    const MutexLock lock(mutex_);
    deaf_ = times;
  }
  void be_deaf_to_beats(int times) {
    const MutexLock lock(mutex_);
    deaf_to_beats_ = times;
  }

  Event asked;
  Event reported;
  Event beaten;
  Event handed_over;
  Event given_back;
  // To be read after the events above.
  std::vector<std::pair<RunGrant, Outcome>> reports;
  std::vector<std::pair<RunGrant, Duration>> returned;
  std::vector<Duration> leases;
  std::thread::id told_by;
  std::atomic<int> beats = 0;
  RunGrant cancelled;
  RunGrant fenced;
  bool late = false;  // what it offers was granted a while ago
  const Duration usual_lease = 30s;

 private:
  const Clock& clock_;
  Mutex mutex_;
  std::deque<std::vector<Delivery>> offers_;
  int deaf_ = 0;
  int deaf_to_beats_ = 0;
};

class FakeCarrier final : public Carrier {
 public:
  bool ready() const override { return is_ready; }
  void start(Delivery delivery, Done done) override {
    const RunGrant grant = delivery.grant;
    {
      const MutexLock lock(mutex_);
      dones_[grant] = std::move(done);
    }
    ++begun;
    if (on_start) on_start();
    started.happen();
  }
  void drop(const RunGrant& grant) override {
    {
      const MutexLock lock(mutex_);
      last_dropped = grant;
    }
    dropped.happen();
  }
  void finish(const RunGrant& grant, Outcome outcome) {
    Done done;
    {
      const MutexLock lock(mutex_);
      done = dones_.at(grant);
    }
    done(std::move(outcome));
  }

  std::atomic<bool> is_ready = true;
  std::function<void()> on_start;
  std::atomic<int> begun = 0;
  Event started;
  Event dropped;
  RunGrant last_dropped;

 private:
  Mutex mutex_;
  std::map<RunGrant, Done> dones_;
};

class CourierTest : public testing::Test {
 protected:
  CourierTest() : source_(clock_), log_(clock_, [](std::string_view) {}) {}

  void begin(CourierConfig config = {.queue = "q", .lease = 30s, .grace = 0s}) {
    courier_.emplace(std::move(config), source_, carrier_, clock_, log_);
    courier_->start();
  }

  const RealClock clock_;
  FakeSource source_;
  FakeCarrier carrier_;
  Logger log_;
  std::optional<Courier> courier_;
  const Delivery first_ = delivery_no(1);
};

TEST_F(CourierTest, ReportsHowItEnded) {
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.started.wait());
  carrier_.finish(first_.grant, succeeded("1"));
  ASSERT_TRUE(source_.reported.wait());
  EXPECT_EQ(source_.reports.at(0).first, first_.grant);
  EXPECT_EQ(source_.reports.at(0).second.result, "1");
}

// The carrier's has other calls to make, and reports of a moment go together.
TEST_F(CourierTest, ItsOwnThreadReports) {
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.started.wait());
  carrier_.finish(first_.grant, succeeded("1"));
  ASSERT_TRUE(source_.reported.wait());
  EXPECT_NE(source_.told_by, std::this_thread::get_id());
}

TEST_F(CourierTest, WhatIsOverInAMomentNeverBeats) {
  const ManualClock still;
  source_.offer({first_});
  source_.offer({delivery_no(2)});
  Courier courier({.queue = "q", .lease = 30s, .grace = 0s}, source_, carrier_, still, log_);
  courier.start();
  ASSERT_TRUE(carrier_.started.wait(2));  // the second was asked for after a look at the first
  carrier_.finish(first_.grant, succeeded("1"));
  ASSERT_TRUE(source_.reported.wait());
  courier.stop();
  EXPECT_EQ(source_.beats, 0);
}

// Whoever was held up between the grant and here may have lost it meanwhile.
TEST_F(CourierTest, WhatWasGrantedAWhileAgoBeatsBeforeItBegins) {
  std::atomic<int> beats = -1;
  carrier_.on_start = [&] { beats = source_.beats.load(); };
  source_.late = true;
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.started.wait());
  EXPECT_GT(beats, 0);
  carrier_.finish(first_.grant, succeeded("1"));
  ASSERT_TRUE(source_.reported.wait());
}

TEST_F(CourierTest, WhatWasGrantedAWhileAgoAndIsSomebodyElsesNeverBegins) {
  source_.late = true;
  source_.fenced = first_.grant;
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.dropped.wait());
  courier_->stop();
  EXPECT_EQ(carrier_.begun, 0);
  EXPECT_TRUE(source_.reports.empty());
}

TEST_F(CourierTest, RepeatsAReportThatWasNotHeard) {
  source_.offer({first_});
  source_.be_deaf(3);
  begin();
  ASSERT_TRUE(carrier_.started.wait());
  carrier_.finish(first_.grant, succeeded("1"));
  ASSERT_TRUE(source_.reported.wait());
  EXPECT_EQ(source_.reports.size(), 1U);
}

TEST_F(CourierTest, WhatIsPutOffIsGivenBackWithItsWait) {
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.started.wait());
  carrier_.finish(first_.grant, put_off(3s));
  ASSERT_TRUE(source_.given_back.wait());
  EXPECT_EQ(source_.returned.at(0), std::pair(first_.grant, Duration(3s)));
  EXPECT_TRUE(source_.reports.empty());
}

TEST_F(CourierTest, ACancellationEndsTheDeliveryAndIsReported) {
  source_.cancelled = first_.grant;
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.dropped.wait());
  EXPECT_EQ(carrier_.last_dropped, first_.grant);
  ASSERT_TRUE(source_.reported.wait());
  EXPECT_EQ(source_.reports.at(0).second.ending, Ending::kCancelled);
  carrier_.finish(first_.grant, succeeded("late"));
  EXPECT_EQ(source_.reports.size(), 1U);
}

TEST_F(CourierTest, ALostLeaseEndsTheDeliveryWithoutAWord) {
  source_.fenced = first_.grant;
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.dropped.wait());
  carrier_.finish(first_.grant, succeeded("late"));
  EXPECT_TRUE(source_.reports.empty());
}

TEST_F(CourierTest, AHandedOverRunKeepsItsLeaseToTheEndOfTheAttempt) {
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.started.wait());
  carrier_.finish(first_.grant, {.ending = Ending::kHandedOver});
  ASSERT_TRUE(source_.handed_over.wait());
  courier_->stop();
  // Of the hour that it has. Usual heartbeats may come before and after; a lease only grows.
  EXPECT_GT(std::ranges::max(source_.leases), 30min);
  EXPECT_TRUE(source_.returned.empty());
}

// A store that restarts refuses quickly and often.
TEST_F(CourierTest, AHandedOverRunIsNotLostWithARefusal) {
  source_.offer({first_});
  source_.be_deaf_to_beats(30);
  begin({.queue = "q", .lease = 30s, .grace = 0s, .pause_after_error = 1ms});
  ASSERT_TRUE(carrier_.started.wait());
  carrier_.finish(first_.grant, {.ending = Ending::kHandedOver});
  EXPECT_TRUE(source_.handed_over.wait());
}

TEST_F(CourierTest, StoppingGivesBackWhatIsUnderWay) {
  source_.offer({first_});
  begin();
  ASSERT_TRUE(carrier_.started.wait());
  courier_->stop();
  EXPECT_EQ(carrier_.last_dropped, first_.grant);
  ASSERT_EQ(source_.returned.size(), 1U);
  EXPECT_EQ(source_.returned[0], std::pair(first_.grant, Duration(0s)));
}

TEST_F(CourierTest, AsksForNothingWhileNobodyCouldCarryIt) {
  carrier_.is_ready = false;
  source_.offer({first_});
  begin();
  EXPECT_EQ(source_.asked.times(), 0);
  carrier_.is_ready = true;
  EXPECT_TRUE(carrier_.started.wait());
}

TEST_F(CourierTest, HoldsNoMoreThanItMay) {
  source_.offer({first_, delivery_no(2)});
  source_.offer({delivery_no(3)});
  begin({.queue = "q", .most_at_once = 2, .grace = 0s});
  ASSERT_TRUE(carrier_.started.wait(2));
  EXPECT_EQ(courier_->in_hand(), 2U);
  EXPECT_EQ(carrier_.started.times(), 2);
  carrier_.finish(first_.grant, succeeded("1"));
  EXPECT_TRUE(carrier_.started.wait(3));
}

}  // namespace
}  // namespace belfry::deliver

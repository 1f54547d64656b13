#include "service/jobs/registrar.h"

#include "base/condition.h"
#include "base/mutex.h"
#include "base/real_clock.h"
#include "store/sqlite/sqlite_store.h"
#include "store/wrappers/intercepted_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;

constexpr auto kLong = 60s;
constexpr Instant kNow = from_unix_seconds(1'800'000'000);

// Registrations stop at the door until they are let in, one by one.
class Door {
 public:
  template <typename Call>
  auto operator()(const store::Transaction&, Call call) -> decltype(call()) {
    {
      const MutexLock lock(shared_->mutex);
      ++shared_->arrived;
      shared_->changed.notify_all();
      while (shared_->let_in == 0) shared_->changed.wait_for(shared_->mutex, kLong);
      --shared_->let_in;
    }
    return call();
  }

  void let_in(int count) {
    const MutexLock lock(shared_->mutex);
    shared_->let_in += count;
    shared_->changed.notify_all();
  }
  // Waits until `count` have come since the beginning; false if they do not.
  bool await(int count) {
    const RealClock clock;
    const BootInstant end = clock.boot_now() + kLong;
    const MutexLock lock(shared_->mutex);
    while (shared_->arrived < count && clock.boot_now() < end) {
      shared_->changed.wait_for(shared_->mutex, 1s);
    }
    return shared_->arrived >= count;
  }
  int arrived() {
    const MutexLock lock(shared_->mutex);
    return shared_->arrived;
  }

 private:
  struct Shared {
    Mutex mutex;
    Condition changed;
    int arrived BELFRY_GUARDED_BY(mutex) = 0;
    int let_in BELFRY_GUARDED_BY(mutex) = 0;
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

class RegistrarTest : public testing::Test {
 protected:
  RegistrarTest()
      : store_(*store::open_sqlite({.path = ":memory:", .now = [] { return kNow; }})),
        doored_(*store_, door_) {}
  ~RegistrarTest() override {
    door_.let_in(1'000);
    for (std::thread& thread : threads_) thread.join();
  }

  // From a thread of its own, as a call does.
  void submit(std::size_t jobs) {
    Registrar::Request request;
    for (std::size_t i = 0; i < jobs; ++i) {
      core::JobDefinition definition{.name = "job-" + std::to_string(++made_), .job_type = "t"};
      definition.schedule.cron_expression = "* * * * *";
      request.jobs.push_back(
          {.tenant = TenantId(1), .region = RegionNo(0), .definition = definition});
    }
    auto answered = std::make_shared<std::promise<bool>>();
    answers_.push_back(answered->get_future());
    threads_.emplace_back([this, answered, request = std::move(request)]() mutable {
      registrar_.submit(std::move(request), [answered](const auto& registered) {
        answered->set_value(registered.has_value());
      });
      ++returned_;
    });
  }
  // Those beyond the first ones at work return at once, and leave theirs to others.
  void await_returned(int count) {
    while (returned_ < count) std::this_thread::yield();
  }
  void expect_all_answered() {
    for (auto& answer : answers_) {
      ASSERT_EQ(answer.wait_for(kLong), std::future_status::ready);
      EXPECT_TRUE(answer.get());
    }
  }

  Door door_;
  std::unique_ptr<store::Store> store_;
  store::InterceptedStore<Door> doored_;
  engine::Observer observer_;
  Registrar registrar_{doored_, observer_};
  std::vector<std::thread> threads_;
  std::vector<std::future<bool>> answers_;
  std::atomic<int> returned_ = 0;
  int made_ = 0;
};

TEST_F(RegistrarTest, AFewThatComeBesideAShortTransactionShareTheNext) {
  submit(1);
  ASSERT_TRUE(door_.await(1));
  for (int i = 0; i < 5; ++i) submit(1);
  await_returned(5);
  EXPECT_EQ(door_.arrived(), 1);
  door_.let_in(2);
  expect_all_answered();
  EXPECT_EQ(door_.arrived(), 2);
}

TEST_F(RegistrarTest, ManyGetASecondTransaction) {
  submit(1);
  ASSERT_TRUE(door_.await(1));
  for (int i = 0; i < 16; ++i) submit(1);
  EXPECT_TRUE(door_.await(2));
  door_.let_in(2);
  expect_all_answered();
}

TEST_F(RegistrarTest, NobodyWaitsForALongOne) {
  submit(500);
  ASSERT_TRUE(door_.await(1));
  submit(1);
  EXPECT_TRUE(door_.await(2));
  door_.let_in(2);
  expect_all_answered();
}

}  // namespace
}  // namespace belfry::service

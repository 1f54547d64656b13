#include "net/server/work_pool.h"

#include "tests/support/event.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace belfry::net {
namespace {

using test::Event;

TEST(WorkPoolTest, SaysWhenItIsFull) {
  Event go;
  Event done;
  Event begun;
  WorkPool pool(1, 2);
  const auto work = [&] {
    begun.happen();
    go.wait();
    done.happen();
  };
  EXPECT_TRUE(pool.try_submit(work));
  ASSERT_TRUE(begun.wait());
  EXPECT_TRUE(pool.try_submit(work));
  EXPECT_TRUE(pool.try_submit(work));
  EXPECT_EQ(pool.queued(), 2U);
  EXPECT_FALSE(pool.try_submit(work));
  go.happen();
  EXPECT_TRUE(done.wait(3));
}

TEST(WorkPoolTest, FinishesWhatItTook) {
  std::atomic<int> done = 0;
  WorkPool pool(2, 1000);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(pool.try_submit([&] { ++done; }));
  pool.stop();
  EXPECT_EQ(done, 1000);
  EXPECT_FALSE(pool.try_submit([&] { ++done; }));
  pool.stop();
}

TEST(WorkPoolTest, TakesWorkFromManyThreads) {
  std::atomic<int> done = 0;
  std::atomic<int> taken = 0;
  WorkPool pool(3, 8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 500; ++j) taken += pool.try_submit([&] { ++done; }) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  pool.stop();
  EXPECT_EQ(done, taken);
}

}  // namespace
}  // namespace belfry::net

#include "net/server/work_pool.h"

#include "tests/support/event.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
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
  WorkPool pool(2, 1200);  // of which one payer may have five sixths
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

// Keeps one of the pool's threads until `go`.
void occupy(WorkPool& pool, Event& go, const std::string& payer) {
  Event begun;
  const auto work = [&] {
    begun.happen();
    go.wait();
  };
  ASSERT_TRUE(pool.try_submit(work, {.payer = payer}));
  ASSERT_TRUE(begun.wait());
}

TEST(WorkPoolTest, PayersTakeTurns) {
  Event go;
  Event end;
  Event done;
  std::vector<std::string> order;
  WorkPool pool(1, 100);
  occupy(pool, go, "first");
  occupy(pool, end, "second");  // so that one thread does all that follows
  const auto note = [&](const std::string& payer) {
    return pool.try_submit(
        [&order, &done, payer] {
          order.push_back(payer);
          done.happen();
        },
        {.payer = payer});
  };
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(note("greedy"));
  EXPECT_TRUE(note("other"));
  go.happen();
  ASSERT_TRUE(done.wait(11));
  EXPECT_EQ(order[1], "other");
  end.happen();
}

TEST(WorkPoolTest, OnePayerLeavesAThreadForOthers) {
  Event go;
  Event begun;
  Event done;
  WorkPool pool(2, 100);
  const auto stuck = [&] {
    begun.happen();
    go.wait();
  };
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(pool.try_submit(stuck, {.payer = "greedy"}));
  ASSERT_TRUE(begun.wait(2));
  EXPECT_TRUE(pool.try_submit([&] { done.happen(); }, {.payer = "other"}));
  EXPECT_TRUE(done.wait());
  EXPECT_EQ(begun.times(), 2);
  go.happen();
}

TEST(WorkPoolTest, OnePayerDoesNotFillTheQueue) {
  Event go;
  WorkPool pool(1, 100);
  occupy(pool, go, "first");
  occupy(pool, go, "second");
  while (pool.try_submit([] {}, {.payer = "greedy"})) {
  }
  EXPECT_TRUE(pool.try_submit([] {}, {.payer = "other"}));
  go.happen();
}

TEST(WorkPoolTest, WhatIsVitalIsDoneWhileAllElseIsStuck) {
  Event go;
  Event beaten;
  WorkPool pool(1, 2);
  occupy(pool, go, "first");
  occupy(pool, go, "second");
  while (pool.try_submit([] {})) {
  }
  EXPECT_TRUE(pool.try_submit([&] { beaten.happen(); }, {.is_vital = true}));
  EXPECT_TRUE(beaten.wait());
  go.happen();
}

}  // namespace
}  // namespace belfry::net

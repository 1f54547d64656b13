#include "base/rng.h"
#include "core/book/run_book.h"

#include <gtest/gtest.h>

#include <map>

namespace belfry::core {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNow = from_unix_seconds(1'800'000'000);
constexpr PartitionNo kPartition(7);
const std::string kHttp = "HTTP *";
using Numbers = std::vector<std::uint64_t>;

class RunBookTypesTest : public testing::Test {
 protected:
  RunBookTypesTest() { book.open(kPartition); }

  void put(std::uint64_t number, const std::string& type, const std::string& queue = "",
           std::uint64_t tenant = 1) {
    book.put({.run = {JobId(number << 16 | kPartition.value()), RunKey(1)},
              .tenant = TenantId(tenant),
              .queue = queue.empty() ? type : queue,
              .type = type,
              .due = kNow - 1min + Duration(number)});
  }
  void limit(const std::string& type, const TypeLimits& limits, std::uint64_t tenant = 1) {
    limits_.push_back({TenantId(tenant), type, limits});
    book.set_limits(limits_);
  }
  void lift() {
    limits_.clear();
    book.set_limits(limits_);
  }
  Numbers pick(std::size_t most, const std::vector<std::string>& queues, Instant now = kNow) {
    Numbers numbers;
    for (const auto& picked : book.pick({.queues = queues, .most = most}, now)) {
      numbers.push_back(picked.run.job.value() >> 16);
    }
    return numbers;
  }

  std::vector<RunBook::TypeLimit> limits_;
  RunBook book;
};

TEST_F(RunBookTypesTest, NoMoreAreOfferedAtOnceThanCouldStart) {
  for (const std::uint64_t number : {1U, 2U, 3U, 4U}) put(number, "a");
  put(5, "b");
  limit("a", {.max_concurrent = 2});
  EXPECT_EQ(pick(9, {"a", "b"}), (Numbers{1, 2, 5})) << "and what is free goes to others";
  EXPECT_EQ(pick(9, {"a", "b"}), (Numbers{3, 4})) << "the store may have room";
}

TEST_F(RunBookTypesTest, ATypeWithoutRoomIsPutAside) {
  put(1, "a");
  put(2, "b");
  limit("a", {.max_concurrent = 1});
  book.put_aside(TenantId(1), "a", kNow + 100ms);
  EXPECT_FALSE(book.offers({.queues = std::vector<std::string>{"a"}}, kNow));
  EXPECT_EQ(pick(9, {"a", "b"}), Numbers{2});
  EXPECT_EQ(book.next_due(), kNow + 100ms) << "whoever waits is woken then";
  EXPECT_EQ(pick(9, {"a", "b"}, kNow + 100ms), Numbers{1});
  EXPECT_EQ(book.next_due(), std::nullopt);
}

TEST_F(RunBookTypesTest, AnEndBringsBackWhatWaitsForOne) {
  put(1, "a");
  put(2, "b");
  limit("a", {.max_concurrent = 1});
  limit("b", {.starts = 1, .burst = 1});
  book.put_aside(TenantId(1), "a", kNow + 1s);
  book.put_aside(TenantId(1), "b", kNow + 1s);
  book.bring_types_back();
  EXPECT_EQ(pick(9, {"a", "b"}), Numbers{1});
}

TEST_F(RunBookTypesTest, ATypeOfAnotherTenantIsAnotherType) {
  put(1, "a");
  put(2, "a", "", 2);
  limit("a", {.max_concurrent = 1}, 2);
  book.put_aside(TenantId(2), "a", kNow + 1s);
  EXPECT_EQ(pick(9, {"a"}), Numbers{1}) << "and nobody waits for the turn of the one put aside";
}

TEST_F(RunBookTypesTest, TypesInOneQueueHoldUpEachOtherNot) {
  put(1, "a", kHttp);
  put(2, "b", kHttp);
  put(3, "a", kHttp);
  limit("a", {.max_concurrent = 5});
  book.put_aside(TenantId(1), "a", kNow + 1s);
  EXPECT_EQ(pick(9, {kHttp}), Numbers{2});
  EXPECT_EQ(pick(9, {kHttp}, kNow + 1s), (Numbers{1, 3}));
}

TEST_F(RunBookTypesTest, LimitsComeAndGo) {
  for (const std::uint64_t number : {1U, 2U, 3U}) put(number, "a");
  limit("a", {.max_concurrent = 1});
  book.put_aside(TenantId(1), "a", kNow + 1h);
  lift();
  EXPECT_EQ(pick(1, {"a"}), Numbers{1}) << "without a limit nothing is put aside";
  limit("a", {.max_concurrent = 1});
  book.put_aside(TenantId(1), "a", kNow + 1h);
  limits_.clear();
  limit("a", {.max_concurrent = 2});
  EXPECT_EQ(pick(9, {"a"}), (Numbers{2, 3})) << "a higher limit is tried at once";
}

// Whatever comes, goes and is put aside: what is not in anybody's hands is offered as soon as
// nothing is aside, each once.
TEST_F(RunBookTypesTest, NothingIsForgottenOrDoubled) {
  Rng rng(5);
  const std::vector<std::string> types{"a", "b", "c"};
  const std::vector<std::string> queues{"a", "b", "c", kHttp};
  for (int round = 0; round < 300; ++round) {
    book = RunBook();
    book.open(kPartition);
    std::map<std::uint64_t, RunRef> waiting;
    for (std::uint64_t step = 1; step < 60; ++step) {
      const std::string& type = types[rng.below(types.size())];
      switch (rng.below(6)) {
        case 0:
        case 1:
          put(step, type, rng.chance(0.5) ? kHttp : type, 1 + rng.below(2));
          waiting[step] = {JobId(step << 16 | kPartition.value()), RunKey(1)};
          break;
        case 2:
          limits_.clear();
          for (const std::string& each : types) {
            if (rng.chance(0.5)) {
              limits_.push_back({TenantId(1 + rng.below(2)), each, {.max_concurrent = 2}});
            }
          }
          book.set_limits(limits_);
          break;
        case 3: book.put_aside(TenantId(1 + rng.below(2)), type, kNow + 1s); break;
        case 4:
          for (const std::uint64_t number : pick(1 + rng.below(4), queues)) {
            ASSERT_TRUE(waiting.contains(number));
            if (rng.chance(0.5)) {
              book.put_back(waiting.at(number));
            } else {
              book.remove(waiting.at(number));
              waiting.erase(number);
            }
          }
          break;
        default: book.bring_types_back();
      }
    }
    for (;;) {
      const Numbers more = pick(100, queues, kNow + 1h);
      if (more.empty()) break;
      for (const std::uint64_t number : more) ASSERT_EQ(waiting.erase(number), 1U);
    }
    ASSERT_TRUE(waiting.empty()) << "round " << round;
  }
}

}  // namespace
}  // namespace belfry::core

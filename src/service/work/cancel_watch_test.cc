#include "service/work/cancel_watch.h"

#include "store/sqlite/sqlite_store.h"
#include "store/wrappers/intercepted_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace belfry::service {
namespace {

// Counts the looks.
struct Count {
  template <typename Call>
  auto operator()(const store::Transaction& transaction, Call call) -> decltype(call()) {
    if (std::string_view(transaction.name) == "facts_of") ++*looks;
    return call();
  }
  std::shared_ptr<int> looks = std::make_shared<int>(0);
};

class CancelWatchTest : public testing::Test {
 protected:
  CancelWatchTest()
      : inner_(*store::open_sqlite(
            {.path = ":memory:", .now = [] { return from_unix_seconds(1'800'000'000); }})),
        store_(*inner_, count_),
        watch_(store_, [this](Duration delay, std::function<void()> work) {
          later_.emplace_back(delay, std::move(work));
        }) {}

  // What it asked to be called back for, once.
  void pass_time() {
    for (auto& [delay, work] : std::exchange(later_, {})) work();
  }
  int looks() const { return *count_.looks; }

  Count count_;
  std::unique_ptr<store::Store> inner_;
  store::InterceptedStore<Count> store_;
  std::vector<std::pair<Duration, std::function<void()>>> later_;
  CancelWatch watch_;
  const store::RunGrant grant_{{JobId(1), core::RunKey(1)}, Fence(1)};
};

TEST_F(CancelWatchTest, WhatIsOverAtTheNextLookIsNeverAskedFor) {
  watch_.add(grant_, [](const store::RunGrant&) {});
  watch_.poke();
  pass_time();
  EXPECT_EQ(looks(), 0);
  watch_.remove(grant_);
  pass_time();
  pass_time();
  EXPECT_EQ(looks(), 0);
  EXPECT_TRUE(later_.empty());  // it rests until it is poked
}

TEST_F(CancelWatchTest, WhatIsStillHeldThenIsAskedForWithoutAnotherPoke) {
  watch_.add(grant_, [](const store::RunGrant&) {});
  watch_.poke();
  pass_time();
  pass_time();
  EXPECT_EQ(looks(), 1);
}

}  // namespace
}  // namespace belfry::service

#include "store/sqlite/sqlite_store.h"
#include "tests/store/suite.h"

namespace belfry::store {

namespace {

class SqliteFixture final : public StoreFixture {
 public:
  SqliteFixture() {
    store_ = must(open_sqlite({.path = ":memory:", .now = [this] { return clock_.wall_now(); }}));
  }
  Store& store() override { return *store_; }
  ManualClock& clock() override { return clock_; }

 private:
  ManualClock clock_{kStart};
  std::unique_ptr<Store> store_;
};

}  // namespace

std::vector<StoreFactory> factories() {
  return {{"Sqlite", [] { return std::make_unique<SqliteFixture>(); }}};
}

}  // namespace belfry::store

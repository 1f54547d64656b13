#include "store/postgres/postgres_store.h"
#include "tests/store/suite.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_server.h"

namespace belfry::store {

namespace {

class PostgresFixture final : public StoreFixture {
 public:
  PostgresFixture() {
    store_ =
        must(open_postgres({.url = test::PostgresServer::shared().fresh_database(),
                            .call_deadline = test::kPatience,
                            .now_override = [this] { return std::optional(clock_.wall_now()); }}));
  }
  Store& store() override { return *store_; }
  ManualClock& clock() override { return clock_; }

 private:
  ManualClock clock_{kStart};
  std::unique_ptr<Store> store_;
};

}  // namespace

std::vector<StoreFactory> factories() {
  return {{"Postgres", [] { return std::make_unique<PostgresFixture>(); }}};
}

}  // namespace belfry::store

#include "store/postgres/postgres_store.h"
#include "tests/store/suite.h"
#include "tests/support/postgres_server.h"

namespace belfry::store {

namespace {

class PostgresBench final : public StoreBench {
 public:
  PostgresBench() {
    store_ =
        must(open_postgres({.url = test::PostgresServer::shared().fresh_database(),
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
  return {{"Postgres", [] { return std::make_unique<PostgresBench>(); }}};
}

}  // namespace belfry::store

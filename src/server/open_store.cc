#include "server/open_store.h"

#include "config/settings.h"
#include "store/common/hint_queue.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"

#include <fcntl.h>
#include <sys/file.h>

namespace belfry::server {
namespace {

constexpr int kApiConnections = 8;

store::PostgresOptions::Prepare meaning_of(config::StorePrepare prepare) {
  using Prepare = store::PostgresOptions::Prepare;
  switch (prepare) {
    case config::StorePrepare::kOn: return Prepare::kOn;
    case config::StorePrepare::kOff: return Prepare::kOff;
    case config::StorePrepare::kAuto: break;
  }
  return Prepare::kAuto;
}

Result<Stores> open_postgres(const std::string& address, config::StorePrepare prepare) {
  // The engine's listener passes on what the API changes.
  const auto hints = std::make_shared<store::HintQueue>();
  const store::PostgresOptions options{
      .url = address, .prepare = meaning_of(prepare), .hints = hints};
  BELFRY_TRY(engine, store::open_postgres(options));
  store::PostgresOptions of_api = options;
  of_api.pool_size = kApiConnections;
  BELFRY_TRY(api, store::open_postgres(of_api));
  return Stores{std::move(engine), std::move(api)};
}

Result<Stores> open(const std::string& address, const Clock& clock, config::StorePrepare prepare) {
  BELFRY_CHECK(check_store_address(address));
  constexpr std::string_view kSqlite = "sqlite:";
  if (address.starts_with(kSqlite)) {
    const std::string path = address.substr(kSqlite.size());
    BELFRY_TRY(opened, store::open_sqlite({.path = path,
                                           .now = [&clock] { return clock.wall_now(); },
                                           .is_alone = path != ":memory:" && serves_alone(path)}));
    const std::shared_ptr<store::Store> both = std::move(opened);
    return Stores{both, both};
  }
  return open_postgres(address, prepare);
}

}  // namespace

Status check_store_address(const std::string& address) {
  for (const char* known : {"sqlite:", "postgres://", "postgresql://"}) {
    if (address.starts_with(known)) return {};
  }
  return fail(Error{.code = Errc::kInvalid,
                    .message = "`" + config::masked(address) + "` is not the address of a store",
                    .field = "store",
                    .hint = "write `sqlite:PATH` or `postgres://user@host/database`"});
}

Result<std::vector<std::string>> pending_migrations(const std::string& address) {
  BELFRY_CHECK(check_store_address(address));
  constexpr std::string_view kSqlite = "sqlite:";
  if (address.starts_with(kSqlite)) return store::pending_sqlite(address.substr(kSqlite.size()));
  return store::pending_postgres({.url = address});
}

bool serves_alone(const std::string& path) {
  const std::string beside = path + ".serving";
  const int file = ::open(beside.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool alone = ::flock(file, LOCK_EX | LOCK_NB) == 0;
  (void)::flock(file, LOCK_SH);
  return alone;
}

Result<Stores> open_stores(const std::string& address, const Clock& clock,
                           store::StoreMetrics& metrics, config::StorePrepare prepare) {
  BELFRY_TRY(stores, open(address, clock, prepare));
  const auto measured = [&](std::shared_ptr<store::Store> store) {
    return std::make_shared<store::MeteredStore>(std::move(store), clock, metrics);
  };
  return Stores{measured(stores.engine), measured(stores.api)};
}

}  // namespace belfry::server

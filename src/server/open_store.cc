#include "server/open_store.h"

#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"

namespace belfry::server {

Result<std::unique_ptr<store::Store>> open_store(const std::string& address, const Clock& clock) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (address.starts_with(kSqlite)) {
    return store::open_sqlite(
        {.path = address.substr(kSqlite.size()), .now = [&clock] { return clock.wall_now(); }});
  }
  if (address.starts_with("postgres://") || address.starts_with("postgresql://")) {
    return store::open_postgres({.url = address});
  }
  return fail(Error{.code = Errc::kInvalid,
                    .message = "`" + address + "` is not the address of a store",
                    .field = "--store",
                    .hint = "write `sqlite:PATH` or `postgres://user@host/database`"});
}

}  // namespace belfry::server

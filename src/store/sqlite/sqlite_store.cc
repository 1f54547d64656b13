#include "store/sqlite/sqlite_store.h"

#include "store/sqlite/admin/chores.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/wire/migrate.h"

#include <utility>

namespace belfry::store {
namespace sqlite {

Status SqliteStore::prepare(bool is_alone) {
  {
    const MutexLock lock(mutex_);
    BELFRY_CHECK(migrate(*db_, now_()));
  }
  return write([&](const Session& session) -> Status {
    if (is_alone) BELFRY_CHECK(session.db.run(kEndLeases, session.now));
    return put_defaults(session);
  });
}

}  // namespace sqlite

Result<std::unique_ptr<Store>> open_sqlite(SqliteOptions options) {
  BELFRY_TRY(db, sqlite::Db::open(options.path));
  const bool is_alone = options.is_alone;
  auto store = std::make_unique<sqlite::SqliteStore>(std::move(db), std::move(options));
  BELFRY_CHECK(store->prepare(is_alone));
  return store;
}

}  // namespace belfry::store

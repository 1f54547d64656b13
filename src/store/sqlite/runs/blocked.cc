#include "store/sqlite/runs/blocked.h"

#include "store/sqlite/sql.h"

#include <optional>

namespace belfry::store::sqlite {

Status block(const Session& session, const core::RunRef& run) {
  BELFRY_CHECK(session.db.run(kSetBlocked, run, true));
  return {};
}

Status unblock_next(const Session& session, JobId job) {
  std::optional<core::RunKey> next;
  const auto read = [&](Row& row) { row.read(next.emplace()); };
  BELFRY_CHECK(session.db.first(kNextBlocked, read, job));
  if (next) BELFRY_CHECK(session.db.run(kSetBlocked, core::RunRef{job, *next}, false));
  return {};
}

}  // namespace belfry::store::sqlite

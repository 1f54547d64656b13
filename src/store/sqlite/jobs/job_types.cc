#include "store/common/access_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {
namespace {

constexpr std::int64_t kMostLookedAt = 20'000;

JobType read_type(Row& row) {
  JobType type;
  core::TypeLimits& limits = type.limits;
  core::TypeDefaults& defaults = type.defaults;
  row.read(type.tenant, type.name, limits.max_concurrent, limits.starts, limits.per, limits.burst);
  row.read(defaults.max_attempts, defaults.timeout, defaults.start_within, defaults.misfire_grace);
  row.read(type.updated_at, type.updated_by);
  return type;
}

Result<std::optional<JobType>> type_named(const Session& session, TenantId tenant,
                                          const std::string& name) {
  std::optional<JobType> type;
  const auto read = [&](Row& row) { type = read_type(row); };
  BELFRY_CHECK(session.db.first(kFindType, read, tenant, name));
  return type;
}

Result<JobType> find_type(const Session& session, TenantId tenant, const std::string& name) {
  BELFRY_TRY(type, type_named(session, tenant, name));
  if (!type) return fail(no_such_type(name));
  return *std::move(type);
}

}  // namespace

Result<JobType> SqliteStore::put_type(const JobType& type, const Author& author) {
  return write([&](const Session& session) -> Result<JobType> {
    BELFRY_TRY(others, session.db.value<std::size_t>(kCountTypes, type.tenant, type.name));
    if (others >= kMostTypes) return fail(too_many_types());
    BELFRY_TRY(before, type_named(session, type.tenant, type.name));
    const core::TypeLimits& limits = type.limits;
    const core::TypeDefaults& defaults = type.defaults;
    BELFRY_CHECK(session.db.run(kPutType, type.tenant, type.name, limits.max_concurrent,
                                limits.starts, limits.per, limits.burst, defaults.max_attempts,
                                defaults.timeout, defaults.start_within, defaults.misfire_grace,
                                author.actor, session.now));
    if (limits.any()) BELFRY_CHECK(session.db.run(kCountRunningOfType, type.tenant, type.name));
    BELFRY_TRY(put, sqlite::find_type(session, type.tenant, type.name));
    BELFRY_CHECK(note_audit(session, author, note_of_type(before, put)));
    return put;
  });
}

Result<JobType> SqliteStore::find_type(TenantId tenant, const std::string& name) {
  return read([&](const Session& session) { return sqlite::find_type(session, tenant, name); });
}

Result<std::vector<JobType>> SqliteStore::list_types(TenantId tenant, const std::string& after,
                                                     std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<JobType>> {
    std::vector<JobType> types;
    const auto add = [&](Row& row) { types.push_back(read_type(row)); };
    BELFRY_CHECK(session.db.each(kListTypes, add, tenant, after, limit));
    return types;
  });
}

Status SqliteStore::delete_type(TenantId tenant, const std::string& name, const Author& author) {
  return write([&](const Session& session) -> Status {
    BELFRY_TRY(type, sqlite::find_type(session, tenant, name));
    BELFRY_CHECK(session.db.run(kDeleteType, tenant, name));
    return note_audit(session, author, note_of_deleted_type(type));
  });
}

Result<std::vector<TypeLoad>> SqliteStore::type_loads() {
  return read([&](const Session& session) -> Result<std::vector<TypeLoad>> {
    std::vector<TypeLoad> loads;
    const auto add = [&](Row& row) {
      TypeLoad& load = loads.emplace_back();
      core::TypeLimits& limits = load.type.limits;
      std::optional<Instant> paid_until;
      row.read(load.type.tenant, load.type.name, limits.max_concurrent, limits.starts, limits.per,
               limits.burst, paid_until, load.held, load.queue, load.waiting, load.waiting_since);
      load.room = core::room_of(limits, load.held, paid_until, session.now);
    };
    BELFRY_CHECK(session.db.each(kTypeLoads, add, session.now, kMostLookedAt));
    return loads;
  });
}

}  // namespace belfry::store::sqlite

#include "store/common/access_rules.h"
#include "store/postgres/admin/audit.h"
#include "store/postgres/implementation.h"
#include "store/postgres/runs/limits_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

constexpr std::int64_t kMostLookedAt = 20'000;

std::optional<std::int64_t> maybe_number(Row& row) {
  const bool is_null = row.next_is_null();
  const std::int64_t number = row.number();
  return is_null ? std::nullopt : std::optional(number);
}

std::optional<Duration> maybe_duration(Row& row) {
  const auto micros = maybe_number(row);
  return micros ? std::optional(Duration(*micros)) : std::nullopt;
}

JobType read_type(Row row) {
  JobType type;
  type.tenant = TenantId(to_unsigned(row.number()));
  type.name = row.text();
  type.limits = read_limits(row);
  if (const auto attempts = maybe_number(row)) {
    type.defaults.max_attempts = static_cast<std::int32_t>(*attempts);
  }
  type.defaults.timeout = maybe_duration(row);
  type.defaults.start_within = maybe_duration(row);
  type.defaults.misfire_grace = maybe_duration(row);
  type.updated_at = row.instant();
  type.updated_by = row.text();
  return type;
}

Params type_named(TenantId tenant, const std::string& name) {
  return Params().bigint(to_bigint(tenant.value())).text(name);
}

Params params_of(std::optional<Instant> now, const JobType& type, const Author& author) {
  const auto micros = [](std::optional<Duration> duration) {
    return duration ? std::optional(duration->count()) : std::nullopt;
  };
  const core::TypeLimits& limits = type.limits;
  Params params;
  params.instant(now).bigint(to_bigint(type.tenant.value())).text(type.name);
  params.integer(limits.max_concurrent).integer(limits.starts).bigint(limits.per.count());
  params.integer(limits.burst).maybe_bigint(type.defaults.max_attempts);
  params.maybe_bigint(micros(type.defaults.timeout));
  params.maybe_bigint(micros(type.defaults.start_within));
  params.maybe_bigint(micros(type.defaults.misfire_grace)).text(author.actor);
  return params;
}

}  // namespace

// What was being granted while the type got its first limit is counted once that has committed.
Result<JobType> PostgresStore::put_type(const JobType& type, const Author& author) {
  JobType put;
  const auto write = [&](Transaction& transaction) -> Status {
    BELFRY_TRY(others, transaction.run(kCountTypes, type_named(type.tenant, type.name)));
    if (others.row(0).number() >= to_bigint(kMostTypes)) return fail(too_many_types());
    std::optional<JobType> before;
    BELFRY_TRY(old, transaction.run(kTypeBefore, type_named(type.tenant, type.name)));
    if (!old.empty()) before = read_type(old.row(0));
    BELFRY_TRY(reply, transaction.run(kPutType, params_of(now(), type, author)));
    put = read_type(reply.row(0));
    return note_audit(transaction, now(), author, note_of_type(before, put));
  };
  BELFRY_CHECK(database_.transaction(write));
  if (type.limits.any()) {
    BELFRY_CHECK(database_.write(kCountRunningOfType, type_named(type.tenant, type.name)));
  }
  return put;
}

Result<JobType> PostgresStore::find_type(TenantId tenant, const std::string& name) {
  BELFRY_TRY(reply, database_.read(kFindType, type_named(tenant, name)));
  if (reply.empty()) return fail(no_such_type(name));
  return read_type(reply.row(0));
}

Result<std::vector<JobType>> PostgresStore::list_types(TenantId tenant, const std::string& after,
                                                       std::size_t limit) {
  BELFRY_TRY(reply, database_.read(kListTypes, type_named(tenant, after).bigint(to_bigint(limit))));
  return read_all(reply, read_type);
}

Status PostgresStore::delete_type(TenantId tenant, const std::string& name, const Author& author) {
  return database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(gone, transaction.run(kDeleteType, type_named(tenant, name)));
    if (gone.empty()) return fail(no_such_type(name));
    return note_audit(transaction, now(), author, note_of_deleted_type(read_type(gone.row(0))));
  });
}

Result<std::vector<TypeLoad>> PostgresStore::type_loads() {
  BELFRY_TRY(reply, database_.read(kTypeLoads, Params().instant(now()).bigint(kMostLookedAt)));
  return read_all(reply, [](Row row) {
    TypeLoad load;
    load.type.tenant = TenantId(to_unsigned(row.number()));
    load.type.name = row.text();
    load.type.limits = read_limits(row);
    const auto paid_until = row.maybe_instant();
    load.held = row.number();
    load.room = core::room_of(load.type.limits, load.held, paid_until, row.instant());
    load.queue = row.text();
    load.waiting = row.number();
    load.waiting_since = row.maybe_instant();
    return load;
  });
}

}  // namespace belfry::store::postgres

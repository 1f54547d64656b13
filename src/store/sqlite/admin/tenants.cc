#include "store/common/access_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/admin/tenant_row.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

Result<TenantId> write_tenant(const Session& session, const Tenant& tenant) {
  if (tenant.id.value() == 0) {
    return session.db.value<TenantId>(kAddTenant, tenant.name, tenant.weight, tenant.max_in_flight,
                                      tenant.max_jobs, tenant.max_requests, session.now);
  }
  BELFRY_TRY(updated,
             session.db.run(kChangeTenant, tenant.name, tenant.weight, tenant.max_in_flight,
                            tenant.max_jobs, tenant.max_requests, tenant.id));
  if (updated == 0) return fail(no_such_tenant());
  return tenant.id;
}

}  // namespace

Tenant read_tenant(Row& row) {
  Tenant tenant;
  row.read(tenant.id, tenant.name, tenant.weight, tenant.max_in_flight, tenant.max_jobs,
           tenant.max_requests, tenant.created_at);
  return tenant;
}

Result<TenantId> SqliteStore::put_tenant(const Tenant& tenant, const Author& author) {
  return write([&](const Session& session) -> Result<TenantId> {
    std::optional<Tenant> before;
    const auto read = [&](Row& row) { before = read_tenant(row); };
    if (tenant.id.value() == 0) {
      BELFRY_CHECK(session.db.first(kFindTenantByName, read, tenant.name));
    } else {
      BELFRY_CHECK(session.db.first(kFindTenant, read, tenant.id));
    }
    BELFRY_TRY(id, write_tenant(session, tenant));
    if (tenant.max_in_flight > 0) BELFRY_CHECK(session.db.run(kCountRunning, id));
    BELFRY_CHECK(note_audit(session, author, note_of_tenant(id, before, tenant)));
    return id;
  });
}

Result<Tenant> SqliteStore::find_tenant(TenantId tenant) {
  return read([&](const Session& session) -> Result<Tenant> {
    Tenant result;
    const auto read = [&](Row& row) { result = read_tenant(row); };
    BELFRY_TRY(found, session.db.first(kFindTenant, read, tenant));
    if (!found) return fail(no_such_tenant());
    return result;
  });
}

Result<Tenant> SqliteStore::find_tenant(const std::string& name) {
  return read([&](const Session& session) -> Result<Tenant> {
    Tenant result;
    const auto read = [&](Row& row) { result = read_tenant(row); };
    BELFRY_TRY(found, session.db.first(kFindTenantByName, read, name));
    if (!found) return fail(no_such_tenant());
    return result;
  });
}

Result<std::vector<Tenant>> SqliteStore::list_tenants(const std::string& after, std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<Tenant>> {
    std::vector<Tenant> tenants;
    const auto add = [&](Row& row) { tenants.push_back(read_tenant(row)); };
    BELFRY_CHECK(session.db.each(kListTenants, add, after, limit));
    return tenants;
  });
}

}  // namespace belfry::store::sqlite

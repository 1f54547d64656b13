#include "store/common/access_rules.h"
#include "store/postgres/admin/audit.h"
#include "store/postgres/admin/tenant_row.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

Result<Tenant> found(const Reply& reply) {
  if (reply.empty()) return fail(no_such_tenant());
  Row row = reply.row(0);
  return read_tenant(row);
}

}  // namespace

Tenant read_tenant(Row& row) {
  Tenant tenant;
  tenant.id = TenantId(to_unsigned(row.number()));
  tenant.name = row.text();
  tenant.weight = static_cast<std::int32_t>(row.number());
  tenant.max_in_flight = static_cast<std::int32_t>(row.number());
  tenant.max_jobs = static_cast<std::int32_t>(row.number());
  tenant.max_requests = static_cast<std::int32_t>(row.number());
  tenant.created_at = row.instant();
  return tenant;
}

Result<TenantId> PostgresStore::put_tenant(const Tenant& tenant, const Author& author) {
  const bool is_new = tenant.id.value() == 0;
  Params params;
  if (is_new) {
    params.instant(now());
  } else {
    params.bigint(to_bigint(tenant.id.value()));
  }
  params.text(tenant.name).integer(tenant.weight).integer(tenant.max_in_flight);
  params.integer(tenant.max_jobs).integer(tenant.max_requests);
  TenantId id;
  const auto put = [&](Transaction& transaction) -> Status {
    std::optional<Tenant> before;
    BELFRY_TRY(there,
               transaction.run(kTenantBefore,
                               Params().bigint(to_bigint(tenant.id.value())).text(tenant.name)));
    if (!there.empty()) {
      Row row = there.row(0);
      before = read_tenant(row);
    }
    BELFRY_TRY(reply, transaction.run(is_new ? kAddTenant : kChangeTenant, params));
    if (reply.empty()) return fail(no_such_tenant());
    id = TenantId(to_unsigned(reply.row(0).number()));
    if (tenant.max_in_flight > 0) {
      BELFRY_TRY(counted, transaction.run(kCountRunning, Params().bigint(to_bigint(id.value()))));
    }
    return note_audit(transaction, now(), author, note_of_tenant(id, before, tenant));
  };
  BELFRY_CHECK(database_.transaction(put));
  return id;
}

Result<Tenant> PostgresStore::find_tenant(TenantId tenant) {
  BELFRY_TRY(reply, database_.read(kFindTenant, Params().bigint(to_bigint(tenant.value()))));
  return found(reply);
}

Result<Tenant> PostgresStore::find_tenant(const std::string& name) {
  BELFRY_TRY(reply, database_.read(kFindTenantByName, Params().text(name)));
  return found(reply);
}

Result<std::vector<Tenant>> PostgresStore::list_tenants(const std::string& after,
                                                        std::size_t limit) {
  BELFRY_TRY(reply, database_.read(kListTenants, Params().text(after).bigint(to_bigint(limit))));
  return read_all(reply, [](Row row) { return read_tenant(row); });
}

}  // namespace belfry::store::postgres

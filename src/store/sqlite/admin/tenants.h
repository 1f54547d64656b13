#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <string>
#include <vector>

// TenantStore, function by function; store/tenants.h says what each one does.
namespace belfry::store::sqlite {

Result<TenantId> put_tenant(const Session& session, const Tenant& tenant, const Author& author);
Result<Tenant> find_tenant(const Session& session, TenantId tenant);
Result<Tenant> find_tenant(const Session& session, const std::string& name);
Result<std::vector<Tenant>> list_tenants(const Session& session, const std::string& after,
                                         std::size_t limit);

// The columns that all statements about tenants select in the same order.
Tenant read_tenant(Row& row);

}  // namespace belfry::store::sqlite

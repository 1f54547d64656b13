#pragma once

#include "store/postgres/wire/reply.h"
#include "store/tenants.h"

namespace belfry::store::postgres {

// The columns that all statements about tenants select in the same order.
Tenant read_tenant(Row& row);

}  // namespace belfry::store::postgres

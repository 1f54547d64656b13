#pragma once

#include "store/sqlite/wire/values.h"
#include "store/tenants.h"

namespace belfry::store::sqlite {

// The columns that all statements about tenants select in the same order.
Tenant read_tenant(Row& row);

}  // namespace belfry::store::sqlite

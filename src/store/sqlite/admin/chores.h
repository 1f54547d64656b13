#pragma once

#include "base/result.h"
#include "store/sqlite/wire/session.h"

namespace belfry::store::sqlite {

// What every database has: region 0 and tenant 1, both named `default`.
Status put_defaults(const Session& session);

}  // namespace belfry::store::sqlite

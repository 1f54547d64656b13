#pragma once

#include "core/job_type.h"
#include "store/postgres/wire/reply.h"

namespace belfry::store::postgres {

// max_concurrent, starts, per, burst.
inline core::TypeLimits read_limits(Row& row) {
  core::TypeLimits limits;
  limits.max_concurrent = static_cast<std::int32_t>(row.number());
  limits.starts = static_cast<std::int32_t>(row.number());
  limits.per = Duration(row.number());
  limits.burst = static_cast<std::int32_t>(row.number());
  return limits;
}

}  // namespace belfry::store::postgres

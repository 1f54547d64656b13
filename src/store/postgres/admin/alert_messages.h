#pragma once

#include "store/alerts.h"
#include "store/postgres/wire/bind.h"

namespace belfry::store::postgres {

// The arguments of kPutAlertMessage.
Params params_of(std::optional<Instant> now, const AlertFindings::Message& message,
                 std::int64_t notice);

}  // namespace belfry::store::postgres

#pragma once

#include "store/ledger.h"
#include "store/postgres/wire/reply.h"
#include "store/runs.h"

namespace belfry::store::postgres {

// A row of the view run_rows.
RunRow read_run(Row row);
// A row of the views live_rows and past_rows.
RunRow read_listed(Row& row);
// What the statements about skips select.
SkipRow read_skip(Row row);

}  // namespace belfry::store::postgres

#pragma once

#include "store/ledger.h"
#include "store/postgres/wire/reply.h"
#include "store/runs.h"

#include <string>

namespace belfry::store::postgres {

// A row of the view run_rows.
RunRow read_run(Row row);
// A row of the views live_rows_2 and past_rows_2.
RunRow read_listed(Row& row);
// The node that does the work itself; empty if a worker does.
std::string holder_text(const Taker& taker);
// What the statements about skips select.
SkipRow read_skip(Row row);

}  // namespace belfry::store::postgres

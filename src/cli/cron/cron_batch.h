#pragma once

#include "core/cron/field.h"

#include <iosfwd>

namespace belfry::cli {

// `belfry cron next --batch`: for each line `EXPR<TAB>ZONE<TAB>START` the next five instants
// strictly after START, in UTC, blank-separated; fewer end with `-`. `ERROR <reason>` for a line
// that is refused. Further columns are ignored. `@every` is anchored at START.
void next_batch(std::istream& in, std::ostream& out, core::Dialect dialect);

// `belfry cron resolve --batch`: for each line `EXPR<TAB>KEY` the expression with every
// `H` resolved.
void resolve_batch(std::istream& in, std::ostream& out, core::Dialect dialect);

}  // namespace belfry::cli

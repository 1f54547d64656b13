#pragma once

#include "base/result.h"
#include "store/author.h"
#include "store/postgres/database.h"
#include "store/rows.h"

#include <span>

namespace belfry::store::postgres {

struct NewJobRow {
  const JobRow* job;  // complete, its id and times as well
  const Author* author;
};

// Writes new jobs with their labels, first revisions, audit and events, in the order given. A name
// or an id that is taken is kConflict.
Status write_new_jobs(Transaction& transaction, std::span<const NewJobRow> rows);

}  // namespace belfry::store::postgres

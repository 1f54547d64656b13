#pragma once

#include "base/result.h"
#include "store/author.h"
#include "store/postgres/database.h"
#include "store/rows.h"

#include <cstddef>
#include <span>
#include <vector>

namespace belfry::store::postgres {

struct NewJobRow {
  const JobRow* job;  // complete, its id and times as well
  const Author* author;
};

// From here on it is cheaper to COPY jobs than to insert them by one statement; about, by
// ./dev bench register.
inline constexpr std::size_t kWorthCopying = 200;

// Both write new jobs with their labels, first revisions, audit and events, in the order given. A
// name or an id that is taken is kConflict.
std::vector<Statement> insertion(std::span<const NewJobRow> rows);
Status copy_new_jobs(Transaction& transaction, std::span<const NewJobRow> rows);

}  // namespace belfry::store::postgres

#pragma once

#include "base/result.h"
#include "store/author.h"
#include "store/jobs.h"
#include "store/postgres/wire/database.h"

#include <cstddef>
#include <span>
#include <vector>

namespace belfry::store::postgres {

struct NewJobRow {
  const JobRow* job;  // complete, its id and times as well
  const Author* author;
};

// From about this many jobs on, COPY is cheaper than one insert statement; measured by ./dev
// bench register.
inline constexpr std::size_t kWorthCopying = 200;

// The server's numbers for the composite types of what is inserted; each database has its own.
struct RowTypes {
  TypeOid job{};
  TypeOid revision{};
  TypeOid label{};
  TypeOid audit{};
};
RowTypes read_types(Row& row);  // from its next four columns

// Whether somebody has found out that the jobs may be made: that tenants and regions are there,
// names free, quotas not used up. If not, the statement does, and writes all of them or none.
enum class LetIn : std::uint8_t { kAlready, kAskFirst };

// Both write new jobs with their labels, first revisions, audit and events, in the order given. A
// name or an id that is taken is kConflict.
Result<Statement> insertion(std::span<const NewJobRow> rows, const RowTypes& types, LetIn let_in);
Status copy_new_jobs(Transaction& transaction, std::span<const NewJobRow> rows);

}  // namespace belfry::store::postgres

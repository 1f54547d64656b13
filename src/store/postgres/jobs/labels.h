#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/postgres/wire/database.h"

#include <span>

// The table job_labels, kept by the transactions that change jobs. No labels, no cost.
namespace belfry::store::postgres {

// Whether a change touches what job_labels says of a job.
bool is_relabelled(const JobRow& before, const JobRow& after);

// Before the job's row changes.
Status drop_labels(Transaction& transaction, std::span<const JobRow* const> jobs);
// After the jobs' rows were written; those that are deleted get none.
Status add_labels(Transaction& transaction, std::span<const JobRow* const> jobs);

}  // namespace belfry::store::postgres

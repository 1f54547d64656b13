#include "store/jobs.h"

#include "store/decisions.h"

#include <utility>

namespace belfry::store {

JobStore::Registered JobStore::register_jobs(const Registration& request, const Settle& settle) {
  BELFRY_TRY(answers, register_all({&request, 1}, settle));
  return std::move(answers.at(0));
}

Result<std::vector<JobRow>> JobStore::create_jobs(std::span<const NewJob> jobs) {
  BELFRY_TRY(registered, register_jobs({.jobs = jobs}, {}));
  std::vector<JobRow> rows;
  rows.reserve(registered.size());
  for (RegisteredJob& job : registered) rows.push_back(std::move(job.job));
  return rows;
}

}  // namespace belfry::store

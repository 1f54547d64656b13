#include "store/jobs.h"

#include <utility>

namespace belfry::store {

JobStore::Registered JobStore::register_jobs(const Registration& request) {
  BELFRY_TRY(answers, register_all({&request, 1}));
  return std::move(answers.at(0));
}

Result<std::vector<JobRow>> JobStore::create_jobs(std::span<const NewJob> jobs) {
  BELFRY_TRY(registered, register_jobs({.jobs = jobs}));
  std::vector<JobRow> rows;
  rows.reserve(registered.size());
  for (RegisteredJob& job : registered) rows.push_back(std::move(job.job));
  return rows;
}

}  // namespace belfry::store

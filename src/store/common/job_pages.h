#pragma once

#include "store/listing.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

// Makes a page of jobs from what a store reads, in the same way for every store. A list walks along
// the names of one index, chosen for having few of them, and reads the jobs that may match.
namespace belfry::store {

// One index to walk along.
struct JobWalk {
  enum class Along : std::uint8_t { kAll, kStatus, kType, kLabel, kFailing, kCheckIns };
  Along along = Along::kAll;
  core::JobStatus status{};  // with kStatus; any but active
  std::string text;          // with kType (any but the default) and kLabel
};

class JobReader {
 public:
  virtual ~JobReader() = default;

  // The names after `after`, in order.
  virtual Result<std::vector<std::string>> names(const JobWalk& walk, const std::string& after,
                                                 std::size_t most) = 0;
  // The jobs with these names that match status, type, labels and failing, in the names' order.
  virtual Result<std::vector<JobRow>> jobs(std::span<const std::string> names,
                                           const JobFilter& filter) = 0;
};

// ListingStore::list_jobs.
Result<JobPage> page_of_jobs(JobReader& reader, const JobFilter& filter, const std::string& after,
                             std::size_t limit);

}  // namespace belfry::store

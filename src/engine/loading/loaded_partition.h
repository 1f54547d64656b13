#pragma once

#include "core/job.h"
#include "core/schedule/schedule.h"
#include "store/decisions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace belfry::engine {

// What jobs with the same terms have in common.
struct SharedTerms {
  core::Schedule schedule;
  core::JobPolicies policies;
};

// The jobs of a partition, read and sorted for a timetable: 8 bytes for most of them. As they were
// at a version of an era; jobs that changed since then are read again by whoever uses this.
struct LoadedPartition {
  PartitionNo partition;
  Instant decided_through;
  store::JobsVersion version;
  store::Era era;

  // Jobs that were there before `decided_through`.
  struct Group {
    std::shared_ptr<const SharedTerms> terms;
    std::uint32_t begin = 0;  // in `ids`
    std::uint32_t end = 0;
    std::optional<Instant> first;  // their first tick after `decided_through`
  };
  std::vector<Group> groups;
  std::vector<JobId> ids;

  // Jobs whose definition begins later.
  struct Newcomer {
    JobId id;
    Instant effective_from;
    std::shared_ptr<const SharedTerms> terms;
  };
  std::vector<Newcomer> newcomers;

  struct Once {
    JobId id;
    Instant effective_from;
    Instant at;
  };
  std::vector<Once> once;

  std::vector<store::JobRow> whole;
  std::vector<JobId> gone;  // of changes: these cannot tick any more

  std::span<const JobId> jobs_of(const Group& group) const {
    return std::span(ids).subspan(group.begin, group.end - group.begin);
  }
  std::size_t size() const { return ids.size() + newcomers.size() + once.size() + whole.size(); }
};

}  // namespace belfry::engine

#pragma once

#include "base/result.h"
#include "store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace belfry::service {

// Runs of a tenant's queue (core/queue.h) and a region that were given up because nobody started
// them in time, of jobs of which none was started since. Those that waited for a run of their own
// job are not among them.
struct GivenUpRuns {
  std::string queue;
  TenantId tenant;
  std::optional<RegionNo> region;  // whose workers may have had them; none: any region's
  std::string region_name;         // if there are several
  std::int64_t runs = 0;           // in the last ten minutes
  bool exact = true;               // false: there may be more
  Instant first;                   // when the first of them was to begin
  Instant last_due;                // and the last
  Instant last;                    // when the last was given up
  bool was_served = false;         // somebody worked on others of the queue then, or later
};

// Which runs were lately given up, by what the store says: so every node tells it, whoever gave
// them up. A look reads along the index of what did not end well, for a few tenants only, so that
// it costs the same however many there are; the next goes on with others.
class GivenUpWatch {
 public:
  explicit GivenUpWatch(store::Store& store) : store_(store) {}

  // As of `now`; what was given up longer ago than ten minutes is history.
  Result<std::vector<GivenUpRuns>> look(Instant now);

 private:
  store::Store& store_;
  std::string after_;  // the tenant that was looked at last
  std::map<TenantId, std::vector<GivenUpRuns>> found_;
};

}  // namespace belfry::service

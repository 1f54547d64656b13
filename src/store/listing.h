#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/runs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Lists for people: a page at a time, at a bounded cost whatever the tables hold.
namespace belfry::store {

// A page may be short, or empty, and still not be the last: the store looks at a limited number of
// entries. Only a page without `next` is the last. Nothing is counted.
struct JobFilter {
  TenantId tenant;
  std::optional<core::JobStatus> status = {};  // none: all but deleted ones
  std::optional<std::string> job_type = {};    // or core::checkin_queue(): those with a token
  std::vector<std::string> labels = {};        // each `key=value`; all must match
  std::string text = {};  // part of the name; ASCII letters match in either case
  bool failing = false;   // only those whose last run failed
};

// A run that is over, as far as its job's health is concerned.
struct LastRun {
  core::RunRef run;
  core::RunState state{};
  Instant scheduled_for;
  std::optional<Instant> started_at;
  Instant finished_at;
  std::string error;
  core::DeadReason reason = core::DeadReason::kNone;
};

// How a job has been doing.
struct JobHealth {
  std::optional<LastRun> last;           // by scheduled_for; as long as the history has it
  std::int64_t failures_in_a_row = 0;    // runs that failed since the last success
  std::optional<Instant> failing_since;  // when the first of them did
};

struct JobPage {
  // Without target and payload.
  std::vector<JobRow> jobs;
  // The name to go on after; not necessarily that of a job on this page.
  std::optional<std::string> next;
};

struct RunFilter {
  TenantId tenant;
  std::optional<JobId> job = {};
  std::optional<core::RunState> state = {};
  // Of the time that orders the list (see list_runs): from <= time < to.
  std::optional<Instant> from = {};
  std::optional<Instant> to = {};
  bool with_result = false;
};

struct RunPage {
  std::vector<RunRow> runs;  // without payload, and without result unless asked for
  std::optional<std::string> next;
};

class ListingStore {
 public:
  virtual ~ListingStore() = default;

  // Ordered by the bytes of the name; those after `after`, which is empty for the first page.
  virtual Result<JobPage> list_jobs(const JobFilter& filter, const std::string& after,
                                    std::size_t limit) = 0;

  // How these jobs have been doing, in the order asked.
  virtual Result<std::vector<JobHealth>> health_of(std::span<const JobId> jobs) = 0;

  // With its payload and result. kNotFound when there is none, or it is older than the retention.
  virtual Result<RunRow> find_run(const core::RunRef& run) = 0;

  // Newest first. Of a job: by scheduled_for. Of a tenant: first live runs, by scheduled_for, then
  // past ones, by finished_at. Of a backlog beyond 10,000 live runs only the newest are listed.
  // `cursor` is the `next` of the page before, empty for the first; kInvalid (field: cursor) for
  // any other text.
  virtual Result<RunPage> list_runs(const RunFilter& filter, const std::string& cursor,
                                    std::size_t limit) = 0;
};

}  // namespace belfry::store

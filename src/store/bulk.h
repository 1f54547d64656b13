#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/bulk/job_action.h"
#include "core/bulk/job_selector.h"
#include "store/author.h"
#include "store/jobs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Work on many jobs or runs at once. It is a row that says what is wanted and how far it has come;
// one node at a time holds its lease and goes on from there, batch by batch.
namespace belfry::store {

// What somebody asked for.
struct NewBulk {
  TenantId tenant;
  std::string object;     // jobs, runs
  std::string action;     // pause, …
  std::string selector;   // JSON
  std::string arguments;  // JSON
  std::string note = {};
  Author author = {};
  std::uint64_t total = 0;  // how many matched then
  bool exact = true;        // no: at least as many
  std::optional<std::string> request_key = {};
};

enum class BulkState : std::uint8_t { kRunning = 0, kDone = 1, kStopped = 2 };

struct BulkWork {
  std::uint64_t id = 0;
  NewBulk wanted;
  BulkState state = BulkState::kRunning;
  std::string cursor;  // all up to here has been handled
  std::uint64_t done = 0;
  std::uint64_t skipped = 0;  // nothing to do, or the action is not for them
  std::uint64_t failed = 0;
  std::string error;  // the first one
  Instant created_at;
  std::optional<Instant> finished_at;
};

// A piece of the jobs that a selector means, in the order of their names.
struct SelectedJobs {
  std::vector<std::pair<JobId, std::string>> jobs;
  std::uint64_t matched = 0;        // in the piece; jobs may name only some of them
  std::optional<std::string> next;  // where to go on; none: that was all
};

class BulkStore {
 public:
  virtual ~BulkStore() = default;

  // The same request key again is answered with the work that is there.
  virtual Result<BulkWork> begin_bulk(const NewBulk& wanted) = 0;
  virtual Result<BulkWork> find_bulk(TenantId tenant, std::uint64_t id) = 0;
  // Newest first.
  virtual Result<std::vector<BulkWork>> list_bulk(TenantId tenant,
                                                  std::optional<std::uint64_t> before,
                                                  std::size_t limit) = 0;
  // No further batch is done. Work that is over stays as it is.
  virtual Result<BulkWork> stop_bulk(TenantId tenant, std::uint64_t id, const Author& author) = 0;

  // Work to go on with: nobody's, one's own, or of a node whose lease is over; what was longest
  // left alone first. It is the node's for `lease` from now.
  virtual Result<std::optional<BulkWork>> take_bulk(const Incarnation& node, Duration lease) = 0;

  // Looks at up to `look` names after `after` and counts what matches; names the first `most`.
  struct JobSearch {
    TenantId tenant;
    core::JobSelector selector;
    std::string after = {};
    std::size_t look = 0;
    std::size_t most = 0;
    std::optional<Instant> made_by = {};  // not jobs that are younger
  };
  virtual Result<SelectedJobs> count_selected(const JobSearch& search) = 0;
  // The next jobs, up to `most`.
  virtual Result<SelectedJobs> next_selected(const JobSearch& search) = 0;

  // What is done to each job.
  struct JobDeed {
    core::JobAction action{};
    std::optional<Instant> until = {};  // with kPause
    core::LabelEdit labels = {};        // with kLabel
    bool ends_waiting = false;          // with kCancel, kDelete
  };
  struct Batch {
    BulkWork work;  // as taken
    Incarnation node;
    Duration lease{};
    core::JobSelector selector;
    JobDeed deed;
    std::size_t most = 0;
  };
  struct BatchDone {
    BulkWork work;
    std::vector<std::pair<JobId, Settled>> settled;
  };
  // Changes the next jobs, writes their audit rows and moves the cursor, all or nothing. kConflict:
  // somebody else holds the work, or the cursor is not where `work` says: take it again. So a
  // batch whose reply was lost is never done twice.
  virtual Result<BatchDone> change_selected(const Batch& batch) = 0;

  // The same for what is done one by one, by transactions that may be repeated.
  struct Progress {
    BulkWork work;  // as taken
    Incarnation node;
    Duration lease{};
    std::optional<std::string> next = {};  // none: all is done
    std::uint64_t done = 0;
    std::uint64_t skipped = 0;
    std::uint64_t failed = 0;
    std::string error = {};
  };
  virtual Result<BulkWork> advance_bulk(const Progress& progress) = 0;
};

}  // namespace belfry::store

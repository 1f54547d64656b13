#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/job.h"
#include "core/misfire.h"
#include "store/author.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The definitions: making them, replacing them by name, changing them.
namespace belfry::store {

// A job as the store keeps it.
struct JobRow {
  JobId id;
  TenantId tenant;
  std::uint32_t revision = 1;
  core::JobStatus status = core::JobStatus::kActive;
  Instant effective_from;               // ticks after this belong to this revision
  std::optional<Instant> paused_until;  // with kPaused: resumes by itself
  core::JobDefinition definition;
  std::uint32_t calendar_revision = 0;  // of the rules in definition.schedule.calendar
  Instant created_at = {};              // these two only where a person asked for the job
  Instant updated_at = {};
  std::string paused_by;  // with kPaused: who paused it, if somebody did
  std::string pause_note;
};

// The same, as far as its ticks depend on it. Valid as long as the row.
inline core::JobFacts facts_of(const JobRow& job) {
  return {.tenant = job.tenant,
          .definition = job.definition,
          .status = job.status,
          .paused_until = job.paused_until,
          .effective_from = job.effective_from};
}

// A job as one revision defined it.
struct RevisionRow {
  std::uint32_t revision = 0;
  Instant effective_from;  // ticks after this belong to it, until the next one's
  core::JobStatus status{};
  std::optional<Instant> paused_until;
  std::string name;  // also what `H` and jitter draw from
  std::string job_type;
  core::ScheduleSpec schedule;  // with its calendar, as it was
  core::JobPolicies policies;
  Instant created_at;
  std::string target;  // JSON
  std::string payload;
  // What decides nothing. None of a revision that was written before these were kept.
  std::optional<std::string> labels;  // JSON
  std::optional<std::string> description;
};

struct NewJob {
  TenantId tenant;
  RegionNo region;  // of a job that is made; one that is replaced stays where it is
  core::JobDefinition definition;
};

// An Idempotency-Key. The first request under it is remembered for a day with the jobs it led to;
// the same request again answers with them and changes nothing.
struct IdempotencyKey {
  TenantId tenant;
  std::string key;
  std::string fingerprint;  // of the request: the same key with another one is refused
};

// One request, all or nothing: up to 10,000 jobs.
struct Registration {
  std::span<const NewJob> jobs;
  bool replace = false;  // a name that is taken is replaced instead of refused
  bool paused = false;   // jobs that are made start paused; one that is replaced stays as it is
  bool may_exec = true;  // whoever asks may make and change jobs that run commands
  Author author = {};
  std::optional<IdempotencyKey> idempotency = {};
};

// Ticks of a job that a change of it decided, because nobody else would (core/settle.h).
struct Settled {
  core::Fates fates;
  Instant at;  // the store's clock
};

struct RegisteredJob {
  enum class Outcome : std::uint8_t {
    kCreated,
    kReplaced,   // a new revision; a cancelled or completed job is active again
    kUnchanged,  // it was defined just like that: nothing was written
    kRepeated,   // an earlier request under the same key did it; the job as it is now
  };
  JobRow job;
  Outcome outcome{};
  Settled settled = {};
};

struct ChangedJob {
  JobRow job;
  Settled settled;
};

class JobStore {
 public:
  virtual ~JobStore() = default;

  using NewJob = store::NewJob;

  // Many requests in one transaction. Each is all or nothing by itself and has its own answer, with
  // its jobs in the order asked, so that requests of strangers can share a commit. Its errors:
  //   kConflict        a name is taken or given twice (field: the name), or the idempotency key
  //                    was used for another request (field: idempotency_key)
  //   kNotFound        no such tenant, or no such region
  //   kForbidden       it is about a command, and may_exec is false (check_may_exec)
  //   kQuotaExceeded   a tenant would have more than its max_jobs. Jobs that others create at the
  //                    same moment are not counted
  // A replaced job follows the rules of change_job; only if its schedule, its misfire policy or its
  // status changes are ticks settled and effective_from moved. Repeated after a lost reply, a
  // request with a key answers kRepeated; without one it answers kConflict where it made jobs, and
  // kUnchanged where it replaced them.
  using Registered = Result<std::vector<RegisteredJob>>;
  virtual Result<std::vector<Registered>> register_all(std::span<const Registration> requests) = 0;

  // What an earlier request under the same key led to, all kRepeated; nothing if there was none.
  // kConflict: it was another request.
  virtual Result<std::optional<std::vector<RegisteredJob>>> find_request(
      const IdempotencyKey& idempotency) = 0;

  // One request.
  Registered register_jobs(const Registration& request);
  // On nobody's behalf, and only if all names are free.
  Result<std::vector<JobRow>> create_jobs(std::span<const NewJob> jobs);

  struct JobChange {
    JobId job;
    std::optional<std::uint32_t> if_revision;       // kConflict when it is another
    std::optional<core::JobDefinition> definition;  // a new revision
    std::optional<core::JobStatus> status;
    std::optional<Instant> paused_until;  // with kPaused
    std::string pause_note;               // with kPaused: why; the author is kept as `paused_by`
    bool ends_waiting = false;            // with a status that stops it: cancel all waiting runs
    bool reschedules = true;  // schedule or state changes: settle, and move effective_from
    Author author = {};
  };
  // Ticks of the old revision that are due but not decided yet get their fates in the same
  // transaction, by the old revision; so does the one instant of a new one that was over before it
  // took effect.
  //
  // kNotFound when there is no such job, or it is deleted. Repeating a change that names
  // `if_revision` after a lost reply answers kConflict: read the job to see. A new schedule makes a
  // completed job active again.
  virtual Result<ChangedJob> change_job(const JobChange& change) = 0;

  // By id, deleted jobs are found as well, so that their history can be read. A name is free again
  // once its job is deleted.
  virtual Result<JobRow> find_job(JobId job) = 0;
  virtual Result<JobRow> find_job(TenantId tenant, const std::string& name) = 0;

  // The revisions of a job before `before`, newest first.
  virtual Result<std::vector<RevisionRow>> revisions_of(JobId job,
                                                        std::optional<std::uint32_t> before,
                                                        std::size_t limit) = 0;

  // The revision that a tick at this instant belongs to. kNotFound when the job did not exist then.
  virtual Result<RevisionRow> revision_at(JobId job, Instant at) = 0;
};

}  // namespace belfry::store

#include "store/common/access_rules.h"
#include "store/common/change_rules.h"
#include "store/common/job_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/calendars.h"
#include "store/sqlite/jobs/change_job.h"
#include "store/sqlite/jobs/idempotency.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/jobs/labels.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/ticks/partition_row.h"

#include <algorithm>
#include <map>
#include <utility>

namespace belfry::store::sqlite {

namespace {

using Outcome = RegisteredJob::Outcome;

Result<std::optional<JobRow>> job_named(const Session& session, const NewJob& wanted) {
  std::optional<JobRow> found;
  const auto read = [&](Row& row) { found = read_whole_job(row); };
  BELFRY_CHECK(session.db.first(kFindJobByName, read, wanted.tenant, wanted.definition.name));
  return found;
}

Status insert_job(const Session& session, const JobRow& job, const Author& author) {
  const auto written = write_job(session.db, kInsertJob, job, session.now);
  if (!written) {
    const Errc code = written.error().code;
    if (code == Errc::kConflict) return fail(name_taken(job.definition.name));
    if (code == Errc::kNotFound) return fail(no_such_tenant());
    return fail(written.error());
  }
  BELFRY_CHECK(add_labels(session, job));
  BELFRY_CHECK(copy_calendar(session, job, job));
  BELFRY_CHECK(session.db.run(kAddRevision, job.id, job.definition.target, job.definition.payload,
                              session.now));
  BELFRY_CHECK(audit_job(session, job, {.author = author, .action = "job.create"}));
  session.events.add(job.tenant, JobEvent{job.id, job.revision, job.status});
  return {};
}

Status check_quotas(const Session& session, std::span<RegisteredJob* const> jobs) {
  std::map<TenantId, std::int64_t> added;
  for (const RegisteredJob* made : jobs) ++added[made->job.tenant];
  for (const auto& [tenant, count] : added) {
    std::int64_t existing = 0;
    std::int64_t most = 0;
    const auto read = [&](Row& row) { row.read(existing, most); };
    BELFRY_CHECK(session.db.first(kJobsOfTenant, read, tenant));
    BELFRY_CHECK(check_quota(existing, count, most));
  }
  return {};
}

// A server does its heavy writes before it locks the partitions; SQLite has one lock for all, so
// here each partition is looked at first and its jobs are right at once.
Status create(const Session& session, std::vector<RegisteredJob*> jobs, const Author& author,
              Settler& settler) {
  const auto place = [](const RegisteredJob* made) { return partition_of(made->job.id); };
  std::ranges::stable_sort(jobs, {}, place);
  JobsVersion version;
  Instant effective_from;
  std::optional<PartitionNo> current;
  std::map<std::pair<TenantId, PartitionNo>, std::int64_t> counts;
  for (RegisteredJob* made : jobs) {
    JobRow* const job = &made->job;
    const PartitionNo partition = place(made);
    if (current != partition) {
      BELFRY_TRY(row, read_partition(session, partition));
      effective_from = takes_effect(session.now, row.decided_through, nullptr);
      BELFRY_TRY(raised, session.db.value<JobsVersion>(kRaiseJobsVersion, partition));
      version = raised;
      current = partition;
    }
    job->effective_from = effective_from;
    job->created_at = job->updated_at = session.now;
    BELFRY_CHECK(take_calendar(session, *job));
    BELFRY_CHECK(insert_job(session, *job, author));
    BELFRY_TRY(settled, settle_new(session, *job, settler));
    made->settled = std::move(settled);
    BELFRY_CHECK(session.db.run(kAddJobChange, partition, version, job->id, session.now));
    ++counts[{job->tenant, partition}];
  }
  for (const auto& [where, count] : counts) {
    BELFRY_CHECK(session.db.run(kAddToJobCount, where.first, where.second, count));
  }
  return {};
}

// One request on its way.
class Registering {
 public:
  Registering(const Session& session, const Registration& request, Settler& settler)
      : session_(session), request_(request), settler_(settler) {}

  JobStore::Registered run();
  std::span<const JobId> announced() const { return announced_; }

 private:
  Status replace(RegisteredJob& job, const NewJob& wanted);
  Status create_new();

  const Session& session_;
  const Registration& request_;
  Settler& settler_;
  std::vector<RegisteredJob> jobs_;
  std::vector<JobId> announced_;
};

JobStore::Registered Registering::run() {
  BELFRY_CHECK(check(request_));
  if (request_.idempotency) {
    BELFRY_TRY(earlier, find_request(session_, *request_.idempotency));
    if (earlier) {
      for (JobRow& job : *earlier) jobs_.push_back({std::move(job), Outcome::kRepeated});
      return std::move(jobs_);
    }
  }
  for (const NewJob& wanted : request_.jobs) {
    RegisteredJob& job = jobs_.emplace_back();
    job.job.tenant = wanted.tenant;
    job.job.definition = wanted.definition;
    if (request_.replace) BELFRY_CHECK(replace(job, wanted));
    if (job.outcome == Outcome::kCreated) {
      BELFRY_CHECK(check_may_exec(request_, nullptr, wanted));
    }
  }
  BELFRY_CHECK(create_new());
  if (request_.idempotency) BELFRY_CHECK(keep_request(session_, *request_.idempotency, jobs_));
  return std::move(jobs_);
}

Status Registering::replace(RegisteredJob& job, const NewJob& wanted) {
  BELFRY_TRY(before, job_named(session_, wanted));
  if (!before) return {};
  BELFRY_CHECK(check_may_exec(request_, &*before, wanted));
  job.outcome = Outcome::kUnchanged;
  job.job = *before;
  const auto change = replacement(*before, wanted, request_.author);
  if (!change) return {};
  BELFRY_TRY(changed, apply_change(session_, *before, *change, settler_));
  if (change->reschedules) announced_.push_back(changed.job.id);
  job.outcome = Outcome::kReplaced;
  job.job = std::move(changed.job);
  job.settled = std::move(changed.settled);
  return {};
}

Status Registering::create_new() {
  std::vector<RegisteredJob*> made;
  std::vector<const NewJob*> wanted;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].outcome != Outcome::kCreated) continue;
    made.push_back(&jobs_[i]);
    wanted.push_back(&request_.jobs[i]);
  }
  if (made.empty()) return {};
  BELFRY_CHECK(check_quotas(session_, made));
  BELFRY_TRY(before, session_.db.value<std::uint64_t>(kTakeSerials, made.size()));
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i]->job.id = make_job_id(before + i + 1, wanted[i]->region);
    announced_.push_back(made[i]->job.id);
    start_as_asked(made[i]->job, request_);
  }
  return create(session_, std::move(made), request_.author, settler_);
}

// Trouble with a request, not with the store.
bool is_refusal(const Error& error) {
  return error.code == Errc::kConflict || error.code == Errc::kNotFound ||
         error.code == Errc::kInvalid || error.code == Errc::kQuotaExceeded ||
         error.code == Errc::kForbidden;
}

struct Registrations {
  std::vector<JobStore::Registered> answers;
  std::vector<JobId> announced;  // the jobs whose owners should look
};

Result<Registrations> register_each(const Session& session, std::span<const Registration> requests,
                                    Settler& settler) {
  Registrations result;
  result.answers.resize(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const EventCollector before = session.events;
    BELFRY_CHECK(session.db.run(kSavepoint));
    Registering registering(session, requests[i], settler);
    result.answers[i] = registering.run();
    if (result.answers[i]) {
      const auto announced = registering.announced();
      result.announced.insert(result.announced.end(), announced.begin(), announced.end());
    } else if (is_refusal(result.answers[i].error())) {
      BELFRY_CHECK(session.db.run(kRollbackToSavepoint));
      session.events = before;
    } else {
      return fail(result.answers[i].error());
    }
    BELFRY_CHECK(session.db.run(kReleaseSavepoint));
  }
  return result;
}

}  // namespace

Result<std::vector<JobStore::Registered>> SqliteStore::register_all(
    std::span<const Registration> requests) {
  Settler settler = new_settler();
  BELFRY_TRY(done, write([&](const Session& session) {
               return register_each(session, requests, settler);
             }));
  hints_.add_changed(done.announced);
  for (const Registered& answer : done.answers) {
    for (const RegisteredJob& job : answer ? *answer : std::vector<RegisteredJob>()) {
      hints_.add_touched(job.job.id, keys_of_runs(job.settled.fates));
    }
  }
  return std::move(done.answers);
}

}  // namespace belfry::store::sqlite

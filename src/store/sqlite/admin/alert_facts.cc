#include "store/common/alert_jobs.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {
namespace {

// The jobs that there may be something to tell of.
class Search {
 public:
  Search(const Session& session, const AlertQuestion& question, AlertJobs& jobs)
      : session_(session), question_(question), jobs_(jobs) {}

  Status find_failures() {
    const TenantId tenant = question_.tenant;
    if (question_.in_a_row) {
      BELFRY_CHECK(session_.db.each(kAlertFailing, names(), tenant, *question_.in_a_row));
    }
    if (!question_.failed_since) return {};
    const auto add = [&](Row& row) {
      JobId job;
      Instant at;
      row.read(job, at);
      jobs_.at(job).failures.push_back(at);
    };
    return session_.db.each(kAlertFailures, add, tenant, *question_.failed_since);
  }

  Status find_slow() {
    if (question_.live_before) {
      const auto add = [&](Row& row) {
        AlertJobs::Live run;
        row.read(run.job, run.state, run.attempt, run.scheduled_for, run.due_at, run.started_at);
        jobs_.add(run, session_.now);
      };
      BELFRY_CHECK(session_.db.each(kAlertLiveRuns, add, question_.tenant, *question_.live_before));
    }
    if (!question_.begun_since) return {};
    return session_.db.each(kAlertLateRuns, names(), question_.tenant, *question_.begun_since,
                            question_.late_by);
  }

  Status find_lost() {
    if (question_.missed_since) {
      BELFRY_CHECK(
          session_.db.each(kAlertMissed, names(), question_.tenant, *question_.missed_since));
    }
    if (question_.broken) {
      const auto add = [&](Row& row) {
        JobId job;
        std::string reason;
        row.read(job, reason);
        jobs_.at(job).broken = std::move(reason);
      };
      BELFRY_CHECK(session_.db.each(kAlertBroken, add, question_.tenant));
    }
    if (!question_.dead_letters) return {};
    const auto add = [&](Row& row) {
      JobId job;
      std::int64_t count = 0;
      row.read(job, count);
      jobs_.at(job).dead_letters = count;
    };
    return session_.db.each(kAlertDeadLetters, add, question_.tenant);
  }

 private:
  std::function<void(Row&)> names() {
    return [this](Row& row) {
      JobId job;
      row.read(job);
      jobs_.at(job);
    };
  }

  const Session& session_;
  const AlertQuestion& question_;
  AlertJobs& jobs_;
};

Status add_usual(const Session& session, JobId id, core::AlertJob& job) {
  if (!job.runs_since) return {};
  std::vector<Duration> durations;
  const auto add = [&](Row& row) {
    Instant started;
    Instant finished;
    row.read(started, finished);
    durations.push_back(finished - started);
  };
  BELFRY_CHECK(session.db.each(kAlertDurations, add, partition_of(id), id));
  job.usual = core::usual_duration(std::move(durations));
  return {};
}

Status describe(const Session& session, TenantId tenant, JobId id, AlertJobs& jobs) {
  AlertJobs::Facts facts;
  const auto read = [&](Row& row) {
    row.read(facts.job, facts.name, facts.job_type, facts.labels, facts.paused, facts.in_a_row,
             facts.missed);
  };
  BELFRY_TRY(found, session.db.first(kAlertJob, read, tenant, session.now, id));
  if (!found) return {};
  const auto read_last = [&](Row& row) { row.read(facts.last_tick, facts.last_started); };
  BELFRY_CHECK(session.db.first(kAlertLastRun, read_last, partition_of(id), id));
  jobs.describe(facts);
  return {};
}

}  // namespace

Result<std::vector<core::AlertJob>> SqliteStore::alert_facts(const AlertQuestion& question) {
  return read([&](const Session& session) -> Result<std::vector<core::AlertJob>> {
    AlertJobs jobs;
    for (const JobId job : question.also) jobs.at(job);
    Search search(session, question, jobs);
    BELFRY_CHECK(search.find_failures());
    BELFRY_CHECK(search.find_slow());
    BELFRY_CHECK(search.find_lost());
    for (const JobId job : jobs.ids()) {
      if (question.usual) BELFRY_CHECK(add_usual(session, job, jobs.at(job)));
      BELFRY_CHECK(describe(session, question.tenant, job, jobs));
    }
    return jobs.take();
  });
}

}  // namespace belfry::store::sqlite

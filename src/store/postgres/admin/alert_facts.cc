#include "store/common/alert_jobs.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

JobId read_job(Row& row) {
  return JobId(to_unsigned(row.number()));
}

AlertJobs::Live read_live(Row row) {
  AlertJobs::Live run;
  run.job = read_job(row);
  run.state = static_cast<core::RunState>(row.number());
  run.attempt = static_cast<std::uint32_t>(row.number());
  run.scheduled_for = row.instant();
  run.due_at = row.instant();
  run.started_at = row.maybe_instant();
  return run;
}

AlertJobs::Facts read_facts(Row row) {
  AlertJobs::Facts facts;
  facts.job = read_job(row);
  facts.name = row.text();
  facts.job_type = row.text();
  facts.labels = row.text();
  facts.paused = row.boolean();
  facts.in_a_row = row.number();
  facts.last_tick = row.maybe_instant();
  facts.last_started = row.maybe_instant();
  facts.missed = row.maybe_instant();
  return facts;
}

// The jobs that there may be something to tell of.
class Search {
 public:
  Search(Database& database, const AlertQuestion& question, AlertJobs& jobs)
      : database_(database), question_(question), jobs_(jobs) {}

  Status find_failures() {
    if (question_.in_a_row) BELFRY_CHECK(name(kAlertFailing, of().bigint(*question_.in_a_row)));
    if (!question_.failed_since) return {};
    BELFRY_TRY(failed, database_.read(kAlertFailures, of().instant(*question_.failed_since)));
    for (int i = 0; i < failed.size(); ++i) {
      Row row = failed.row(i);
      std::vector<Instant>& failures = jobs_.at(read_job(row)).failures;
      failures.push_back(row.instant());
    }
    return {};
  }

  Status find_slow(Instant now) {
    if (question_.live_before) {
      BELFRY_TRY(live, database_.read(kAlertLiveRuns, of().instant(*question_.live_before)));
      for (int i = 0; i < live.size(); ++i) jobs_.add(read_live(live.row(i)), now);
    }
    if (!question_.begun_since) return {};
    return name(kAlertLateRuns,
                of().instant(*question_.begun_since).bigint(question_.late_by.count()));
  }

  Status find_lost() {
    if (question_.missed_since) {
      BELFRY_CHECK(name(kAlertMissed, of().instant(*question_.missed_since)));
    }
    if (question_.broken) {
      BELFRY_TRY(broken, database_.read(kAlertBroken, of()));
      for (int i = 0; i < broken.size(); ++i) {
        Row row = broken.row(i);
        core::AlertJob& job = jobs_.at(read_job(row));
        job.broken = row.text();
      }
    }
    if (!question_.dead_letters) return {};
    BELFRY_TRY(dead, database_.read(kAlertDeadLetters, of()));
    for (int i = 0; i < dead.size(); ++i) {
      Row row = dead.row(i);
      core::AlertJob& job = jobs_.at(read_job(row));
      job.dead_letters = row.number();
    }
    return {};
  }

 private:
  Params of() const { return Params().bigint(to_bigint(question_.tenant.value())); }

  Status name(std::string_view statement, const Params& params) {
    BELFRY_TRY(found, database_.read(statement, params));
    for (int i = 0; i < found.size(); ++i) {
      Row row = found.row(i);
      jobs_.at(read_job(row));
    }
    return {};
  }

  Database& database_;
  const AlertQuestion& question_;
  AlertJobs& jobs_;
};

Status add_usual(Database& database, AlertJobs& jobs) {
  for (const JobId id : jobs.ids()) {
    if (!jobs.at(id).runs_since) continue;
    BELFRY_TRY(reply, database.read(kAlertDurations, Params().bigint(to_bigint(id.value()))));
    jobs.at(id).usual = core::usual_duration(read_all(reply, [](Row row) {
      const Instant started = row.instant();
      return row.instant() - started;
    }));
  }
  return {};
}

}  // namespace

Result<std::vector<core::AlertJob>> PostgresStore::alert_facts(const AlertQuestion& question) {
  AlertJobs jobs;
  for (const JobId job : question.also) jobs.at(job);
  BELFRY_TRY(at, clock());
  Search search(database_, question, jobs);
  BELFRY_CHECK(search.find_failures());
  BELFRY_CHECK(search.find_slow(at));
  BELFRY_CHECK(search.find_lost());
  if (question.usual) BELFRY_CHECK(add_usual(database_, jobs));
  std::vector<std::int64_t> ids;
  for (const JobId job : jobs.ids()) ids.push_back(to_bigint(job.value()));
  if (ids.empty()) return std::vector<core::AlertJob>();
  BELFRY_TRY(described,
             database_.read(
                 kAlertJobs,
                 Params().bigint(to_bigint(question.tenant.value())).instant(now()).bigints(ids)));
  for (int i = 0; i < described.size(); ++i) jobs.describe(read_facts(described.row(i)));
  return jobs.take();
}

}  // namespace belfry::store::postgres

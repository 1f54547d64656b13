#include "store/common/job_pages.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

class Reader final : public JobReader {
 public:
  Reader(const Session& session, TenantId tenant)
      : db_(session.db), now_(session.now), tenant_(tenant) {}

  Result<std::vector<std::string>> names(const JobWalk& walk, const std::string& after,
                                         std::size_t most) override {
    std::vector<std::string> names;
    const auto add = [&](Row& row) { row.read(names.emplace_back()); };
    switch (walk.along) {
      case JobWalk::Along::kAll:
        BELFRY_CHECK(db_.each(kNamesOfAll, add, tenant_, after, most));
        break;
      case JobWalk::Along::kStatus:
        BELFRY_CHECK(db_.each(kNamesOfStatus, add, tenant_, after, most, walk.status));
        break;
      case JobWalk::Along::kType:
        BELFRY_CHECK(db_.each(kNamesOfType, add, tenant_, after, most, walk.text));
        break;
      case JobWalk::Along::kFailing:
        BELFRY_CHECK(db_.each(kNamesOfFailing, add, tenant_, after, most));
        break;
      case JobWalk::Along::kCheckIns:
        BELFRY_CHECK(db_.each(kNamesOfCheckins, add, tenant_, after, most));
        break;
      case JobWalk::Along::kLabel:
        BELFRY_CHECK(db_.each(kNamesOfLabel, add, tenant_, after, most, walk.text));
        break;
    }
    return names;
  }

  Result<std::vector<JobRow>> jobs(std::span<const std::string> names,
                                   const JobFilter& filter) override {
    std::vector<JobRow> jobs;
    const auto add = [&](Row& row) { jobs.push_back(read_whole_job(row)); };
    for (const std::string& name : names) {
      BELFRY_TRY(labelled, has_labels(name, filter.labels));
      if (!labelled) continue;
      BELFRY_CHECK(db_.first(kListedJob, add, tenant_, name, filter.status, filter.job_type, now_,
                             filter.failing));
    }
    return jobs;
  }

 private:
  Result<bool> has_labels(const std::string& name, const std::vector<std::string>& labels) {
    for (const std::string& label : labels) {
      BELFRY_TRY(found, db_.first(kHasLabel, [](Row&) {}, tenant_, label, name));
      if (!found) return false;
    }
    return true;
  }

  Db& db_;
  Instant now_;
  TenantId tenant_;
};

}  // namespace

Result<std::vector<JobHealth>> SqliteStore::health_of(std::span<const JobId> jobs) {
  return read([&](const Session& session) -> Result<std::vector<JobHealth>> {
    std::vector<JobHealth> all;
    for (const JobId job : jobs) {
      JobHealth& health = all.emplace_back();
      const auto read_last = [&](Row& row) {
        LastRun& last = health.last.emplace();
        last.run.job = job;
        row.read(last.run.key, last.state, last.scheduled_for, last.started_at, last.finished_at,
                 last.error, last.reason);
      };
      BELFRY_CHECK(session.db.first(kLastRunOf, read_last, partition_of(job), job));
      const auto read_failures = [&](Row& row) {
        row.read(health.failures_in_a_row, health.failing_since);
      };
      BELFRY_CHECK(session.db.first(kFailuresOf, read_failures, job));
    }
    return all;
  });
}

Result<JobPage> SqliteStore::list_jobs(const JobFilter& filter, const std::string& after,
                                       std::size_t limit) {
  return read([&](const Session& session) -> Result<JobPage> {
    Reader reader(session, filter.tenant);
    return page_of_jobs(reader, filter, after, limit);
  });
}

}  // namespace belfry::store::sqlite

#include "store/common/job_pages.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

class Reader final : public JobReader {
 public:
  Reader(Database& database, TenantId tenant, std::optional<Instant> now)
      : database_(database), tenant_(tenant), now_(now) {}

  Result<std::vector<std::string>> names(const JobWalk& walk, const std::string& after,
                                         std::size_t most) override {
    Params params;
    params.bigint(to_bigint(tenant_.value())).text(after).bigint(to_bigint(most));
    if (walk.along == JobWalk::Along::kStatus) params.smallint(static_cast<int>(walk.status));
    const bool has_text =
        walk.along == JobWalk::Along::kType || walk.along == JobWalk::Along::kLabel;
    if (has_text) params.text(walk.text);
    BELFRY_TRY(reply, database_.read(statement_of(walk.along), params));
    return read_all(reply, [](Row row) { return row.text(); });
  }

  Result<std::vector<JobRow>> jobs(std::span<const std::string> names,
                                   const JobFilter& filter) override {
    std::optional<std::int64_t> status;
    if (filter.status) status = static_cast<std::int64_t>(*filter.status);
    Params params;
    params.bigint(to_bigint(tenant_.value()))
        .texts(std::vector<std::string_view>(names.begin(), names.end()))
        .maybe_smallint(status)
        .maybe_text(filter.job_type)
        .texts(std::vector<std::string_view>(filter.labels.begin(), filter.labels.end()))
        .instant(now_)
        .boolean(filter.failing);
    BELFRY_TRY(reply, database_.read(kJobsNamed, params));
    return read_all(reply, read_whole_job);
  }

 private:
  static std::string_view statement_of(JobWalk::Along along) {
    switch (along) {
      case JobWalk::Along::kStatus: return kNamesOfStatus;
      case JobWalk::Along::kType: return kNamesOfType;
      case JobWalk::Along::kLabel: return kNamesOfLabel;
      case JobWalk::Along::kFailing: return kNamesOfFailing;
      case JobWalk::Along::kCheckIns: return kNamesOfCheckins;
      case JobWalk::Along::kAll: break;
    }
    return kNamesOfAll;
  }

  Database& database_;
  TenantId tenant_;
  std::optional<Instant> now_;
};

JobHealth read_health(JobId job, Row row) {
  constexpr int kColumnsOfLast = 7;
  JobHealth health;
  if (row.next_is_null()) {
    row.skip(kColumnsOfLast);
  } else {
    LastRun& last = health.last.emplace();
    last.run = {job, core::RunKey(row.number())};
    last.state = static_cast<core::RunState>(row.number());
    last.scheduled_for = row.instant();
    last.started_at = row.maybe_instant();
    last.finished_at = row.instant();
    last.error = row.text();
    last.reason = static_cast<core::DeadReason>(row.number());
  }
  health.failures_in_a_row = row.number();
  health.failing_since = row.maybe_instant();
  return health;
}

}  // namespace

Result<std::vector<JobHealth>> PostgresStore::health_of(std::span<const JobId> jobs) {
  std::vector<std::int64_t> ids;
  for (const JobId job : jobs) ids.push_back(to_bigint(job.value()));
  BELFRY_TRY(reply, database_.read(kHealthOf, Params().bigints(ids)));
  std::vector<JobHealth> all;
  for (int i = 0; i < reply.size(); ++i) {
    all.push_back(read_health(jobs[static_cast<std::size_t>(i)], reply.row(i)));
  }
  return all;
}

Result<JobPage> PostgresStore::list_jobs(const JobFilter& filter, const std::string& after,
                                         std::size_t limit) {
  Reader reader(database_, filter.tenant, now());
  return page_of_jobs(reader, filter, after, limit);
}

}  // namespace belfry::store::postgres

#include "store/common/run_pages.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/runs/ledger.h"
#include "store/postgres/sql.h"

#include <limits>

namespace belfry::store::postgres {
namespace {

constexpr int kRunColumns = 17;  // of read_run

// A row of the views live_rows and past_rows.
RunRow read_listed(Row& row) {
  RunRow run = read_run(row);
  row.skip(kRunColumns);
  run.tenant = TenantId(to_unsigned(row.number()));
  run.job_name = row.text();
  run.job_type = row.text();
  run.max_attempts = static_cast<std::int32_t>(row.number());
  run.due_at = row.maybe_instant();
  run.lease_until = row.maybe_instant();
  run.deadline = row.maybe_instant();
  run.cancel_requested = row.boolean();
  return run;
}

class Reader final : public RunReader {
 public:
  explicit Reader(Database& database) : database_(database) {}

  Result<std::vector<RunRow>> live_of_job(JobId job, const Ask& ask) override {
    return runs(ask.order == Order::kNewestFirst ? kLiveOfJob : kLiveOfJobUpwards,
                params_of(job.value(), ask));
  }
  Result<std::vector<RunRow>> past_of_job(JobId job, const Ask& ask) override {
    return runs(ask.order == Order::kNewestFirst ? kPastOfJob : kPastOfJobUpwards,
                params_of(job.value(), ask));
  }
  Result<std::vector<RunRow>> live_of_tenant(TenantId tenant, const Ask& ask) override {
    return runs(kLiveOfTenant, params_of(tenant.value(), ask));
  }
  Result<std::vector<RunRow>> past_of_tenant(TenantId tenant, const Ask& ask) override {
    return runs(kPastOfTenant, params_of(tenant.value(), ask));
  }
  Result<std::vector<RunRow>> unhappy_of_tenant(TenantId tenant, core::RunState state,
                                                const Ask& ask) override {
    Params params = params_of(tenant.value(), ask);
    return runs(kUnhappyOfTenant, params.smallint(static_cast<int>(state)));
  }
  Result<std::vector<SkipRow>> skips_of_job(JobId job, const Ask& ask) override {
    Params params;
    params.bigint(to_bigint(job.value())).instant(ask.from).instant(ask.to);
    params.instant(ask.after.at).bigint(to_bigint(ask.most));
    BELFRY_TRY(
        reply,
        database_.read(ask.order == Order::kNewestFirst ? kSkipsDownwards : kSkipsUpwards, params));
    return read_all(reply, read_skip);
  }

  Status add_results(std::span<RunRow> runs) override {
    std::vector<std::int64_t> jobs;
    std::vector<std::int64_t> keys;
    std::vector<std::optional<Instant>> scheduled;
    std::vector<std::optional<Instant>> finished;
    for (const RunRow& run : runs) {
      jobs.push_back(to_bigint(run.run.job.value()));
      keys.push_back(run.run.key.value());
      scheduled.emplace_back(run.scheduled_for);
      finished.push_back(run.finished_at);
    }
    BELFRY_TRY(reply,
               database_.read(
                   kResultsOf,
                   Params().bigints(jobs).bigints(keys).instants(scheduled).instants(finished)));
    for (int i = 0; i < reply.size(); ++i) {
      Row row = reply.row(i);
      const std::uint64_t place = to_unsigned(row.number()) - 1;
      runs[place].result = row.text();
    }
    return {};
  }

 private:
  static Params params_of(std::uint64_t whose, const Ask& ask) {
    Params params;
    params.bigint(to_bigint(whose)).instant(ask.from).instant(ask.to);
    params.instant(ask.after.at).bigint(to_bigint(ask.after.run.job.value()));
    params.bigint(ask.after.run.key.value()).bigint(to_bigint(ask.most));
    return params;
  }
  Result<std::vector<RunRow>> runs(std::string_view statement, const Params& params) {
    BELFRY_TRY(reply, database_.read(statement, params));
    return read_all(reply, [](Row row) { return read_listed(row); });
  }

  Database& database_;
};

RevisionRow read_revision(Row row) {
  RevisionRow revision;
  revision.revision = static_cast<std::uint32_t>(row.number());
  revision.effective_from = row.instant();
  revision.status = static_cast<core::JobStatus>(row.number());
  revision.paused_until = row.maybe_instant();
  revision.name = row.text();
  revision.job_type = row.text();
  read_schedule(revision.schedule, row);
  read_policies(revision.policies, row);
  revision.schedule.calendar_rules = row.text();
  revision.created_at = row.instant();
  return revision;
}

Params revisions_params(JobId job, std::uint32_t before, Instant at, std::size_t limit) {
  Params params;
  params.bigint(to_bigint(job.value())).integer(before).instant(at).bigint(to_bigint(limit));
  return params;
}

constexpr std::uint32_t kNoRevision = std::numeric_limits<std::int32_t>::max();

}  // namespace

Result<RunRow> PostgresStore::find_run(const core::RunRef& run) {
  const auto params = Params().bigint(to_bigint(run.job.value())).bigint(run.key.value());
  // In this order: a run that ends in between is found rather than missed.
  for (const std::string_view statement : {kShowRun, kShowPastRun}) {
    BELFRY_TRY(reply, database_.read(statement, params));
    if (reply.empty()) continue;
    Row row = reply.row(0);
    RunRow found = read_listed(row);
    found.payload = row.text();
    return found;
  }
  return fail(Errc::kNotFound, "there is no such run");
}

Result<RunPage> PostgresStore::list_runs(const RunFilter& filter, const std::string& cursor,
                                         std::size_t limit) {
  Reader reader(database_);
  return page_of_runs(reader, filter, cursor, limit);
}

Result<LedgerPage> PostgresStore::ledger(const LedgerWindow& window, const std::string& cursor,
                                         std::size_t limit) {
  Reader reader(database_);
  return page_of_ledger(reader, window, cursor, limit);
}

Result<std::vector<RevisionRow>> PostgresStore::revisions_of(JobId job,
                                                             std::optional<std::uint32_t> before,
                                                             std::size_t limit) {
  BELFRY_TRY(reply, database_.read(kRevisionsOf, revisions_params(job, before.value_or(kNoRevision),
                                                                  Instant::max(), limit)));
  return read_all(reply, read_revision);
}

Result<RevisionRow> PostgresStore::revision_at(JobId job, Instant at) {
  BELFRY_TRY(reply, database_.read(kRevisionsOf, revisions_params(job, kNoRevision, at, 1)));
  if (reply.empty()) return fail(Errc::kNotFound, "the job did not exist then");
  return read_revision(reply.row(0));
}

}  // namespace belfry::store::postgres

#include "store/postgres/runs/run_reader.h"

#include "store/postgres/implementation.h"
#include "store/postgres/runs/run_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {

Result<std::vector<RunRow>> PostgresRunReader::live_of_job(JobId job, const Ask& ask) {
  return runs(ask.order == Order::kNewestFirst ? kLiveOfJob : kLiveOfJobUpwards,
              params_of(job.value(), ask));
}

Result<std::vector<RunRow>> PostgresRunReader::past_of_job(JobId job, const Ask& ask) {
  return runs(ask.order == Order::kNewestFirst ? kPastOfJob : kPastOfJobUpwards,
              params_of(job.value(), ask));
}

Result<std::vector<RunRow>> PostgresRunReader::live_of_tenant(TenantId tenant, const Ask& ask) {
  return runs(kLiveOfTenant, params_of(tenant.value(), ask));
}

Result<std::vector<RunRow>> PostgresRunReader::past_of_tenant(TenantId tenant, const Ask& ask) {
  return runs(kPastOfTenant, params_of(tenant.value(), ask));
}

Result<std::vector<RunRow>> PostgresRunReader::unhappy_of_tenant(TenantId tenant,
                                                                 core::RunState state,
                                                                 const Ask& ask) {
  Params params = params_of(tenant.value(), ask);
  return runs(kUnhappyOfTenant, params.smallint(static_cast<int>(state)));
}

Result<std::vector<SkipRow>> PostgresRunReader::skips_of_job(JobId job, const Ask& ask) {
  Params params;
  params.bigint(to_bigint(job.value())).instant(ask.from).instant(ask.to);
  params.instant(ask.after.at).bigint(to_bigint(ask.most));
  BELFRY_TRY(
      reply,
      database_.read(ask.order == Order::kNewestFirst ? kSkipsDownwards : kSkipsUpwards, params));
  return read_all(reply, read_skip);
}

Status PostgresRunReader::add_results(std::span<RunRow> runs) {
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
  BELFRY_TRY(
      reply,
      database_.read(kResultsOf,
                     Params().bigints(jobs).bigints(keys).instants(scheduled).instants(finished)));
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const std::uint64_t place = to_unsigned(row.number()) - 1;
    runs[place].result = row.text();
  }
  return {};
}

Params PostgresRunReader::params_of(std::uint64_t whose, const Ask& ask) {
  Params params;
  params.bigint(to_bigint(whose)).instant(ask.from).instant(ask.to);
  params.instant(ask.after.at).bigint(to_bigint(ask.after.run.job.value()));
  params.bigint(ask.after.run.key.value()).bigint(to_bigint(ask.most));
  return params;
}

Result<std::vector<RunRow>> PostgresRunReader::runs(std::string_view statement,
                                                    const Params& params) {
  BELFRY_TRY(reply, database_.read(statement, params));
  return read_all(reply, [](Row row) { return read_listed(row); });
}

}  // namespace belfry::store::postgres

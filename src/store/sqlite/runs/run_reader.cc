#include "store/sqlite/runs/run_reader.h"

#include "store/sqlite/runs/run_row.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<std::vector<RunRow>> SqliteRunReader::of_job(std::string_view sql, JobId job,
                                                    const Ask& ask) {
  std::vector<RunRow> runs;
  const auto add = [&](Row& row) { runs.push_back(read_listed(row)); };
  BELFRY_CHECK(db_.each(sql, add, partition_of(job), job, ask.from, ask.to, ask.after.at,
                        ask.after.run.job, ask.after.run.key, ask.most));
  return runs;
}

template <typename... More>
Result<std::vector<RunRow>> SqliteRunReader::of_tenant(std::string_view sql, TenantId tenant,
                                                       const Ask& ask, const More&... more) {
  std::vector<RunRow> runs;
  const auto add = [&](Row& row) { runs.push_back(read_listed(row)); };
  BELFRY_CHECK(db_.each(sql, add, tenant, ask.from, ask.to, ask.after.at, ask.after.run.job,
                        ask.after.run.key, ask.most, more...));
  return runs;
}

Result<std::vector<RunRow>> SqliteRunReader::live_of_job(JobId job, const Ask& ask) {
  return of_job(ask.order == Order::kNewestFirst ? kLiveOfJob : kLiveOfJobUpwards, job, ask);
}

Result<std::vector<RunRow>> SqliteRunReader::past_of_job(JobId job, const Ask& ask) {
  return of_job(ask.order == Order::kNewestFirst ? kPastOfJob : kPastOfJobUpwards, job, ask);
}

Result<std::vector<RunRow>> SqliteRunReader::live_of_tenant(TenantId tenant, const Ask& ask) {
  return of_tenant(kLiveOfTenant, tenant, ask);
}

Result<std::vector<RunRow>> SqliteRunReader::past_of_tenant(TenantId tenant, const Ask& ask) {
  return of_tenant(kPastOfTenant, tenant, ask);
}

Result<std::vector<RunRow>> SqliteRunReader::unhappy_of_tenant(TenantId tenant,
                                                               core::RunState state,
                                                               const Ask& ask) {
  return of_tenant(kUnhappyOfTenant, tenant, ask, state);
}

Result<std::vector<SkipRow>> SqliteRunReader::skips_of_job(JobId job, const Ask& ask) {
  std::vector<SkipRow> skips;
  const auto add = [&](Row& row) { skips.push_back(read_skip(row)); };
  const bool down = ask.order == Order::kNewestFirst;
  BELFRY_CHECK(db_.each(down ? kSkipsDownwards : kSkipsUpwards, add, partition_of(job), job,
                        ask.from, ask.to, ask.after.at, ask.most));
  return skips;
}

Status SqliteRunReader::add_results(std::span<RunRow> runs) {
  for (RunRow& run : runs) {
    const auto read = [&](Row& row) { row.read(run.result); };
    BELFRY_CHECK(db_.first(kResultOf, read, run.run, run.scheduled_for, run.finished_at));
  }
  return {};
}

}  // namespace belfry::store::sqlite

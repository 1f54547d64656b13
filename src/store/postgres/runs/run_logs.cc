#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <map>

namespace belfry::store::postgres {

Status PostgresStore::put_notes(std::span<const RunNote> notes) {
  // Each grant once; its last note counts.
  std::map<RunGrant, const RunNote*> by_grant;
  for (const RunNote& note : notes) by_grant[note.grant] = &note;
  if (by_grant.empty()) return {};
  std::vector<std::int64_t> jobs;
  std::vector<std::int64_t> keys;
  std::vector<std::int64_t> fences;
  std::vector<std::string_view> logs;
  std::vector<std::int64_t> done;
  std::vector<std::int64_t> total;
  for (const auto& [grant, note] : by_grant) {
    jobs.push_back(to_bigint(grant.run.job.value()));
    keys.push_back(grant.run.key.value());
    fences.push_back(to_bigint(grant.fence.value()));
    logs.push_back(note->log);
    done.push_back(note->progress ? note->progress->done : 0);
    total.push_back(note->progress ? note->progress->total : -1);
  }
  Params params;
  params.instant(now()).bigints(jobs).bigints(keys).bigints(fences);
  params.texts(logs).bigints(done).bigints(total);
  BELFRY_TRY(reply, database_.write(kPutRunLogs, params));
  return {};
}

Result<RunLog> PostgresStore::find_log(const core::RunRef& run, std::optional<AttemptNo> attempt) {
  Params params;
  params.bigint(to_bigint(run.job.value())).bigint(run.key.value());
  params.maybe_bigint(attempt ? std::optional<std::int64_t>(attempt->value()) : std::nullopt);
  BELFRY_TRY(reply, database_.read(kFindRunLog, params));
  if (reply.empty()) return fail(Errc::kNotFound, "there is no log of this run");
  Row row = reply.row(0);
  RunLog log;
  log.attempt = AttemptNo(static_cast<std::uint32_t>(row.number()));
  log.updated_at = row.instant();
  log.log = row.text();
  const bool has_progress = row.boolean();
  const std::int64_t done = row.number();
  const std::int64_t total = row.number();
  if (has_progress) log.progress = RunProgress{done, total};
  return log;
}

}  // namespace belfry::store::postgres

#include "store/sqlite/jobs/idempotency.h"

#include "store/common/change_rules.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/find_job.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

constexpr Duration kKeep = std::chrono::hours(24);

}  // namespace

Result<std::optional<std::vector<JobRow>>> find_request(const Session& session,
                                                        const IdempotencyKey& idempotency) {
  BELFRY_TRY(fingerprint,
             session.db.value<std::optional<std::string>>(kFingerprintOfRequest, idempotency.tenant,
                                                          idempotency.key, session.now - kKeep));
  std::optional<std::vector<JobRow>> jobs;
  if (!fingerprint) return jobs;
  if (*fingerprint != idempotency.fingerprint) return fail(key_taken());
  std::vector<JobId> ids;
  const auto add = [&](Row& row) { row.read(ids.emplace_back()); };
  BELFRY_CHECK(session.db.each(kJobsOfRequest, add, idempotency.tenant, idempotency.key));
  jobs.emplace();
  for (const JobId id : ids) {
    BELFRY_TRY(job, find_job(session, id));
    jobs->push_back(std::move(job));
  }
  return jobs;
}

Status keep_request(const Session& session, const IdempotencyKey& idempotency,
                    std::span<const RegisteredJob> jobs) {
  std::string ids;
  for (const RegisteredJob& job : jobs) {
    ids += (ids.empty() ? "[" : ",") + std::to_string(job.job.id.value());
  }
  ids += ids.empty() ? "[]" : "]";
  BELFRY_CHECK(session.db.run(kKeepRequest, idempotency.tenant, idempotency.key,
                              idempotency.fingerprint, ids, session.now));
  return {};
}

Result<std::optional<std::vector<RegisteredJob>>> SqliteStore::find_request(
    const IdempotencyKey& idempotency) {
  BELFRY_TRY(jobs, read([&](const Session& session) {
               return sqlite::find_request(session, idempotency);
             }));
  return as_repeated(std::move(jobs));
}

}  // namespace belfry::store::sqlite

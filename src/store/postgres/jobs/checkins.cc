#include "store/common/access_rules.h"
#include "store/common/checkin_tokens.h"
#include "store/postgres/admin/audit.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

CheckInRow read_checkin(Row row) {
  CheckInRow checkin;
  checkin.job = JobId(to_unsigned(row.number()));
  checkin.tenant = TenantId(to_unsigned(row.number()));
  checkin.created_at = row.instant();
  checkin.created_by = row.text();
  return checkin;
}

Result<CheckInRow> only_checkin(const Reply& reply) {
  if (reply.empty()) return fail(no_such_checkin());
  return read_checkin(reply.row(0));
}

}  // namespace

Result<CheckInRow> PostgresStore::put_checkin(JobId job, const std::string& token,
                                              const Author& author) {
  CheckInRow checkin;
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(put, transaction.run(kPutCheckin, Params()
                                                     .instant(now())
                                                     .bigint(to_bigint(job.value()))
                                                     .text(digest_of_token(token))
                                                     .text(author.actor)));
    if (put.empty()) return fail(Errc::kNotFound, "there is no such job");
    checkin = read_checkin(put.row(0));
    return note_audit(transaction, now(), author, note_of_checkin(checkin.tenant, job, true));
  }));
  return checkin;
}

Result<CheckInRow> PostgresStore::find_checkin(JobId job) {
  BELFRY_TRY(reply, database_.read(kFindCheckin, Params().bigint(to_bigint(job.value()))));
  return only_checkin(reply);
}

Result<CheckInRow> PostgresStore::find_checkin(const std::string& token) {
  const KeptToken kept = kept_token(token);
  BELFRY_TRY(reply,
             database_.read(kFindCheckinByToken, Params().text(kept.digest).text(kept.clear)));
  return only_checkin(reply);
}

Status PostgresStore::delete_checkin(JobId job, const Author& author) {
  return database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(gone, transaction.run(kDeleteCheckin, Params().bigint(to_bigint(job.value()))));
    if (gone.empty()) return fail(no_such_checkin());
    const TenantId tenant(to_unsigned(gone.row(0).number()));
    return note_audit(transaction, now(), author, note_of_checkin(tenant, job, false));
  });
}

Result<std::size_t> PostgresStore::digest_tokens(const Incarnation& leader, std::size_t most) {
  const auto params = Params().instant(now()).uuid(leader.value()).bigint(to_bigint(most));
  BELFRY_TRY(reply, database_.write(kDigestTokens, params));
  return static_cast<std::size_t>(reply.row(0).number());
}

Status PostgresStore::keep_early(JobId job, const std::string& report) {
  BELFRY_CHECK(database_.write(
      kKeepEarly, Params().instant(now()).bigint(to_bigint(job.value())).text(report)));
  return {};
}

Result<std::vector<EarlyReport>> PostgresStore::early_reports(std::size_t limit) {
  BELFRY_TRY(reply, database_.read(kEarlyReports, Params().bigint(to_bigint(limit))));
  return read_all(reply, [](Row row) {
    EarlyReport early;
    early.job = JobId(to_unsigned(row.number()));
    early.at = row.instant();
    early.report = row.text();
    return early;
  });
}

Status PostgresStore::drop_early(JobId job) {
  BELFRY_CHECK(database_.write(kDropEarly, Params().bigint(to_bigint(job.value()))));
  return {};
}

}  // namespace belfry::store::postgres

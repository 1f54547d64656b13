#include "store/common/access_rules.h"
#include "store/common/checkin_tokens.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {
namespace {

template <typename... Key>
Result<CheckInRow> find(const Session& session, std::string_view statement, const Key&... key) {
  CheckInRow checkin;
  const auto read = [&](Row& row) {
    row.read(checkin.job, checkin.tenant, checkin.created_at, checkin.created_by);
  };
  BELFRY_TRY(found, session.db.first(statement, read, key...));
  if (!found) return fail(no_such_checkin());
  return checkin;
}

}  // namespace

Result<CheckInRow> SqliteStore::put_checkin(JobId job, const std::string& token,
                                            const Author& author) {
  return write([&](const Session& session) -> Result<CheckInRow> {
    BELFRY_TRY(put,
               session.db.run(kPutCheckin, job, digest_of_token(token), session.now, author.actor));
    if (put == 0) return fail(Errc::kNotFound, "there is no such job");
    BELFRY_TRY(made, find(session, kFindCheckin, job));
    BELFRY_CHECK(note_audit(session, author, note_of_checkin(made.tenant, job, true)));
    return made;
  });
}

Result<CheckInRow> SqliteStore::find_checkin(JobId job) {
  return read([&](const Session& session) { return find(session, kFindCheckin, job); });
}

Result<CheckInRow> SqliteStore::find_checkin(const std::string& token) {
  const KeptToken kept = kept_token(token);
  return read([&](const Session& session) {
    return find(session, kFindCheckinByToken, kept.digest, kept.clear);
  });
}

Status SqliteStore::delete_checkin(JobId job, const Author& author) {
  return write([&](const Session& session) -> Status {
    BELFRY_TRY(there, find(session, kFindCheckin, job));
    BELFRY_CHECK(session.db.run(kDeleteCheckin, job));
    return note_audit(session, author, note_of_checkin(there.tenant, job, false));
  });
}

// A file has one node: an earlier version does not run beside it.
Result<std::size_t> SqliteStore::digest_tokens(const Incarnation& /*leader*/, std::size_t most) {
  return write([&](const Session& session) -> Result<std::size_t> {
    std::vector<std::pair<JobId, std::string>> clear;
    const auto add = [&](Row& row) {
      auto& [job, token] = clear.emplace_back();
      row.read(job, token);
    };
    BELFRY_CHECK(session.db.each(kTokensInTheClear, add, most));
    for (const auto& [job, token] : clear) {
      BELFRY_CHECK(session.db.run(kDigestToken, job, digest_of_token(token)));
    }
    return clear.size();
  });
}

Status SqliteStore::keep_early(JobId job, const std::string& report) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kKeepEarly, job, report, session.now));
    return {};
  });
}

Result<std::vector<EarlyReport>> SqliteStore::early_reports(std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<EarlyReport>> {
    std::vector<EarlyReport> reports;
    const auto add = [&](Row& row) {
      EarlyReport& early = reports.emplace_back();
      row.read(early.job, early.at, early.report);
    };
    BELFRY_CHECK(session.db.each(kEarlyReports, add, limit));
    return reports;
  });
}

Status SqliteStore::drop_early(JobId job) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kDropEarly, job));
    return {};
  });
}

}  // namespace belfry::store::sqlite

#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Status SqliteStore::put_notes(std::span<const RunNote> notes) {
  return write([&](const Session& session) -> Status {
    for (const RunNote& note : notes) {
      std::optional<std::int64_t> done;
      std::optional<std::int64_t> total;
      if (note.progress) {
        done = note.progress->done;
        total = note.progress->total;
      }
      BELFRY_CHECK(session.db.run(kPutRunLog, note.grant, session.now, note.log, done, total));
    }
    return {};
  });
}

Result<RunLog> SqliteStore::find_log(const core::RunRef& run, std::optional<AttemptNo> attempt) {
  return read([&](const Session& session) -> Result<RunLog> {
    RunLog log;
    std::optional<std::int64_t> done;
    std::optional<std::int64_t> total;
    const auto read = [&](Row& row) {
      row.read(log.attempt, log.updated_at, log.log, done, total);
    };
    BELFRY_TRY(found, session.db.first(kFindRunLog, read, run, attempt));
    if (!found) return fail(Errc::kNotFound, "there is no log of this run");
    if (done && total) log.progress = RunProgress{*done, *total};
    return log;
  });
}

}  // namespace belfry::store::sqlite

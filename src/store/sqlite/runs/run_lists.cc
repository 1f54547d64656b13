#include "store/common/run_pages.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/runs/ledger.h"
#include "store/sqlite/sql.h"

#include <limits>

namespace belfry::store::sqlite {

namespace {

// A row of the views live_rows and past_rows.
RunRow read_listed(Row& row) {
  RunRow run = read_run(row);
  row.read(run.tenant, run.job_name, run.job_type, run.max_attempts, run.due_at, run.lease_until,
           run.deadline, run.cancel_requested);
  return run;
}

class Reader final : public RunReader {
 public:
  explicit Reader(const Session& session) : db_(session.db) {}

  Result<std::vector<RunRow>> live_of_job(JobId job, const Ask& ask) override {
    return of_job(ask.order == Order::kNewestFirst ? kLiveOfJob : kLiveOfJobUpwards, job, ask);
  }
  Result<std::vector<RunRow>> past_of_job(JobId job, const Ask& ask) override {
    return of_job(ask.order == Order::kNewestFirst ? kPastOfJob : kPastOfJobUpwards, job, ask);
  }
  Result<std::vector<RunRow>> live_of_tenant(TenantId tenant, const Ask& ask) override {
    return of_tenant(kLiveOfTenant, tenant, ask);
  }
  Result<std::vector<RunRow>> past_of_tenant(TenantId tenant, const Ask& ask) override {
    return of_tenant(kPastOfTenant, tenant, ask);
  }
  Result<std::vector<RunRow>> unhappy_of_tenant(TenantId tenant, core::RunState state,
                                                const Ask& ask) override {
    return of_tenant(kUnhappyOfTenant, tenant, ask, state);
  }

  Result<std::vector<SkipRow>> skips_of_job(JobId job, const Ask& ask) override {
    std::vector<SkipRow> skips;
    const auto add = [&](Row& row) { skips.push_back(read_skip(row)); };
    const bool down = ask.order == Order::kNewestFirst;
    BELFRY_CHECK(db_.each(down ? kSkipsDownwards : kSkipsUpwards, add, partition_of(job), job,
                          ask.from, ask.to, ask.after.at, ask.most));
    return skips;
  }

  Status add_results(std::span<RunRow> runs) override {
    for (RunRow& run : runs) {
      const auto read = [&](Row& row) { row.read(run.result); };
      BELFRY_CHECK(db_.first(kResultOfRun, read, run.run, run.scheduled_for, run.finished_at));
    }
    return {};
  }

 private:
  Result<std::vector<RunRow>> of_job(std::string_view sql, JobId job, const Ask& ask) {
    std::vector<RunRow> runs;
    const auto add = [&](Row& row) { runs.push_back(read_listed(row)); };
    BELFRY_CHECK(db_.each(sql, add, partition_of(job), job, ask.from, ask.to, ask.after.at,
                          ask.after.run.job, ask.after.run.key, ask.most));
    return runs;
  }
  template <typename... More>
  Result<std::vector<RunRow>> of_tenant(std::string_view sql, TenantId tenant, const Ask& ask,
                                        const More&... more) {
    std::vector<RunRow> runs;
    const auto add = [&](Row& row) { runs.push_back(read_listed(row)); };
    BELFRY_CHECK(db_.each(sql, add, tenant, ask.from, ask.to, ask.after.at, ask.after.run.job,
                          ask.after.run.key, ask.most, more...));
    return runs;
  }

  Db& db_;
};

RevisionRow read_revision(Row& row) {
  RevisionRow revision;
  row.read(revision.revision, revision.effective_from, revision.status, revision.paused_until,
           revision.name, revision.job_type);
  read_schedule(revision.schedule, row);
  read_policies(revision.policies, row);
  row.read(revision.schedule.calendar_rules, revision.created_at);
  return revision;
}

// Those before revision `before` that took effect before `at`.
Result<std::vector<RevisionRow>> find_revisions(const Session& session, JobId job,
                                                std::optional<std::uint32_t> before, Instant at,
                                                std::size_t limit) {
  constexpr std::uint32_t kNoRevision = std::numeric_limits<std::uint32_t>::max();
  std::vector<RevisionRow> revisions;
  const auto add = [&](Row& row) { revisions.push_back(read_revision(row)); };
  BELFRY_CHECK(session.db.each(kRevisionsOf, add, job, before.value_or(kNoRevision), at, limit));
  return revisions;
}

}  // namespace

Result<RunRow> SqliteStore::find_run(const core::RunRef& run) {
  return read([&](const Session& session) -> Result<RunRow> {
    RunRow result;
    const auto read = [&](Row& row) {
      result = read_listed(row);
      row.read(result.payload);
    };
    BELFRY_TRY(live, session.db.first(kShowRun, read, run));
    if (live) return result;
    // One without a tick is found by its key; one with a tick by its time, which is the key.
    BELFRY_TRY(scheduled, session.db.value<std::optional<Instant>>(kScheduleOfRun, run));
    const Instant at = scheduled.value_or(Instant::from_micros(run.key.value()));
    BELFRY_TRY(past, session.db.first(kShowPastRun, read, run, at));
    if (!past) return fail(Errc::kNotFound, "there is no such run");
    return result;
  });
}

Result<RunPage> SqliteStore::list_runs(const RunFilter& filter, const std::string& cursor,
                                       std::size_t limit) {
  return read([&](const Session& session) -> Result<RunPage> {
    Reader reader(session);
    return page_of_runs(reader, filter, cursor, limit);
  });
}

Result<LedgerPage> SqliteStore::ledger(const LedgerWindow& window, const std::string& cursor,
                                       std::size_t limit) {
  return read([&](const Session& session) -> Result<LedgerPage> {
    Reader reader(session);
    return page_of_ledger(reader, window, cursor, limit);
  });
}

Result<std::vector<RevisionRow>> SqliteStore::revisions_of(JobId job,
                                                           std::optional<std::uint32_t> before,
                                                           std::size_t limit) {
  return read([&](const Session& session) {
    return find_revisions(session, job, before, Instant::max(), limit);
  });
}

Result<RevisionRow> SqliteStore::revision_at(JobId job, Instant at) {
  return read([&](const Session& session) -> Result<RevisionRow> {
    BELFRY_TRY(revisions, find_revisions(session, job, std::nullopt, at, 1));
    if (revisions.empty()) return fail(Errc::kNotFound, "the job did not exist then");
    return revisions.front();
  });
}

}  // namespace belfry::store::sqlite

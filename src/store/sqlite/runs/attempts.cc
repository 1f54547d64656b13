#include "store/sqlite/implementation.h"
#include "store/sqlite/runs/archive.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

AttemptFacts read_facts(Row& row) {
  AttemptFacts facts;
  row.read(facts.grant, facts.attempt, facts.max_attempts, facts.retry_base, facts.retry_cap,
           facts.cancel_requested, facts.timed_out);
  return facts;
}

// Ends one attempt; false when the grant did not hold any more.
Result<bool> end_attempt(const Session& session, const AttemptEnd& end) {
  LeavingRun run;
  const auto read = [&](Row& row) { read_leaving(row, run); };
  BELFRY_TRY(holds,
             session.db.first(kEndingRun, read, end.grant, session.now, end.only_if_expired));
  if (!holds) return false;
  BELFRY_CHECK(session.db.run(kAddAttempt, end.grant, run.attempt, end.outcome, run.worker,
                              run.started_at, session.now, end.error));
  if (end.next == core::RunState::kRetrying) {
    const Instant due_at = session.now + end.wait.value_or(Duration::zero());
    BELFRY_CHECK(session.db.run(kRetryRun, end.grant.run, due_at));
    session.events.add(run.tenant, RunEvent{end.grant.run, end.next});
  } else {
    BELFRY_CHECK(archive_run(
        session, end.grant.run, run,
        {.state = end.next, .result = end.result, .error = end.error, .reason = end.reason}));
  }
  return true;
}

}  // namespace

Result<std::vector<HeartbeatAnswer>> SqliteStore::heartbeat(std::span<const RunGrant> grants,
                                                            Duration lease) {
  return write([&](const Session& session) -> Result<std::vector<HeartbeatAnswer>> {
    std::vector<HeartbeatAnswer> answers;
    answers.reserve(grants.size());
    for (const RunGrant& grant : grants) {
      bool cancel = false;
      const auto read = [&](Row& row) { row.read(cancel); };
      BELFRY_TRY(holds, session.db.first(kCancelRequested, read, grant));
      if (holds) BELFRY_CHECK(session.db.run(kExtendLease, grant.run, session.now + lease));
      answers.push_back(!holds   ? HeartbeatAnswer::kFenced
                        : cancel ? HeartbeatAnswer::kCancel
                                 : HeartbeatAnswer::kExtended);
    }
    return answers;
  });
}

Result<std::vector<AttemptFacts>> SqliteStore::facts_of(std::span<const RunGrant> grants) {
  return read([&](const Session& session) -> Result<std::vector<AttemptFacts>> {
    std::vector<AttemptFacts> facts;
    const auto add = [&](Row& row) { facts.push_back(read_facts(row)); };
    for (const RunGrant& grant : grants) {
      BELFRY_CHECK(session.db.first(kFactsOf, add, grant, session.now));
    }
    return facts;
  });
}

Result<std::vector<bool>> SqliteStore::end_attempts(std::span<const AttemptEnd> ends) {
  return write([&](const Session& session) -> Result<std::vector<bool>> {
    std::vector<bool> answers;
    answers.reserve(ends.size());
    for (const AttemptEnd& end : ends) {
      BELFRY_TRY(applied, end_attempt(session, end));
      answers.push_back(applied);
    }
    return answers;
  });
}

Status SqliteStore::return_runs(std::span<const RunGrant> grants, Duration wait) {
  return write([&](const Session& session) -> Status {
    std::optional<Instant> due;
    if (wait > Duration::zero()) due = session.now + wait;
    for (const RunGrant& grant : grants) {
      TenantId tenant;
      RunEvent event{.run = grant.run};
      const auto read = [&](Row& row) { row.read(tenant, event.state); };
      BELFRY_TRY(returned, session.db.first(kReturnRun, read, grant, due));
      if (!returned) continue;
      session.events.add(tenant, event);
    }
    return {};
  });
}

Result<std::vector<std::optional<core::AttemptOutcome>>> SqliteStore::outcomes_of(
    std::span<const RunGrant> grants) {
  return read(
      [&](const Session& session) -> Result<std::vector<std::optional<core::AttemptOutcome>>> {
        std::vector<std::optional<core::AttemptOutcome>> outcomes;
        for (const RunGrant& grant : grants) {
          auto& outcome = outcomes.emplace_back();
          const auto read = [&](Row& row) { row.read(outcome); };
          BELFRY_CHECK(session.db.first(kOutcomeOf, read, grant));
        }
        return outcomes;
      });
}

Status SqliteStore::note_late(std::span<const LateReport> reports) {
  return write([&](const Session& session) -> Status {
    for (const LateReport& report : reports) {
      BELFRY_CHECK(session.db.run(kNoteLate, report.grant, report.said));
    }
    return {};
  });
}

}  // namespace belfry::store::sqlite

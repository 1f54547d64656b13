#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <algorithm>
#include <map>
#include <set>

namespace belfry::store::postgres {
namespace {

// Grants as columns, each once, in the order every batch locks in.
struct GrantColumns {
  std::vector<std::int64_t> jobs;
  std::vector<std::int64_t> keys;
  std::vector<std::int64_t> fences;

  void add(const RunGrant& grant) {
    jobs.push_back(to_bigint(grant.run.job.value()));
    keys.push_back(grant.run.key.value());
    fences.push_back(to_bigint(grant.fence.value()));
  }
};

GrantColumns columns_of(std::span<const RunGrant> grants) {
  GrantColumns columns;
  for (const RunGrant& grant : std::set<RunGrant>(grants.begin(), grants.end())) {
    columns.add(grant);
  }
  return columns;
}

RunGrant read_grant(Row& row) {
  RunGrant grant;
  grant.run.job = JobId(to_unsigned(row.number()));
  grant.run.key = core::RunKey(row.number());
  grant.fence = Fence(to_unsigned(row.number()));
  return grant;
}

std::vector<AttemptFacts> read_facts(const Reply& reply) {
  std::vector<AttemptFacts> all;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    AttemptFacts facts;
    facts.grant = read_grant(row);
    facts.attempt = AttemptNo(static_cast<std::uint32_t>(row.number()));
    facts.max_attempts = static_cast<std::int32_t>(row.number());
    facts.retry_base = Duration(row.number());
    facts.retry_cap = Duration(row.number());
    facts.cancel_requested = row.boolean();
    facts.timed_out = row.boolean();
    all.push_back(facts);
  }
  return all;
}

// One whose run has succeeded, and nothing is to be asked.
bool is_plain(const AttemptEnd& end) {
  return end.outcome == core::AttemptOutcome::kSucceeded &&
         end.next == core::RunState::kSucceeded && !end.wait && end.error.empty() &&
         !end.only_if_expired && end.reason == core::DeadReason::kNone;
}

// By their grants, which end_attempts answers for.
using Ends = std::map<RunGrant, const AttemptEnd*>;

Statement end_successes(std::optional<Instant> now, const Ends& ends) {
  GrantColumns grants;
  std::vector<std::string_view> results;
  for (const auto& [grant, end] : ends) {
    grants.add(grant);
    results.push_back(end->result);
  }
  Params params;
  params.instant(now).bigints(grants.jobs).bigints(grants.keys).bigints(grants.fences);
  return {kEndSuccesses, params.texts(results)};
}

Statement end_all(std::optional<Instant> now, const Ends& ends) {
  GrantColumns grants;
  std::vector<std::int64_t> outcomes;
  std::vector<std::int64_t> nexts;
  std::vector<std::int64_t> waits;
  std::vector<std::string_view> results;
  std::vector<std::string_view> errors;
  std::vector<bool> only_if_expired;
  std::vector<std::int64_t> reasons;
  for (const auto& [grant, end] : ends) {
    grants.add(grant);
    outcomes.push_back(static_cast<std::int64_t>(end->outcome));
    nexts.push_back(static_cast<std::int64_t>(end->next));
    waits.push_back(end->wait.value_or(Duration(0)).count());
    results.push_back(end->result);
    errors.push_back(end->error);
    only_if_expired.push_back(end->only_if_expired);
    reasons.push_back(static_cast<std::int64_t>(end->reason));
  }
  Params params;
  params.instant(now).bigints(grants.jobs).bigints(grants.keys).bigints(grants.fences);
  params.smallints(outcomes).smallints(nexts).bigints(waits).texts(results).texts(errors);
  return {kEndAttempts, params.booleans(only_if_expired).smallints(reasons)};
}

}  // namespace

Result<std::vector<HeartbeatAnswer>> PostgresStore::heartbeat(std::span<const RunGrant> grants,
                                                              Duration lease) {
  if (grants.empty()) return std::vector<HeartbeatAnswer>();
  const GrantColumns columns = columns_of(grants);
  BELFRY_TRY(reply, database_.write(kHeartbeat, Params()
                                                    .instant(now())
                                                    .bigints(columns.jobs)
                                                    .bigints(columns.keys)
                                                    .bigints(columns.fences)
                                                    .bigint(lease.count())));
  std::map<RunGrant, HeartbeatAnswer> held;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const RunGrant grant = read_grant(row);
    held.emplace(grant, row.boolean() ? HeartbeatAnswer::kCancel : HeartbeatAnswer::kExtended);
  }
  std::vector<HeartbeatAnswer> answers;
  for (const RunGrant& grant : grants) {
    const auto found = held.find(grant);
    answers.push_back(found == held.end() ? HeartbeatAnswer::kFenced : found->second);
  }
  return answers;
}

Status PostgresStore::return_runs(std::span<const RunGrant> grants, Duration wait) {
  if (grants.empty()) return {};
  const GrantColumns columns = columns_of(grants);
  Params params;
  params.instant(now()).bigints(columns.jobs).bigints(columns.keys).bigints(columns.fences);
  params.bigint(wait.count());
  BELFRY_TRY(reply, database_.write(kReturnRuns, params));
  hints_.box().add_events();
  return {};
}

Result<std::vector<std::optional<core::AttemptOutcome>>> PostgresStore::outcomes_of(
    std::span<const RunGrant> grants) {
  using Outcome = std::optional<core::AttemptOutcome>;
  if (grants.empty()) return std::vector<Outcome>();
  const GrantColumns columns = columns_of(grants);
  BELFRY_TRY(reply, database_.read(kOutcomesOf, Params()
                                                    .instant(now())
                                                    .bigints(columns.jobs)
                                                    .bigints(columns.keys)
                                                    .bigints(columns.fences)));
  std::map<RunGrant, core::AttemptOutcome> known;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const RunGrant grant = read_grant(row);
    known.emplace(grant, static_cast<core::AttemptOutcome>(row.number()));
  }
  std::vector<Outcome> outcomes;
  for (const RunGrant& grant : grants) {
    const auto found = known.find(grant);
    outcomes.push_back(found == known.end() ? Outcome() : found->second);
  }
  return outcomes;
}

Result<std::vector<AttemptFacts>> PostgresStore::facts_of(std::span<const RunGrant> grants) {
  if (grants.empty()) return std::vector<AttemptFacts>();
  const GrantColumns columns = columns_of(grants);
  BELFRY_TRY(reply, database_.read(kFactsOf, Params()
                                                 .instant(now())
                                                 .bigints(columns.jobs)
                                                 .bigints(columns.keys)
                                                 .bigints(columns.fences)));
  return read_facts(reply);
}

Result<std::vector<bool>> PostgresStore::end_attempts(std::span<const AttemptEnd> ends) {
  if (ends.empty()) return std::vector<bool>();
  Ends firsts;
  for (const AttemptEnd& end : ends) firsts.emplace(end.grant, &end);
  const bool plain = std::ranges::all_of(ends, is_plain);
  const Statement statement = plain ? end_successes(now(), firsts) : end_all(now(), firsts);
  BELFRY_TRY(reply, database_.write(statement.sql, statement.params));
  std::set<RunGrant> refused;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    refused.insert(read_grant(row));
  }
  if (refused.size() < firsts.size()) hints_.box().add_events();
  std::vector<bool> answers;
  for (const AttemptEnd& end : ends) {
    answers.push_back(firsts.at(end.grant) == &end && !refused.contains(end.grant));
  }
  return answers;
}

Status PostgresStore::note_late(std::span<const LateReport> reports) {
  if (reports.empty()) return {};
  GrantColumns columns;
  std::vector<std::string_view> said;
  for (const LateReport& report : reports) {
    columns.add(report.grant);
    said.emplace_back(report.said);
  }
  Params params;
  params.instant(now()).bigints(columns.jobs).bigints(columns.keys).bigints(columns.fences);
  BELFRY_TRY(noted, database_.write(kNoteLate, params.texts(said)));
  return {};
}

}  // namespace belfry::store::postgres

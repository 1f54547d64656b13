#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <set>

namespace belfry::store::postgres {
namespace {

constexpr int kTries = 4;

ClaimedRun read_claimed(Row row) {
  ClaimedRun run;
  run.taker = static_cast<std::size_t>(row.number());
  run.run.job = JobId(to_unsigned(row.number()));
  run.run.key = core::RunKey(row.number());
  run.tenant = TenantId(to_unsigned(row.number()));
  run.job_name = row.text();
  run.job_type = row.text();
  run.fence = Fence(to_unsigned(row.number()));
  run.attempt = AttemptNo(static_cast<std::uint32_t>(row.number()));
  run.scheduled_for = row.instant();
  run.lease_until = row.instant();
  run.deadline = row.instant();
  run.stands_for = row.number();
  run.target = row.text();
  run.payload = row.text();
  return run;
}

// The round begins after the tenant that was served last, or at the only one.
Params claim_params(std::optional<Instant> now, const ClaimRequest& request,
                    std::int64_t last_served, std::optional<Instant> since) {
  const std::set<std::string_view> types(request.job_types.begin(), request.job_types.end());
  std::vector<std::string_view> workers;
  std::vector<std::int64_t> leases;
  std::vector<std::int64_t> firsts;
  std::int64_t next = 1;
  for (const Taker& taker : request.takers) {
    workers.push_back(taker.worker);
    leases.push_back(taker.lease.count());
    firsts.push_back(next);
    next += to_bigint(taker.max_runs);
  }
  std::optional<std::int64_t> tenant;
  if (request.tenant) tenant = to_bigint(request.tenant->value());
  Params params;
  params.instant(now)
      .texts(std::vector<std::string_view>(types.begin(), types.end()))
      .bigint(to_bigint(max_runs_of(request)))
      .texts(workers)
      .bigints(leases)
      .bigint(tenant ? *tenant - 1 : last_served)
      .maybe_bigint(tenant)
      .bigints(firsts)
      .instant(since);
  return params;
}

}  // namespace

Result<std::vector<ClaimedRun>> PostgresStore::claim(const ClaimRequest& request) {
  const Params params = claim_params(now(), request, last_served_.load(std::memory_order_relaxed),
                                     horizon_.since(clock_.boot_now()));
  auto reply = database_.write(kClaim, params);
  // The index runs_exclusive refused a second run of an exclusive job that another claim had just
  // started; the next look sees that one.
  for (int i = 1; i < kTries && !reply && reply.error().code == Errc::kConflict; ++i) {
    reply = database_.write(kClaim, params);
  }
  if (!reply && reply.error().code == Errc::kConflict) {
    return fail(Errc::kUnavailable, "too many claims at the same moment");
  }
  if (!reply) return fail(reply.error());
  std::vector<ClaimedRun> runs = read_all(*reply, read_claimed);
  if (!runs.empty()) hints_.box().add_events();
  if (!runs.empty() && !request.tenant) {
    last_served_.store(to_bigint(runs.back().tenant.value()), std::memory_order_relaxed);
  }
  return runs;
}

void PostgresStore::look_back() {
  const BootInstant before = clock_.boot_now();
  const auto look = horizon_.next_look(before);
  if (!look) return;
  const auto reply = database_.read(kOldestWaiting, Params().instant(now()).instant(look->since));
  if (!reply) return;
  Row row = reply->row(0);
  const Instant at = row.instant();
  horizon_.report({.look = *look,
                   .at = before,
                   .took = clock_.boot_now() - before,
                   .now = at,
                   .oldest = row.maybe_instant()});
}

Result<std::optional<Instant>> PostgresStore::next_due() {
  BELFRY_TRY(reply, database_.read(kNextDue, Params().instant(now())));
  if (reply.empty()) return std::optional<Instant>();
  return std::optional<Instant>(reply.row(0).instant());
}

}  // namespace belfry::store::postgres

#include "store/faulty/faulty_store.h"

namespace belfry::store {

template <typename Call>
auto FaultyStore::read(std::string_view transaction, Call call) -> decltype(call()) {
  if (plan_(transaction) == Fault::kNone) return call();
  return fail(Errc::kUnavailable, "injected: the store is away");
}

template <typename Call>
auto FaultyStore::write(std::string_view transaction, Call call) -> decltype(call()) {
  switch (plan_(transaction)) {
    case Fault::kNone: return call();
    case Fault::kUnavailable: return fail(Errc::kUnavailable, "injected: the store is away");
    case Fault::kLostRequest: return fail(Errc::kUnknownOutcome, "injected: the request is lost");
    case Fault::kLostReply: break;
  }
  const auto done = call();
  if (!done) return fail(done.error());
  return fail(Errc::kUnknownOutcome, "injected: the reply is lost");
}

Result<Instant> FaultyStore::clock() {
  return read("clock", [&] { return inner_.clock(); });
}
Result<OwnershipStore::Membership> FaultyStore::renew(const Node& node, Duration ttl) {
  return write("renew", [&] { return inner_.renew(node, ttl); });
}
Result<std::vector<OwnedPartition>> FaultyStore::acquire(const Node& node, std::size_t most) {
  return write("acquire", [&] { return inner_.acquire(node, most); });
}
Status FaultyStore::release(const Node& node, std::span<const Holding> holdings) {
  return write("release", [&] { return inner_.release(node, holdings); });
}
Status FaultyStore::retire(const Node& node) {
  return write("retire", [&] { return inner_.retire(node); });
}
Status FaultyStore::leave(const Node& node) {
  return write("leave", [&] { return inner_.leave(node); });
}
Result<std::uint64_t> FaultyStore::lead(const Node& node, Duration ttl) {
  return write("lead", [&] { return inner_.lead(node, ttl); });
}
Result<PartitionJobs> FaultyStore::load_partition(PartitionNo partition) {
  return read("load_partition", [&] { return inner_.load_partition(partition); });
}
Result<PartitionJobs> FaultyStore::load_changes(PartitionNo partition, JobsVersion since) {
  return read("load_changes", [&] { return inner_.load_changes(partition, since); });
}
Result<DecideResult> FaultyStore::decide(const Incarnation& node,
                                         std::span<const PartitionDecision> partitions) {
  return write("decide", [&] { return inner_.decide(node, partitions); });
}
Result<std::vector<DecideOutcome>> FaultyStore::complete_jobs(const Incarnation& node,
                                                              std::span<const EndedJobs> ended) {
  return write("complete_jobs", [&] { return inner_.complete_jobs(node, ended); });
}
Result<std::vector<JobStore::Registered>> FaultyStore::register_all(
    std::span<const Registration> requests, const Settle& settle) {
  return write("register_all", [&] { return inner_.register_all(requests, settle); });
}
Result<JobRow> FaultyStore::change_job(const JobChange& change, const Settle& settle) {
  return write("change_job", [&] { return inner_.change_job(change, settle); });
}
Result<JobRow> FaultyStore::find_job(JobId job) {
  return read("find_job", [&] { return inner_.find_job(job); });
}
Result<JobRow> FaultyStore::find_job(TenantId tenant, const std::string& name) {
  return read("find_job", [&] { return inner_.find_job(tenant, name); });
}
Result<std::vector<ClaimedRun>> FaultyStore::claim(const ClaimRequest& request) {
  return write("claim", [&] { return inner_.claim(request); });
}
Result<std::vector<HeartbeatAnswer>> FaultyStore::heartbeat(std::span<const RunGrant> grants,
                                                            Duration lease) {
  return write("heartbeat", [&] { return inner_.heartbeat(grants, lease); });
}
Result<std::vector<AttemptFacts>> FaultyStore::facts_of(std::span<const RunGrant> grants) {
  return read("facts_of", [&] { return inner_.facts_of(grants); });
}
Result<std::vector<AttemptFacts>> FaultyStore::find_expired(std::size_t most) {
  return read("find_expired", [&] { return inner_.find_expired(most); });
}
Result<std::vector<bool>> FaultyStore::end_attempts(std::span<const AttemptEnd> ends) {
  return write("end_attempts", [&] { return inner_.end_attempts(ends); });
}
Status FaultyStore::return_runs(std::span<const RunGrant> grants, Duration wait) {
  return write("return_runs", [&] { return inner_.return_runs(grants, wait); });
}
Result<RunRow> FaultyStore::trigger(const Trigger& trigger) {
  return write("trigger", [&] { return inner_.trigger(trigger); });
}
Result<std::vector<BackfillFate>> FaultyStore::backfill(const Backfill& backfill) {
  return write("backfill", [&] { return inner_.backfill(backfill); });
}
Result<RunRow> FaultyStore::retry_run(const core::RunRef& run, core::RunKey fresh,
                                      const Author& author) {
  return write("retry_run", [&] { return inner_.retry_run(run, fresh, author); });
}
Result<bool> FaultyStore::cancel_run(const core::RunRef& run, const Author& author) {
  return write("cancel_run", [&] { return inner_.cancel_run(run, author); });
}
Result<std::optional<Instant>> FaultyStore::next_due() {
  return read("next_due", [&] { return inner_.next_due(); });
}
Result<std::vector<RunRow>> FaultyStore::runs_of(JobId job) {
  return read("runs_of", [&] { return inner_.runs_of(job); });
}
Result<std::vector<SkipRow>> FaultyStore::skips_of(JobId job) {
  return read("skips_of", [&] { return inner_.skips_of(job); });
}
Result<std::vector<AttemptRow>> FaultyStore::attempts_of(const core::RunRef& run) {
  return read("attempts_of", [&] { return inner_.attempts_of(run); });
}
Result<std::vector<std::optional<core::AttemptOutcome>>> FaultyStore::outcomes_of(
    std::span<const RunGrant> grants) {
  return read("outcomes_of", [&] { return inner_.outcomes_of(grants); });
}
Status FaultyStore::put_notes(std::span<const RunNote> notes) {
  return write("put_notes", [&] { return inner_.put_notes(notes); });
}
Result<RunLog> FaultyStore::find_log(const core::RunRef& run, std::optional<AttemptNo> attempt) {
  return read("find_log", [&] { return inner_.find_log(run, attempt); });
}
Result<JobPage> FaultyStore::list_jobs(const JobFilter& filter, const std::string& after,
                                       std::size_t limit) {
  return read("list_jobs", [&] { return inner_.list_jobs(filter, after, limit); });
}
Result<RunRow> FaultyStore::find_run(const core::RunRef& run) {
  return read("find_run", [&] { return inner_.find_run(run); });
}
Result<RunPage> FaultyStore::list_runs(const RunFilter& filter, const std::string& cursor,
                                       std::size_t limit) {
  return read("list_runs", [&] { return inner_.list_runs(filter, cursor, limit); });
}
Result<LedgerPage> FaultyStore::ledger(const LedgerWindow& window, const std::string& cursor,
                                       std::size_t limit) {
  return read("ledger", [&] { return inner_.ledger(window, cursor, limit); });
}
Result<std::vector<RevisionRow>> FaultyStore::revisions_of(JobId job,
                                                           std::optional<std::uint32_t> before,
                                                           std::size_t limit) {
  return read("revisions_of", [&] { return inner_.revisions_of(job, before, limit); });
}
Result<RevisionRow> FaultyStore::revision_at(JobId job, Instant at) {
  return read("revision_at", [&] { return inner_.revision_at(job, at); });
}
Result<Overview> FaultyStore::overview() {
  return read("overview", [&] { return inner_.overview(); });
}
Result<Totals> FaultyStore::totals() {
  return read("totals", [&] { return inner_.totals(); });
}
Result<TenantId> FaultyStore::put_tenant(const Tenant& tenant, const Author& author) {
  return write("put_tenant", [&] { return inner_.put_tenant(tenant, author); });
}
Result<Tenant> FaultyStore::find_tenant(TenantId tenant) {
  return read("find_tenant", [&] { return inner_.find_tenant(tenant); });
}
Result<Tenant> FaultyStore::find_tenant(const std::string& name) {
  return read("find_tenant", [&] { return inner_.find_tenant(name); });
}
Result<std::vector<Tenant>> FaultyStore::list_tenants(const std::string& after, std::size_t limit) {
  return read("list_tenants", [&] { return inner_.list_tenants(after, limit); });
}
Result<ApiKey> FaultyStore::put_key(const NewKey& key, const Author& author) {
  return write("put_key", [&] { return inner_.put_key(key, author); });
}
Result<AccessStore::KeyHolder> FaultyStore::find_key(const KeyHash& hash) {
  return read("find_key", [&] { return inner_.find_key(hash); });
}
Result<std::vector<ApiKey>> FaultyStore::list_keys(TenantId tenant) {
  return read("list_keys", [&] { return inner_.list_keys(tenant); });
}
Result<ApiKey> FaultyStore::revoke_key(TenantId tenant, KeyId key, const Author& author) {
  return write("revoke_key", [&] { return inner_.revoke_key(tenant, key, author); });
}
Result<bool> FaultyStore::any_keys() {
  return read("any_keys", [&] { return inner_.any_keys(); });
}
Result<std::vector<AccessStore::AuditRow>> FaultyStore::list_audit(
    std::optional<TenantId> tenant, std::optional<std::uint64_t> before, std::size_t limit) {
  return read("list_audit", [&] { return inner_.list_audit(tenant, before, limit); });
}
Result<CalendarRow> FaultyStore::put_calendar(TenantId tenant, const std::string& name,
                                              const std::vector<std::string>& rules,
                                              const Author& author) {
  return write("put_calendar", [&] { return inner_.put_calendar(tenant, name, rules, author); });
}
Result<CalendarRow> FaultyStore::find_calendar(TenantId tenant, const std::string& name) {
  return read("find_calendar", [&] { return inner_.find_calendar(tenant, name); });
}
Result<std::vector<CalendarRow>> FaultyStore::list_calendars(TenantId tenant,
                                                             const std::string& after,
                                                             std::size_t limit) {
  return read("list_calendars", [&] { return inner_.list_calendars(tenant, after, limit); });
}
Status FaultyStore::delete_calendar(TenantId tenant, const std::string& name,
                                    const Author& author) {
  return write("delete_calendar", [&] { return inner_.delete_calendar(tenant, name, author); });
}
Result<std::vector<JobId>> FaultyStore::jobs_behind(std::size_t most) {
  return write("jobs_behind", [&] { return inner_.jobs_behind(most); });
}
Result<std::vector<ChoreStore::Region>> FaultyStore::list_regions() {
  return read("list_regions", [&] { return inner_.list_regions(); });
}
Result<RegionNo> FaultyStore::put_region(const std::string& name) {
  return write("put_region", [&] { return inner_.put_region(name); });
}
Status FaultyStore::keep_history(Duration retention) {
  return write("keep_history", [&] { return inner_.keep_history(retention); });
}
Result<std::vector<Event>> FaultyStore::events_after(const EventId& after, std::size_t most) {
  return read("events_after", [&] { return inner_.events_after(after, most); });
}
Result<EventId> FaultyStore::last_event() {
  return read("last_event", [&] { return inner_.last_event(); });
}
Result<Hints> FaultyStore::await_hints(Duration longest) {
  return read("await_hints", [&] { return inner_.await_hints(longest); });
}
void FaultyStore::interrupt_hints() {
  inner_.interrupt_hints();
}

}  // namespace belfry::store

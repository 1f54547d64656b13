#pragma once

#include "store/store.h"

#include <functional>
#include <string_view>

namespace belfry::store {

// What can go wrong with a call.
enum class Fault : std::uint8_t {
  kNone,
  kUnavailable,  // refused before anything happened
  kLostRequest,  // nothing happened, and the caller cannot know
  kLostReply,    // it happened, and the caller cannot know
};

// A store with a bad connection: asks `plan` before each call what shall go wrong with it, by the
// name of the transaction. For simulations and tests; the store behind it is a real one.
class FaultyStore : public Store {
 public:
  using Plan = std::function<Fault(std::string_view transaction)>;

  FaultyStore(Store& inner, Plan plan) : inner_(inner), plan_(std::move(plan)) {}

  Result<Instant> clock() override;
  Result<Membership> renew(const Node& node, Duration ttl) override;
  Result<std::vector<OwnedPartition>> acquire(const Node& node, std::size_t most) override;
  Status release(const Node& node, std::span<const Holding> holdings) override;
  Status retire(const Node& node) override;
  Status leave(const Node& node) override;
  Result<std::uint64_t> lead(const Node& node, Duration ttl) override;

  Result<PartitionJobs> load_partition(PartitionNo partition) override;
  Result<PartitionJobs> load_changes(PartitionNo partition, JobsVersion since) override;
  Result<DecideResult> decide(const Incarnation& node,
                              std::span<const PartitionDecision> partitions) override;
  Result<std::vector<DecideOutcome>> complete_jobs(const Incarnation& node,
                                                   std::span<const EndedJobs> ended) override;

  Result<std::vector<Registered>> register_all(std::span<const Registration> requests,
                                               const Settle& settle) override;
  Result<JobRow> change_job(const JobChange& change, const Settle& settle) override;
  Result<JobRow> find_job(JobId job) override;
  Result<JobRow> find_job(TenantId tenant, const std::string& name) override;

  Result<std::vector<ClaimedRun>> claim(const ClaimRequest& request) override;
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const RunGrant> grants,
                                                 Duration lease) override;
  Result<std::vector<AttemptFacts>> facts_of(std::span<const RunGrant> grants) override;
  Result<std::vector<AttemptFacts>> find_expired(std::size_t most) override;
  Result<std::vector<bool>> end_attempts(std::span<const AttemptEnd> ends) override;
  Status return_runs(std::span<const RunGrant> grants, Duration wait) override;
  Result<RunRow> trigger(const Trigger& trigger) override;
  Result<std::vector<BackfillFate>> backfill(const Backfill& backfill) override;
  Result<RunRow> retry_run(const core::RunRef& run, core::RunKey fresh,
                           const Author& author) override;
  Result<bool> cancel_run(const core::RunRef& run, const Author& author) override;
  Result<std::optional<Instant>> next_due() override;

  Result<std::vector<RunRow>> runs_of(JobId job) override;
  Result<std::vector<SkipRow>> skips_of(JobId job) override;
  Result<std::vector<AttemptRow>> attempts_of(const core::RunRef& run) override;
  Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
      std::span<const RunGrant> grants) override;

  Status put_notes(std::span<const RunNote> notes) override;
  Result<RunLog> find_log(const core::RunRef& run, std::optional<AttemptNo> attempt) override;

  Result<JobPage> list_jobs(const JobFilter& filter, const std::string& after,
                            std::size_t limit) override;
  Result<RunRow> find_run(const core::RunRef& run) override;
  Result<RunPage> list_runs(const RunFilter& filter, const std::string& cursor,
                            std::size_t limit) override;

  Result<LedgerPage> ledger(const LedgerWindow& window, const std::string& cursor,
                            std::size_t limit) override;
  Result<std::vector<RevisionRow>> revisions_of(JobId job, std::optional<std::uint32_t> before,
                                                std::size_t limit) override;
  Result<RevisionRow> revision_at(JobId job, Instant at) override;

  Result<Overview> overview() override;
  Result<Totals> totals() override;

  Result<TenantId> put_tenant(const Tenant& tenant, const Author& author) override;
  Result<Tenant> find_tenant(TenantId tenant) override;
  Result<Tenant> find_tenant(const std::string& name) override;
  Result<std::vector<Tenant>> list_tenants(const std::string& after, std::size_t limit) override;

  Result<ApiKey> put_key(const NewKey& key, const Author& author) override;
  Result<KeyHolder> find_key(const KeyHash& hash) override;
  Result<std::vector<ApiKey>> list_keys(TenantId tenant) override;
  Result<ApiKey> revoke_key(TenantId tenant, KeyId key, const Author& author) override;
  Result<bool> any_keys() override;
  Result<std::vector<AuditRow>> list_audit(std::optional<TenantId> tenant,
                                           std::optional<std::uint64_t> before,
                                           std::size_t limit) override;

  Result<CalendarRow> put_calendar(TenantId tenant, const std::string& name,
                                   const std::vector<std::string>& rules,
                                   const Author& author) override;
  Result<CalendarRow> find_calendar(TenantId tenant, const std::string& name) override;
  Result<std::vector<CalendarRow>> list_calendars(TenantId tenant, const std::string& after,
                                                  std::size_t limit) override;
  Status delete_calendar(TenantId tenant, const std::string& name, const Author& author) override;
  Result<std::vector<JobId>> jobs_behind(std::size_t most) override;

  Result<RegionNo> put_region(const std::string& name) override;
  Result<std::vector<Region>> list_regions() override;
  Status keep_history(Duration retention) override;

  Result<std::vector<Event>> events_after(const EventId& after, std::size_t most) override;
  Result<EventId> last_event() override;

  Result<Hints> await_hints(Duration longest) override;
  void interrupt_hints() override;

 private:
  // A call that only reads can be unavailable, but leaves nothing unknown.
  template <typename Call>
  auto read(std::string_view transaction, Call call) -> decltype(call());
  template <typename Call>
  auto write(std::string_view transaction, Call call) -> decltype(call());

  Store& inner_;
  Plan plan_;
};

}  // namespace belfry::store

#pragma once

#include "base/mutex.h"
#include "core/schedule/zone_catalog.h"
#include "store/common/hint_queue.h"
#include "store/common/settler.h"
#include "store/sqlite/admin/events.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/wire/session.h"
#include "store/sqlite/wire/transaction.h"

#include <type_traits>
#include <utility>

namespace belfry::store::sqlite {

// The whole interface over one file. The functions are in the files of their topics, which have the
// same names in store/postgres.
class SqliteStore final : public Store {
 public:
  SqliteStore(std::unique_ptr<Db> db, SqliteOptions options)
      : now_(std::move(options.now)), settles_(options.settles), db_(std::move(db)) {}

  // Brings the tables up to date; once, before anything else.
  Status prepare(bool is_alone);

  // OwnershipStore
  Result<Instant> clock() override;
  Result<Membership> renew(const Node& node, Duration ttl) override;
  Result<std::vector<OwnedPartition>> acquire(const Node& node, std::size_t most) override;
  Result<Holders> holders(RegionNo region) override;
  Result<std::vector<OwnedPartition>> take(const Node& node,
                                           std::span<const Holding> holdings) override;
  Status release(const Node& node, std::span<const Holding> holdings) override;
  Status retire(const Node& node) override;
  Status leave(const Node& node) override;
  Result<std::uint64_t> lead(const Node& node, Duration ttl) override;

  // DecisionStore
  Result<PartitionJobs> load_partition(PartitionNo partition) override;
  Result<BriefPartition> load_brief(PartitionNo partition) override;
  Result<std::vector<JobRow>> load_jobs(std::span<const JobId> jobs) override;
  Result<std::vector<std::optional<BriefPartition>>> load_changes(
      std::span<const KnownJobs> known) override;
  Result<DecideResult> decide(const Incarnation& node,
                              std::span<const PartitionDecision> partitions) override;
  Duration patience() const override { return Duration::zero(); }
  Result<std::vector<DecideOutcome>> complete_jobs(const Incarnation& node,
                                                   std::span<const EndedJobs> ended) override;

  // JobStore
  Result<std::optional<std::vector<RegisteredJob>>> find_request(
      const IdempotencyKey& idempotency) override;
  Result<std::vector<Registered>> register_all(std::span<const Registration> requests) override;
  Result<ChangedJob> change_job(const JobChange& change) override;
  Result<JobRow> find_job(JobId job) override;
  Result<JobRow> find_job(TenantId tenant, const std::string& name) override;
  Result<std::vector<RevisionRow>> revisions_of(JobId job, std::optional<std::uint32_t> before,
                                                std::size_t limit) override;
  Result<RevisionRow> revision_at(JobId job, Instant at) override;

  // RunStore
  Result<std::vector<ClaimedRun>> grant(const GrantRequest& request) override;
  Result<std::vector<core::LiveRun>> read_live(std::span<const PartitionNo> partitions) override;
  Result<std::vector<core::LiveRun>> find_live(std::span<const core::RunRef> asked) override;
  Result<std::vector<core::LiveRun>> find_waiting(const Elsewhere& elsewhere) override;
  Result<std::vector<TenantShare>> unusual_tenants() override;
  Result<std::vector<LimitedType>> limited_types() override;
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const RunGrant> grants,
                                                 Duration lease) override;
  Result<std::vector<AttemptFacts>> facts_of(std::span<const RunGrant> grants) override;
  Result<std::vector<bool>> end_attempts(std::span<const AttemptEnd> ends) override;
  Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
      std::span<const RunGrant> grants) override;
  Status note_late(std::span<const LateReport> reports) override;
  Status return_runs(std::span<const RunGrant> grants, Duration wait) override;
  Result<RunRow> trigger(const Trigger& trigger) override;
  Result<std::vector<BackfillFate>> backfill(const Backfill& backfill) override;
  Result<RunRow> retry_run(const Retry& wanted) override;
  Result<std::vector<core::RunRef>> give_up(std::span<const core::RunRef> runs) override;
  Result<bool> unstick_run(const core::RunRef& run, const std::string& note,
                           const Author& author) override;
  Result<bool> cancel_run(const core::RunRef& run, const Author& author) override;

  // HistoryStore
  Result<std::optional<std::chrono::sys_days>> oldest_day(Duration retention) override;
  Result<std::vector<RunRow>> runs_of_day(std::chrono::sys_days day,
                                          const std::optional<DayPlace>& after,
                                          std::size_t most) override;
  Status drop_day(std::chrono::sys_days day, std::size_t runs) override;

  // LedgerStore
  Result<LedgerPage> ledger(const LedgerWindow& window, const std::string& cursor,
                            std::size_t limit) override;
  Result<std::vector<RunRow>> runs_of(JobId job) override;
  Result<std::vector<SkipRow>> skips_of(JobId job) override;
  Result<std::vector<AttemptRow>> attempts_of(const core::RunRef& run) override;

  // ProofStore
  Result<std::vector<LedgerJob>> ledger_jobs(JobId after, Instant ended_by,
                                             std::size_t limit) override;
  Result<std::vector<LedgerRevision>> ledger_revisions(std::span<const JobId> jobs,
                                                       Instant after) override;
  Result<std::vector<LedgerRow>> ledger_rows(const LedgerSpan& span) override;
  Result<LedgerCheck> ledger_check() override;
  Result<std::vector<LedgerViolation>> advance_ledger_check(const LedgerStep& step) override;
  Result<std::vector<LedgerViolation>> ledger_violations(std::optional<TenantId> tenant,
                                                         Instant found_after,
                                                         std::size_t limit) override;
  Result<std::vector<ProofTally>> proof_tallies(TenantId after, std::size_t limit) override;
  Result<std::vector<ProofRow>> proofs(TenantId tenant, Instant before, std::size_t limit) override;

  // RunLogStore
  Status put_notes(std::span<const RunNote> notes) override;
  Result<RunLog> find_log(const core::RunRef& run, std::optional<AttemptNo> attempt) override;

  // ListingStore
  Result<std::vector<JobHealth>> health_of(std::span<const JobId> jobs) override;
  Result<JobPage> list_jobs(const JobFilter& filter, const std::string& after,
                            std::size_t limit) override;
  Result<RunRow> find_run(const core::RunRef& run) override;
  Result<RunPage> list_runs(const RunFilter& filter, const std::string& cursor,
                            std::size_t limit) override;

  // OverviewStore
  Result<Overview> overview() override;
  Result<LiveRuns> live_runs() override;
  Result<std::vector<QueueLoad>> queue_loads() override;
  Result<Totals> totals() override;
  Result<Totals> totals_of(TenantId tenant) override;

  // TenantStore
  Result<TenantId> put_tenant(const Tenant& tenant, const Author& author) override;
  Result<Tenant> find_tenant(TenantId tenant) override;
  Result<Tenant> find_tenant(const std::string& name) override;
  Result<std::vector<Tenant>> list_tenants(const std::string& after, std::size_t limit) override;

  // AccessStore
  Result<ApiKey> put_key(const NewKey& key, const Author& author) override;
  Result<KeyHolder> find_key(const KeyHash& hash) override;
  Result<std::vector<ApiKey>> list_keys(TenantId tenant) override;
  Result<ApiKey> revoke_key(TenantId tenant, KeyId key, const Author& author) override;
  Result<ApiKey> replace_key(TenantId tenant, KeyId key, const KeyHash& hash, Duration overlap,
                             const Author& author) override;
  Status touch_key(KeyId key) override;
  Result<bool> any_keys() override;
  Result<std::vector<AuditRow>> list_audit(std::optional<TenantId> tenant,
                                           std::optional<std::uint64_t> before,
                                           std::size_t limit) override;

  // AuditStore
  Status note_refusal(const Refusal& refusal, const Author& author) override;
  Result<std::size_t> link_audit(std::size_t most) override;
  Result<std::vector<LinkedRow>> list_links(std::uint64_t after, std::size_t limit) override;
  Result<std::vector<Linked>> list_linked(std::uint64_t after, std::size_t limit) override;

  // CheckInStore
  Result<CheckInRow> put_checkin(JobId job, const std::string& token,
                                 const Author& author) override;
  Result<CheckInRow> find_checkin(JobId job) override;
  Result<CheckInRow> find_checkin(const std::string& token) override;
  Status delete_checkin(JobId job, const Author& author) override;
  Result<std::size_t> digest_tokens(const Incarnation& leader, std::size_t most) override;
  Status keep_early(JobId job, const std::string& report) override;
  Result<std::vector<EarlyReport>> early_reports(std::size_t limit) override;
  Status drop_early(JobId job) override;

  // JobTypeStore
  Result<JobType> put_type(const JobType& type, const Author& author) override;
  Result<JobType> find_type(TenantId tenant, const std::string& name) override;
  Result<std::vector<JobType>> list_types(TenantId tenant, const std::string& after,
                                          std::size_t limit) override;
  Status delete_type(TenantId tenant, const std::string& name, const Author& author) override;
  Result<std::vector<TypeLoad>> type_loads() override;

  // SecretStore
  Result<SecretRow> put_secret(TenantId tenant, const std::string& name, const std::string& sealed,
                               const Author& author) override;
  Result<SecretRow> find_secret(TenantId tenant, const std::string& name) override;
  Result<std::vector<SecretRow>> list_secrets(TenantId tenant, const std::string& after,
                                              std::size_t limit) override;
  Status delete_secret(TenantId tenant, const std::string& name, const Author& author) override;
  Status reseal_secret(const SecretRow& read, const std::string& sealed) override;
  Result<std::vector<KeptTarget>> list_targets(JobId job, std::uint32_t revision,
                                               std::size_t limit) override;
  Status reseal_target(const KeptTarget& resealed) override;
  Status note_rotation(TenantId tenant, const std::string& key, const Author& author) override;
  Status note_seal_key(const std::string& id) override;
  Result<std::vector<std::string>> seal_keys() override;
  Status keep_only_seal_key(const std::string& id) override;

  // BulkStore
  Result<BulkWork> begin_bulk(const NewBulk& wanted) override;
  Result<BulkWork> find_bulk(TenantId tenant, std::uint64_t id) override;
  Result<std::vector<BulkWork>> list_bulk(TenantId tenant, std::optional<std::uint64_t> before,
                                          std::size_t limit) override;
  Result<BulkWork> stop_bulk(TenantId tenant, std::uint64_t id, const Author& author) override;
  Result<std::optional<BulkWork>> take_bulk(const Incarnation& node, Duration lease) override;
  Result<SelectedJobs> count_selected(const JobSearch& search) override;
  Result<SelectedJobs> next_selected(const JobSearch& search) override;
  Result<BatchDone> change_selected(const Batch& batch) override;
  Result<BulkWork> advance_bulk(const Progress& progress) override;

  // CalendarStore
  Result<CalendarRow> put_calendar(TenantId tenant, const std::string& name,
                                   const std::vector<std::string>& rules,
                                   const Author& author) override;
  Result<CalendarRow> find_calendar(TenantId tenant, const std::string& name) override;
  Result<std::vector<CalendarRow>> list_calendars(TenantId tenant, const std::string& after,
                                                  std::size_t limit) override;
  Status delete_calendar(TenantId tenant, const std::string& name, const Author& author) override;
  Result<std::vector<JobId>> jobs_behind(std::size_t most) override;

  // AlertStore
  Result<AlertRuleRow> put_alert_rule(TenantId tenant, const std::string& name,
                                      const std::string& definition, const Author& author) override;
  Result<AlertRuleRow> find_alert_rule(TenantId tenant, const std::string& name) override;
  Result<std::vector<AlertRuleRow>> list_alert_rules(TenantId tenant, const std::string& after,
                                                     std::size_t limit) override;
  Status delete_alert_rule(TenantId tenant, const std::string& name, const Author& author) override;
  Result<AlertSilenceRow> put_alert_silence(TenantId tenant, const std::string& definition,
                                            Duration lasts, const Author& author) override;
  Result<std::vector<AlertSilenceRow>> list_alert_silences(TenantId tenant) override;
  Status delete_alert_silence(TenantId tenant, std::uint64_t id, const Author& author) override;
  Result<std::vector<AlertRow>> list_alerts(TenantId tenant, bool open_only, std::uint64_t before,
                                            std::size_t limit) override;
  Result<std::vector<AlertMessageRow>> list_alert_messages(TenantId tenant, bool failed,
                                                           std::size_t limit) override;
  Result<AlertLook> begin_alert_look() override;
  Result<std::vector<core::AlertJob>> alert_facts(const AlertQuestion& question) override;
  Status end_alert_look(const AlertFindings& findings) override;
  Result<std::uint64_t> put_alert_message(const AlertFindings::Message& message) override;
  Result<std::vector<AlertMessageRow>> claim_alert_messages(const std::string& queue,
                                                            std::size_t most,
                                                            Duration lease) override;
  Result<bool> end_alert_message(const AlertMessageEnd& end) override;
  Result<bool> hold_alert_message(std::uint64_t id, Fence fence, Duration lease) override;
  Result<std::vector<UndeliveredAlerts>> undelivered_alerts() override;
  Status prune_alerts(Duration retention) override;

  // NodeNoteStore
  Status put_node_note(const NodeNote& note) override;

  // ChoreStore
  Result<RegionNo> put_region(const std::string& name) override;
  Result<std::vector<Region>> list_regions() override;
  Status keep_history(Duration retention, PastRuns past) override;
  Status begin_anew() override;
  Result<std::size_t> end_pauses(std::size_t most) override;
  Result<std::optional<SkipCursor>> sweep_skips(const SkipCursor& after, Duration retention,
                                                std::size_t most) override;

  // EventStore
  Result<std::vector<Event>> events_after(const EventId& after, std::size_t most) override;
  Result<EventId> last_event() override;

  // HintStore
  Result<Hints> await_hints(Duration longest) override {
    hints_.wait(longest);
    return hints_.take();
  }
  void touch(std::span<const core::RunRef> runs) override {
    for (const core::RunRef& run : runs) hints_.add_touched(run);
  }
  void interrupt_hints() override { hints_.interrupt(); }

 private:
  // Runs one named transaction: gives it its turn, its moment and its transaction.
  template <typename Body>
  std::invoke_result_t<Body, const Session&> write(const Body& body) {
    return in_transaction(Transaction::Kind::kWrite, body);
  }
  template <typename Body>
  std::invoke_result_t<Body, const Session&> read(const Body& body) {
    return in_transaction(Transaction::Kind::kRead, body);
  }
  Settler new_settler() { return Settler(zones_, !settles_); }

  // The moment is taken under the lock, so that later transactions have later moments.
  template <typename Body>
  std::invoke_result_t<Body, const Session&> in_transaction(Transaction::Kind kind,
                                                            const Body& body) {
    const MutexLock lock(mutex_);
    BELFRY_TRY(transaction, Transaction::begin(*db_, kind));
    EventCollector events;
    const Session session{*db_, now_(), events};
    auto result = body(session);
    if (!result) return result;
    BELFRY_CHECK(write_events(session));
    BELFRY_CHECK(transaction.commit());
    if (!events.empty()) hints_.add_events();
    return result;
  }

  const std::function<Instant()> now_;
  const bool settles_;
  core::ZoneCatalog zones_;  // of the schedules whose ticks a change settles
  HintQueue hints_;
  Mutex mutex_;
  const std::unique_ptr<Db> db_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::store::sqlite

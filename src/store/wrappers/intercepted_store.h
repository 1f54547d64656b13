#pragma once

#include "store/store.h"

#include <string_view>
#include <utility>

// One place that every named transaction passes, for wrappers that do something around each.
namespace belfry::store {

struct Transaction {
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,
    kWait,  // reads nothing, changes nothing: lasts as long as the caller likes
  };
  std::string_view name;  // "decide"; the two ways to find a job are one
  Kind kind{};
};

// Passes every call to `inner`, which has to outlive it, by way of `around`:
//   template <typename Call> auto operator()(const Transaction&, Call call) -> decltype(call());
// which may call `call`, and answers in its place.
template <typename Around>
class InterceptedStore : public Store {
 public:
  InterceptedStore(Store& inner, Around around) : inner_(inner), around_(std::move(around)) {}

  Result<Instant> clock() override {
    return around_(read("clock"), [&] { return inner_.clock(); });
  }
  Result<Membership> renew(const Node& node, Duration ttl) override {
    return around_(write("renew"), [&] { return inner_.renew(node, ttl); });
  }
  Result<std::vector<OwnedPartition>> acquire(const Node& node, std::size_t most) override {
    return around_(write("acquire"), [&] { return inner_.acquire(node, most); });
  }
  Result<Holders> holders(RegionNo region) override {
    return around_(read("holders"), [&] { return inner_.holders(region); });
  }
  Result<std::vector<OwnedPartition>> take(const Node& node,
                                           std::span<const Holding> holdings) override {
    return around_(write("take"), [&] { return inner_.take(node, holdings); });
  }
  Status release(const Node& node, std::span<const Holding> holdings) override {
    return around_(write("release"), [&] { return inner_.release(node, holdings); });
  }
  Status retire(const Node& node) override {
    return around_(write("retire"), [&] { return inner_.retire(node); });
  }
  Status leave(const Node& node) override {
    return around_(write("leave"), [&] { return inner_.leave(node); });
  }
  Result<std::uint64_t> lead(const Node& node, Duration ttl) override {
    return around_(write("lead"), [&] { return inner_.lead(node, ttl); });
  }

  Result<PartitionJobs> load_partition(PartitionNo partition) override {
    return around_(read("load_partition"), [&] { return inner_.load_partition(partition); });
  }
  Result<BriefPartition> load_brief(PartitionNo partition) override {
    return around_(read("load_brief"), [&] { return inner_.load_brief(partition); });
  }
  Result<std::vector<JobRow>> load_jobs(std::span<const JobId> jobs) override {
    return around_(read("load_jobs"), [&] { return inner_.load_jobs(jobs); });
  }
  Result<std::vector<std::optional<BriefPartition>>> load_changes(
      std::span<const KnownJobs> known) override {
    return around_(read("load_changes"), [&] { return inner_.load_changes(known); });
  }
  Result<DecideResult> decide(const Incarnation& node,
                              std::span<const PartitionDecision> partitions) override {
    return around_(write("decide"), [&] { return inner_.decide(node, partitions); });
  }
  Duration patience() const override { return inner_.patience(); }
  Result<std::vector<DecideOutcome>> complete_jobs(const Incarnation& node,
                                                   std::span<const EndedJobs> ended) override {
    return around_(write("complete_jobs"), [&] { return inner_.complete_jobs(node, ended); });
  }

  Result<std::vector<Registered>> register_all(std::span<const Registration> requests) override {
    return around_(write("register_all"), [&] { return inner_.register_all(requests); });
  }
  Result<std::optional<std::vector<RegisteredJob>>> find_request(
      const IdempotencyKey& idempotency) override {
    return around_(read("find_request"), [&] { return inner_.find_request(idempotency); });
  }
  Result<ChangedJob> change_job(const JobChange& change) override {
    return around_(write("change_job"), [&] { return inner_.change_job(change); });
  }
  Result<JobRow> find_job(JobId job) override {
    return around_(read("find_job"), [&] { return inner_.find_job(job); });
  }
  Result<JobRow> find_job(TenantId tenant, const std::string& name) override {
    return around_(read("find_job"), [&] { return inner_.find_job(tenant, name); });
  }

  Result<std::vector<ClaimedRun>> grant(const GrantRequest& request) override {
    return around_(write("grant"), [&] { return inner_.grant(request); });
  }
  Result<std::vector<core::LiveRun>> read_live(std::span<const PartitionNo> partitions) override {
    return around_(read("read_live"), [&] { return inner_.read_live(partitions); });
  }
  Result<std::vector<core::LiveRun>> find_live(std::span<const core::RunRef> asked) override {
    return around_(read("find_live"), [&] { return inner_.find_live(asked); });
  }
  Result<std::vector<core::LiveRun>> find_waiting(const Elsewhere& elsewhere) override {
    return around_(read("find_waiting"), [&] { return inner_.find_waiting(elsewhere); });
  }
  Result<std::vector<TenantShare>> unusual_tenants() override {
    return around_(read("unusual_tenants"), [&] { return inner_.unusual_tenants(); });
  }
  Result<std::vector<LimitedType>> limited_types() override {
    return around_(read("limited_types"), [&] { return inner_.limited_types(); });
  }
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const RunGrant> grants,
                                                 Duration lease) override {
    return around_(write("heartbeat"), [&] { return inner_.heartbeat(grants, lease); });
  }
  Result<std::vector<AttemptFacts>> facts_of(std::span<const RunGrant> grants) override {
    return around_(read("facts_of"), [&] { return inner_.facts_of(grants); });
  }
  Result<std::vector<bool>> end_attempts(std::span<const AttemptEnd> ends) override {
    return around_(write("end_attempts"), [&] { return inner_.end_attempts(ends); });
  }
  Status return_runs(std::span<const RunGrant> grants, Duration wait) override {
    return around_(write("return_runs"), [&] { return inner_.return_runs(grants, wait); });
  }
  Result<RunRow> trigger(const Trigger& trigger) override {
    return around_(write("trigger"), [&] { return inner_.trigger(trigger); });
  }
  Result<std::vector<BackfillFate>> backfill(const Backfill& backfill) override {
    return around_(write("backfill"), [&] { return inner_.backfill(backfill); });
  }
  Result<RunRow> retry_run(const Retry& wanted) override {
    return around_(write("retry_run"), [&] { return inner_.retry_run(wanted); });
  }
  Result<std::vector<core::RunRef>> give_up(std::span<const core::RunRef> runs) override {
    return around_(write("give_up"), [&] { return inner_.give_up(runs); });
  }
  Result<bool> unstick_run(const core::RunRef& run, const std::string& note,
                           const Author& author) override {
    return around_(write("unstick_run"), [&] { return inner_.unstick_run(run, note, author); });
  }
  Result<bool> cancel_run(const core::RunRef& run, const Author& author) override {
    return around_(write("cancel_run"), [&] { return inner_.cancel_run(run, author); });
  }

  Result<std::optional<std::chrono::sys_days>> oldest_day(Duration retention) override {
    return around_(read("oldest_day"), [&] { return inner_.oldest_day(retention); });
  }
  Result<std::vector<RunRow>> runs_of_day(std::chrono::sys_days day,
                                          const std::optional<DayPlace>& after,
                                          std::size_t most) override {
    return around_(read("runs_of_day"), [&] { return inner_.runs_of_day(day, after, most); });
  }
  Status drop_day(std::chrono::sys_days day, std::size_t runs) override {
    return around_(write("drop_day"), [&] { return inner_.drop_day(day, runs); });
  }

  Result<std::vector<RunRow>> runs_of(JobId job) override {
    return around_(read("runs_of"), [&] { return inner_.runs_of(job); });
  }
  Result<std::vector<SkipRow>> skips_of(JobId job) override {
    return around_(read("skips_of"), [&] { return inner_.skips_of(job); });
  }
  Result<std::vector<AttemptRow>> attempts_of(const core::RunRef& run) override {
    return around_(read("attempts_of"), [&] { return inner_.attempts_of(run); });
  }
  Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
      std::span<const RunGrant> grants) override {
    return around_(read("outcomes_of"), [&] { return inner_.outcomes_of(grants); });
  }
  Status note_late(std::span<const LateReport> reports) override {
    return around_(write("note_late"), [&] { return inner_.note_late(reports); });
  }

  Status put_notes(std::span<const RunNote> notes) override {
    return around_(write("put_notes"), [&] { return inner_.put_notes(notes); });
  }
  Result<RunLog> find_log(const core::RunRef& run, std::optional<AttemptNo> attempt) override {
    return around_(read("find_log"), [&] { return inner_.find_log(run, attempt); });
  }

  Result<std::vector<JobHealth>> health_of(std::span<const JobId> jobs) override {
    return around_(read("health_of"), [&] { return inner_.health_of(jobs); });
  }
  Result<JobPage> list_jobs(const JobFilter& filter, const std::string& after,
                            std::size_t limit) override {
    return around_(read("list_jobs"), [&] { return inner_.list_jobs(filter, after, limit); });
  }
  Result<RunRow> find_run(const core::RunRef& run) override {
    return around_(read("find_run"), [&] { return inner_.find_run(run); });
  }
  Result<RunPage> list_runs(const RunFilter& filter, const std::string& cursor,
                            std::size_t limit) override {
    return around_(read("list_runs"), [&] { return inner_.list_runs(filter, cursor, limit); });
  }

  Result<LedgerPage> ledger(const LedgerWindow& window, const std::string& cursor,
                            std::size_t limit) override {
    return around_(read("ledger"), [&] { return inner_.ledger(window, cursor, limit); });
  }
  Result<std::vector<RevisionRow>> revisions_of(JobId job, std::optional<std::uint32_t> before,
                                                std::size_t limit) override {
    return around_(read("revisions_of"), [&] { return inner_.revisions_of(job, before, limit); });
  }
  Result<RevisionRow> revision_at(JobId job, Instant at) override {
    return around_(read("revision_at"), [&] { return inner_.revision_at(job, at); });
  }

  Result<Overview> overview() override {
    return around_(read("overview"), [&] { return inner_.overview(); });
  }
  Result<LiveRuns> live_runs() override {
    return around_(read("live_runs"), [&] { return inner_.live_runs(); });
  }
  Result<Totals> totals() override {
    return around_(read("totals"), [&] { return inner_.totals(); });
  }
  Result<Totals> totals_of(TenantId tenant) override {
    return around_(read("totals_of"), [&] { return inner_.totals_of(tenant); });
  }
  Result<std::vector<QueueLoad>> queue_loads() override {
    return around_(read("queue_loads"), [&] { return inner_.queue_loads(); });
  }

  Result<TenantId> put_tenant(const Tenant& tenant, const Author& author) override {
    return around_(write("put_tenant"), [&] { return inner_.put_tenant(tenant, author); });
  }
  Result<Tenant> find_tenant(TenantId tenant) override {
    return around_(read("find_tenant"), [&] { return inner_.find_tenant(tenant); });
  }
  Result<Tenant> find_tenant(const std::string& name) override {
    return around_(read("find_tenant"), [&] { return inner_.find_tenant(name); });
  }
  Result<std::vector<Tenant>> list_tenants(const std::string& after, std::size_t limit) override {
    return around_(read("list_tenants"), [&] { return inner_.list_tenants(after, limit); });
  }

  Result<ApiKey> put_key(const NewKey& key, const Author& author) override {
    return around_(write("put_key"), [&] { return inner_.put_key(key, author); });
  }
  Result<KeyHolder> find_key(const KeyHash& hash) override {
    return around_(read("find_key"), [&] { return inner_.find_key(hash); });
  }
  Result<std::vector<ApiKey>> list_keys(TenantId tenant) override {
    return around_(read("list_keys"), [&] { return inner_.list_keys(tenant); });
  }
  Result<ApiKey> revoke_key(TenantId tenant, KeyId key, const Author& author) override {
    return around_(write("revoke_key"), [&] { return inner_.revoke_key(tenant, key, author); });
  }
  Result<ApiKey> replace_key(TenantId tenant, KeyId key, const KeyHash& hash, Duration overlap,
                             const Author& author) override {
    return around_(write("replace_key"),
                   [&] { return inner_.replace_key(tenant, key, hash, overlap, author); });
  }
  Status touch_key(KeyId key) override {
    return around_(write("touch_key"), [&] { return inner_.touch_key(key); });
  }
  Result<bool> any_keys() override {
    return around_(read("any_keys"), [&] { return inner_.any_keys(); });
  }
  Result<std::vector<AuditRow>> list_audit(std::optional<TenantId> tenant,
                                           std::optional<std::uint64_t> before,
                                           std::size_t limit) override {
    return around_(read("list_audit"), [&] { return inner_.list_audit(tenant, before, limit); });
  }

  Status note_refusal(const Refusal& refusal, const Author& author) override {
    return around_(write("note_refusal"), [&] { return inner_.note_refusal(refusal, author); });
  }
  Result<std::size_t> link_audit(std::size_t most) override {
    return around_(write("link_audit"), [&] { return inner_.link_audit(most); });
  }
  Result<std::vector<LinkedRow>> list_links(std::uint64_t after, std::size_t limit) override {
    return around_(read("list_links"), [&] { return inner_.list_links(after, limit); });
  }
  Result<std::vector<Linked>> list_linked(std::uint64_t after, std::size_t limit) override {
    return around_(read("list_linked"), [&] { return inner_.list_linked(after, limit); });
  }

  Result<CheckInRow> put_checkin(JobId job, const std::string& token,
                                 const Author& author) override {
    return around_(write("put_checkin"), [&] { return inner_.put_checkin(job, token, author); });
  }
  Result<CheckInRow> find_checkin(JobId job) override {
    return around_(read("find_checkin"), [&] { return inner_.find_checkin(job); });
  }
  Result<CheckInRow> find_checkin(const std::string& token) override {
    return around_(read("find_checkin_by_token"), [&] { return inner_.find_checkin(token); });
  }
  Status delete_checkin(JobId job, const Author& author) override {
    return around_(write("delete_checkin"), [&] { return inner_.delete_checkin(job, author); });
  }
  Result<std::size_t> digest_tokens(const Incarnation& leader, std::size_t most) override {
    return around_(write("digest_tokens"), [&] { return inner_.digest_tokens(leader, most); });
  }
  Status keep_early(JobId job, const std::string& report) override {
    return around_(write("keep_early"), [&] { return inner_.keep_early(job, report); });
  }
  Result<std::vector<EarlyReport>> early_reports(std::size_t limit) override {
    return around_(read("early_reports"), [&] { return inner_.early_reports(limit); });
  }
  Status drop_early(JobId job) override {
    return around_(write("drop_early"), [&] { return inner_.drop_early(job); });
  }

  Result<JobType> put_type(const JobType& type, const Author& author) override {
    return around_(write("put_type"), [&] { return inner_.put_type(type, author); });
  }
  Result<JobType> find_type(TenantId tenant, const std::string& name) override {
    return around_(read("find_type"), [&] { return inner_.find_type(tenant, name); });
  }
  Result<std::vector<JobType>> list_types(TenantId tenant, const std::string& after,
                                          std::size_t limit) override {
    return around_(read("list_types"), [&] { return inner_.list_types(tenant, after, limit); });
  }
  Status delete_type(TenantId tenant, const std::string& name, const Author& author) override {
    return around_(write("delete_type"), [&] { return inner_.delete_type(tenant, name, author); });
  }
  Result<std::vector<TypeLoad>> type_loads() override {
    return around_(read("type_loads"), [&] { return inner_.type_loads(); });
  }

  Result<SecretRow> put_secret(TenantId tenant, const std::string& name, const std::string& sealed,
                               const Author& author) override {
    return around_(write("put_secret"),
                   [&] { return inner_.put_secret(tenant, name, sealed, author); });
  }
  Result<SecretRow> find_secret(TenantId tenant, const std::string& name) override {
    return around_(read("find_secret"), [&] { return inner_.find_secret(tenant, name); });
  }
  Result<std::vector<SecretRow>> list_secrets(TenantId tenant, const std::string& after,
                                              std::size_t limit) override {
    return around_(read("list_secrets"), [&] { return inner_.list_secrets(tenant, after, limit); });
  }
  Status delete_secret(TenantId tenant, const std::string& name, const Author& author) override {
    return around_(write("delete_secret"),
                   [&] { return inner_.delete_secret(tenant, name, author); });
  }
  Status reseal_secret(const SecretRow& secret, const std::string& sealed) override {
    return around_(write("reseal_secret"), [&] { return inner_.reseal_secret(secret, sealed); });
  }
  Result<std::vector<KeptTarget>> list_targets(JobId job, std::uint32_t revision,
                                               std::size_t limit) override {
    return around_(read("list_targets"), [&] { return inner_.list_targets(job, revision, limit); });
  }
  Status reseal_target(const KeptTarget& resealed) override {
    return around_(write("reseal_target"), [&] { return inner_.reseal_target(resealed); });
  }
  Status note_rotation(TenantId tenant, const std::string& key, const Author& author) override {
    return around_(write("note_rotation"),
                   [&] { return inner_.note_rotation(tenant, key, author); });
  }
  Status note_seal_key(const std::string& id) override {
    return around_(write("note_seal_key"), [&] { return inner_.note_seal_key(id); });
  }
  Result<std::vector<std::string>> seal_keys() override {
    return around_(read("seal_keys"), [&] { return inner_.seal_keys(); });
  }
  Status keep_only_seal_key(const std::string& id) override {
    return around_(write("keep_only_seal_key"), [&] { return inner_.keep_only_seal_key(id); });
  }

  Result<BulkWork> begin_bulk(const NewBulk& wanted) override {
    return around_(write("begin_bulk"), [&] { return inner_.begin_bulk(wanted); });
  }
  Result<BulkWork> find_bulk(TenantId tenant, std::uint64_t id) override {
    return around_(read("find_bulk"), [&] { return inner_.find_bulk(tenant, id); });
  }
  Result<std::vector<BulkWork>> list_bulk(TenantId tenant, std::optional<std::uint64_t> before,
                                          std::size_t limit) override {
    return around_(read("list_bulk"), [&] { return inner_.list_bulk(tenant, before, limit); });
  }
  Result<BulkWork> stop_bulk(TenantId tenant, std::uint64_t id, const Author& author) override {
    return around_(write("stop_bulk"), [&] { return inner_.stop_bulk(tenant, id, author); });
  }
  Result<std::optional<BulkWork>> take_bulk(const Incarnation& node, Duration lease) override {
    return around_(write("take_bulk"), [&] { return inner_.take_bulk(node, lease); });
  }
  Result<SelectedJobs> count_selected(const JobSearch& search) override {
    return around_(read("count_selected"), [&] { return inner_.count_selected(search); });
  }
  Result<SelectedJobs> next_selected(const JobSearch& search) override {
    return around_(read("next_selected"), [&] { return inner_.next_selected(search); });
  }
  Result<BatchDone> change_selected(const Batch& batch) override {
    return around_(write("change_selected"), [&] { return inner_.change_selected(batch); });
  }
  Result<BulkWork> advance_bulk(const Progress& progress) override {
    return around_(write("advance_bulk"), [&] { return inner_.advance_bulk(progress); });
  }

  Result<CalendarRow> put_calendar(TenantId tenant, const std::string& name,
                                   const std::vector<std::string>& rules,
                                   const Author& author) override {
    return around_(write("put_calendar"),
                   [&] { return inner_.put_calendar(tenant, name, rules, author); });
  }
  Result<CalendarRow> find_calendar(TenantId tenant, const std::string& name) override {
    return around_(read("find_calendar"), [&] { return inner_.find_calendar(tenant, name); });
  }
  Result<std::vector<CalendarRow>> list_calendars(TenantId tenant, const std::string& after,
                                                  std::size_t limit) override {
    return around_(read("list_calendars"),
                   [&] { return inner_.list_calendars(tenant, after, limit); });
  }
  Status delete_calendar(TenantId tenant, const std::string& name, const Author& author) override {
    return around_(write("delete_calendar"),
                   [&] { return inner_.delete_calendar(tenant, name, author); });
  }
  Result<std::vector<JobId>> jobs_behind(std::size_t most) override {
    return around_(write("jobs_behind"), [&] { return inner_.jobs_behind(most); });
  }

  Result<AlertRuleRow> put_alert_rule(TenantId tenant, const std::string& name,
                                      const std::string& definition,
                                      const Author& author) override {
    return around_(write("put_alert_rule"),
                   [&] { return inner_.put_alert_rule(tenant, name, definition, author); });
  }
  Result<AlertRuleRow> find_alert_rule(TenantId tenant, const std::string& name) override {
    return around_(read("find_alert_rule"), [&] { return inner_.find_alert_rule(tenant, name); });
  }
  Result<std::vector<AlertRuleRow>> list_alert_rules(TenantId tenant, const std::string& after,
                                                     std::size_t limit) override {
    return around_(read("list_alert_rules"),
                   [&] { return inner_.list_alert_rules(tenant, after, limit); });
  }
  Status delete_alert_rule(TenantId tenant, const std::string& name,
                           const Author& author) override {
    return around_(write("delete_alert_rule"),
                   [&] { return inner_.delete_alert_rule(tenant, name, author); });
  }
  Result<AlertSilenceRow> put_alert_silence(TenantId tenant, const std::string& definition,
                                            Duration lasts, const Author& author) override {
    return around_(write("put_alert_silence"),
                   [&] { return inner_.put_alert_silence(tenant, definition, lasts, author); });
  }
  Result<std::vector<AlertSilenceRow>> list_alert_silences(TenantId tenant) override {
    return around_(read("list_alert_silences"), [&] { return inner_.list_alert_silences(tenant); });
  }
  Status delete_alert_silence(TenantId tenant, std::uint64_t id, const Author& author) override {
    return around_(write("delete_alert_silence"),
                   [&] { return inner_.delete_alert_silence(tenant, id, author); });
  }
  Result<std::vector<AlertRow>> list_alerts(TenantId tenant, bool open_only, std::uint64_t before,
                                            std::size_t limit) override {
    return around_(read("list_alerts"),
                   [&] { return inner_.list_alerts(tenant, open_only, before, limit); });
  }
  Result<std::vector<AlertMessageRow>> list_alert_messages(TenantId tenant, bool failed,
                                                           std::size_t limit) override {
    return around_(read("list_alert_messages"),
                   [&] { return inner_.list_alert_messages(tenant, failed, limit); });
  }
  Result<AlertLook> begin_alert_look() override {
    return around_(read("begin_alert_look"), [&] { return inner_.begin_alert_look(); });
  }
  Result<std::vector<core::AlertJob>> alert_facts(const AlertQuestion& question) override {
    return around_(read("alert_facts"), [&] { return inner_.alert_facts(question); });
  }
  Status end_alert_look(const AlertFindings& findings) override {
    return around_(write("end_alert_look"), [&] { return inner_.end_alert_look(findings); });
  }
  Result<std::uint64_t> put_alert_message(const AlertFindings::Message& message) override {
    return around_(write("put_alert_message"), [&] { return inner_.put_alert_message(message); });
  }
  Result<std::vector<AlertMessageRow>> claim_alert_messages(const std::string& queue,
                                                            std::size_t most,
                                                            Duration lease) override {
    return around_(write("claim_alert_messages"),
                   [&] { return inner_.claim_alert_messages(queue, most, lease); });
  }
  Result<bool> end_alert_message(const AlertMessageEnd& end) override {
    return around_(write("end_alert_message"), [&] { return inner_.end_alert_message(end); });
  }
  Result<bool> hold_alert_message(std::uint64_t id, Fence fence, Duration lease) override {
    return around_(write("hold_alert_message"),
                   [&] { return inner_.hold_alert_message(id, fence, lease); });
  }
  Result<std::vector<UndeliveredAlerts>> undelivered_alerts() override {
    return around_(read("undelivered_alerts"), [&] { return inner_.undelivered_alerts(); });
  }
  Status put_node_note(const NodeNote& note) override {
    return around_(write("put_node_note"), [&] { return inner_.put_node_note(note); });
  }
  Status prune_alerts(Duration retention) override {
    return around_(write("prune_alerts"), [&] { return inner_.prune_alerts(retention); });
  }

  Result<std::vector<LedgerJob>> ledger_jobs(JobId after, Instant ended_by,
                                             std::size_t limit) override {
    return around_(read("ledger_jobs"), [&] { return inner_.ledger_jobs(after, ended_by, limit); });
  }
  Result<std::vector<LedgerRevision>> ledger_revisions(std::span<const JobId> jobs,
                                                       Instant after) override {
    return around_(read("ledger_revisions"), [&] { return inner_.ledger_revisions(jobs, after); });
  }
  Result<std::vector<LedgerRow>> ledger_rows(const LedgerSpan& span) override {
    return around_(read("ledger_rows"), [&] { return inner_.ledger_rows(span); });
  }
  Result<LedgerCheck> ledger_check() override {
    return around_(read("ledger_check"), [&] { return inner_.ledger_check(); });
  }
  Result<std::vector<LedgerViolation>> advance_ledger_check(const LedgerStep& step) override {
    return around_(write("advance_ledger_check"),
                   [&] { return inner_.advance_ledger_check(step); });
  }
  Result<std::vector<LedgerViolation>> ledger_violations(std::optional<TenantId> tenant,
                                                         Instant found_after,
                                                         std::size_t limit) override {
    return around_(read("ledger_violations"),
                   [&] { return inner_.ledger_violations(tenant, found_after, limit); });
  }
  Result<std::vector<ProofTally>> proof_tallies(TenantId after, std::size_t limit) override {
    return around_(read("proof_tallies"), [&] { return inner_.proof_tallies(after, limit); });
  }
  Result<std::vector<ProofRow>> proofs(TenantId tenant, Instant before,
                                       std::size_t limit) override {
    return around_(read("proofs"), [&] { return inner_.proofs(tenant, before, limit); });
  }

  Result<RegionNo> put_region(const std::string& name) override {
    return around_(write("put_region"), [&] { return inner_.put_region(name); });
  }
  Result<std::vector<Region>> list_regions() override {
    return around_(read("list_regions"), [&] { return inner_.list_regions(); });
  }
  Status begin_anew() override {
    return around_(write("begin_anew"), [&] { return inner_.begin_anew(); });
  }
  Status keep_history(Duration retention, PastRuns past) override {
    return around_(write("keep_history"), [&] { return inner_.keep_history(retention, past); });
  }
  Result<std::size_t> end_pauses(std::size_t most) override {
    return around_(write("end_pauses"), [&] { return inner_.end_pauses(most); });
  }

  Result<std::optional<SkipCursor>> sweep_skips(const SkipCursor& after, Duration retention,
                                                std::size_t most) override {
    return around_(write("sweep_skips"),
                   [&] { return inner_.sweep_skips(after, retention, most); });
  }

  Result<std::vector<Event>> events_after(const EventId& after, std::size_t most) override {
    return around_(read("events_after"), [&] { return inner_.events_after(after, most); });
  }
  Result<EventId> last_event() override {
    return around_(read("last_event"), [&] { return inner_.last_event(); });
  }

  Result<Hints> await_hints(Duration longest) override {
    return around_(wait("await_hints"), [&] { return inner_.await_hints(longest); });
  }
  void touch(std::span<const core::RunRef> runs) override { inner_.touch(runs); }
  void interrupt_hints() override { inner_.interrupt_hints(); }

 private:
  static constexpr Transaction read(std::string_view name) {
    return {name, Transaction::Kind::kRead};
  }
  static constexpr Transaction write(std::string_view name) {
    return {name, Transaction::Kind::kWrite};
  }
  static constexpr Transaction wait(std::string_view name) {
    return {name, Transaction::Kind::kWait};
  }

  Store& inner_;
  Around around_;
};

}  // namespace belfry::store

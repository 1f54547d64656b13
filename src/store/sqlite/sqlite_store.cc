#include "store/sqlite/sqlite_store.h"

#include "base/mutex.h"
#include "store/common/change_rules.h"
#include "store/common/hint_queue.h"
#include "store/sqlite/admin/access.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/admin/chores.h"
#include "store/sqlite/admin/events.h"
#include "store/sqlite/admin/tenants.h"
#include "store/sqlite/jobs/calendars.h"
#include "store/sqlite/jobs/idempotency.h"
#include "store/sqlite/jobs/jobs.h"
#include "store/sqlite/jobs/listing.h"
#include "store/sqlite/runs/asked_runs.h"
#include "store/sqlite/runs/claim.h"
#include "store/sqlite/runs/ledger.h"
#include "store/sqlite/runs/run_logs.h"
#include "store/sqlite/runs/runs.h"
#include "store/sqlite/ticks/decide.h"
#include "store/sqlite/ticks/ownership.h"
#include "store/sqlite/wire/migrate.h"
#include "store/sqlite/wire/transaction.h"

#include <type_traits>
#include <utility>

namespace belfry::store {

namespace {

using sqlite::Session;
using sqlite::Transaction;

// Gives each named transaction its turn, its moment and its transaction; what it does is in the
// files of its topic.
class SqliteStore final : public Store {
 public:
  SqliteStore(std::unique_ptr<sqlite::Db> db, std::function<Instant()> now)
      : now_(std::move(now)), db_(std::move(db)) {}

  Status prepare() {
    {
      const MutexLock lock(mutex_);
      BELFRY_CHECK(sqlite::migrate(*db_, now_()));
    }
    return write([](const Session& s) { return sqlite::put_defaults(s); });
  }

  Result<Instant> clock() override { return now_(); }

  Result<Membership> renew(const Node& node, Duration ttl) override {
    return write([&](const Session& s) { return sqlite::renew(s, node, ttl); });
  }
  Result<std::vector<OwnedPartition>> acquire(const Node& node, std::size_t most) override {
    return write([&](const Session& s) { return sqlite::acquire(s, node, most); });
  }
  Status release(const Node& node, std::span<const Holding> holdings) override {
    return write([&](const Session& s) { return sqlite::release(s, node, holdings); });
  }
  Status retire(const Node& node) override {
    return write([&](const Session& s) { return sqlite::retire(s, node); });
  }
  Status leave(const Node& node) override {
    return write([&](const Session& s) { return sqlite::leave(s, node); });
  }
  Result<std::uint64_t> lead(const Node& node, Duration ttl) override {
    return write([&](const Session& s) { return sqlite::lead(s, node, ttl); });
  }

  Result<PartitionJobs> load_partition(PartitionNo partition) override {
    return read([&](const Session& s) { return sqlite::load_partition(s, partition); });
  }
  Result<std::vector<std::optional<PartitionJobs>>> load_changes(
      std::span<const KnownJobs> known) override {
    return read([&](const Session& s) { return sqlite::load_changes(s, known); });
  }
  Result<DecideResult> decide(const Incarnation& node,
                              std::span<const PartitionDecision> partitions) override {
    auto result = write([&](const Session& s) { return sqlite::decide(s, node, partitions); });
    if (result && result->runs > 0) hints_.add_runs();
    return result;
  }

  Result<std::vector<DecideOutcome>> complete_jobs(const Incarnation& node,
                                                   std::span<const EndedJobs> ended) override {
    return write([&](const Session& s) { return sqlite::complete_jobs(s, node, ended); });
  }

  Result<std::vector<Registered>> register_all(std::span<const Registration> requests,
                                               const Settle& settle) override {
    BELFRY_TRY(done,
               write([&](const Session& s) { return sqlite::register_all(s, requests, settle); }));
    hints_.add_changed(done.announced);
    return std::move(done.answers);
  }
  Result<std::optional<std::vector<RegisteredJob>>> find_request(
      const IdempotencyKey& idempotency) override {
    BELFRY_TRY(jobs, read([&](const Session& s) { return sqlite::find_request(s, idempotency); }));
    return as_repeated(std::move(jobs));
  }
  Result<JobRow> change_job(const JobChange& change, const Settle& settle) override {
    auto job = write([&](const Session& s) { return sqlite::change_job(s, change, settle); });
    if (job && change.reschedules) hints_.add_changed({&job->id, 1});
    return job;
  }
  Result<JobRow> find_job(JobId job) override {
    return read([&](const Session& s) { return sqlite::find_job(s, job); });
  }
  Result<JobRow> find_job(TenantId tenant, const std::string& name) override {
    return read([&](const Session& s) { return sqlite::find_job(s, tenant, name); });
  }

  Result<std::vector<ClaimedRun>> claim(const ClaimRequest& request) override {
    return write([&](const Session& s) { return sqlite::claim(s, request); });
  }
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const RunGrant> grants,
                                                 Duration lease) override {
    return write([&](const Session& s) { return sqlite::heartbeat(s, grants, lease); });
  }
  Result<std::vector<AttemptFacts>> facts_of(std::span<const RunGrant> grants) override {
    return read([&](const Session& s) { return sqlite::facts_of(s, grants); });
  }
  Result<std::vector<AttemptFacts>> find_expired(std::size_t most) override {
    return read([&](const Session& s) { return sqlite::find_expired(s, most); });
  }
  Result<std::vector<bool>> end_attempts(std::span<const AttemptEnd> ends) override {
    return write([&](const Session& s) { return sqlite::end_attempts(s, ends); });
  }
  Status return_runs(std::span<const RunGrant> grants, Duration wait) override {
    return write([&](const Session& s) { return sqlite::return_runs(s, grants, wait); });
  }
  Result<RunRow> trigger(const Trigger& trigger) override {
    auto run = write([&](const Session& s) { return sqlite::trigger(s, trigger); });
    if (run) hints_.add_runs();
    return run;
  }
  Result<std::vector<BackfillFate>> backfill(const Backfill& backfill) override {
    auto fates = write([&](const Session& s) { return sqlite::backfill(s, backfill); });
    if (fates && !backfill.dry_run) hints_.add_runs();
    return fates;
  }
  Result<RunRow> retry_run(const core::RunRef& run, core::RunKey fresh,
                           const Author& author) override {
    auto made = write([&](const Session& s) { return sqlite::retry_run(s, run, fresh, author); });
    if (made) hints_.add_runs();
    return made;
  }
  Result<bool> cancel_run(const core::RunRef& run, const Author& author) override {
    return write([&](const Session& s) { return sqlite::cancel_run(s, run, author); });
  }
  Result<std::optional<Instant>> next_due() override {
    return read([&](const Session& s) { return sqlite::next_due(s); });
  }

  Result<std::vector<RunRow>> runs_of(JobId job) override {
    return read([&](const Session& s) { return sqlite::runs_of(s, job); });
  }
  Result<std::vector<SkipRow>> skips_of(JobId job) override {
    return read([&](const Session& s) { return sqlite::skips_of(s, job); });
  }
  Result<std::vector<AttemptRow>> attempts_of(const core::RunRef& run) override {
    return read([&](const Session& s) { return sqlite::attempts_of(s, run); });
  }
  Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
      std::span<const RunGrant> grants) override {
    return read([&](const Session& s) { return sqlite::outcomes_of(s, grants); });
  }

  Status put_notes(std::span<const RunNote> notes) override {
    return write([&](const Session& s) { return sqlite::put_notes(s, notes); });
  }
  Result<RunLog> find_log(const core::RunRef& run, std::optional<AttemptNo> attempt) override {
    return read([&](const Session& s) { return sqlite::find_log(s, run, attempt); });
  }

  Result<JobPage> list_jobs(const JobFilter& filter, const std::string& after,
                            std::size_t limit) override {
    return read([&](const Session& s) { return sqlite::list_jobs(s, filter, after, limit); });
  }
  Result<RunRow> find_run(const core::RunRef& run) override {
    return read([&](const Session& s) { return sqlite::show_run(s, run); });
  }
  Result<RunPage> list_runs(const RunFilter& filter, const std::string& cursor,
                            std::size_t limit) override {
    return read([&](const Session& s) { return sqlite::list_runs(s, filter, cursor, limit); });
  }

  Result<LedgerPage> ledger(const LedgerWindow& window, const std::string& cursor,
                            std::size_t limit) override {
    return read([&](const Session& s) { return sqlite::ledger(s, window, cursor, limit); });
  }
  Result<std::vector<RevisionRow>> revisions_of(JobId job, std::optional<std::uint32_t> before,
                                                std::size_t limit) override {
    return read([&](const Session& s) {
      return sqlite::revisions_of(s, job, before, Instant::max(), limit);
    });
  }
  Result<RevisionRow> revision_at(JobId job, Instant at) override {
    BELFRY_TRY(revisions, read([&](const Session& s) {
                 return sqlite::revisions_of(s, job, std::nullopt, at, 1);
               }));
    if (revisions.empty()) return fail(Errc::kNotFound, "the job did not exist then");
    return revisions.front();
  }

  Result<Overview> overview() override {
    return read([](const Session& s) { return sqlite::overview(s); });
  }
  Result<LiveRuns> live_runs() override {
    return read([](const Session& s) { return sqlite::live_runs(s); });
  }
  Result<Totals> totals() override {
    return read([](const Session& s) { return sqlite::totals(s); });
  }

  Result<TenantId> put_tenant(const Tenant& tenant, const Author& author) override {
    return write([&](const Session& s) { return sqlite::put_tenant(s, tenant, author); });
  }
  Result<Tenant> find_tenant(TenantId tenant) override {
    return read([&](const Session& s) { return sqlite::find_tenant(s, tenant); });
  }
  Result<Tenant> find_tenant(const std::string& name) override {
    return read([&](const Session& s) { return sqlite::find_tenant(s, name); });
  }
  Result<std::vector<Tenant>> list_tenants(const std::string& after, std::size_t limit) override {
    return read([&](const Session& s) { return sqlite::list_tenants(s, after, limit); });
  }

  Result<ApiKey> put_key(const NewKey& key, const Author& author) override {
    return write([&](const Session& s) { return sqlite::put_key(s, key, author); });
  }
  Result<KeyHolder> find_key(const KeyHash& hash) override {
    return read([&](const Session& s) { return sqlite::find_key(s, hash); });
  }
  Result<std::vector<ApiKey>> list_keys(TenantId tenant) override {
    return read([&](const Session& s) { return sqlite::list_keys(s, tenant); });
  }
  Result<ApiKey> revoke_key(TenantId tenant, KeyId key, const Author& author) override {
    return write([&](const Session& s) { return sqlite::revoke_key(s, tenant, key, author); });
  }
  Result<bool> any_keys() override {
    return read([](const Session& s) { return sqlite::any_keys(s); });
  }
  Result<std::vector<AuditRow>> list_audit(std::optional<TenantId> tenant,
                                           std::optional<std::uint64_t> before,
                                           std::size_t limit) override {
    return read([&](const Session& s) { return sqlite::list_audit(s, tenant, before, limit); });
  }

  Result<CalendarRow> put_calendar(TenantId tenant, const std::string& name,
                                   const std::vector<std::string>& rules,
                                   const Author& author) override {
    return write(
        [&](const Session& s) { return sqlite::put_calendar(s, tenant, name, rules, author); });
  }
  Result<CalendarRow> find_calendar(TenantId tenant, const std::string& name) override {
    return read([&](const Session& s) { return sqlite::find_calendar(s, tenant, name); });
  }
  Result<std::vector<CalendarRow>> list_calendars(TenantId tenant, const std::string& after,
                                                  std::size_t limit) override {
    return read([&](const Session& s) { return sqlite::list_calendars(s, tenant, after, limit); });
  }
  Status delete_calendar(TenantId tenant, const std::string& name, const Author& author) override {
    return write(
        [&](const Session& s) { return sqlite::delete_calendar(s, tenant, name, author); });
  }
  Result<std::vector<JobId>> jobs_behind(std::size_t most) override {
    return write([&](const Session& s) { return sqlite::jobs_behind(s, most); });
  }

  Result<RegionNo> put_region(const std::string& name) override {
    return write([&](const Session& s) { return sqlite::put_region(s, name); });
  }
  Result<std::vector<Region>> list_regions() override {
    return read([](const Session& s) { return sqlite::list_regions(s); });
  }
  Status keep_history(Duration retention) override {
    for (;;) {
      BELFRY_TRY(dropped, write([&](const Session& s) { return sqlite::drop_old(s, retention); }));
      if (dropped == 0) return {};
    }
  }
  Result<std::optional<SkipCursor>> sweep_skips(const SkipCursor& after, Duration retention,
                                                std::size_t most) override {
    return write([&](const Session& s) { return sqlite::sweep_skips(s, after, retention, most); });
  }

  Result<std::vector<Event>> events_after(const EventId& after, std::size_t most) override {
    return read([&](const Session& s) { return sqlite::events_after(s, after, most); });
  }
  Result<EventId> last_event() override {
    return read([&](const Session& s) { return sqlite::last_event(s); });
  }

  Result<Hints> await_hints(Duration longest) override {
    hints_.wait(longest);
    return hints_.take();
  }
  void interrupt_hints() override { hints_.interrupt(); }

 private:
  template <typename Body>
  std::invoke_result_t<Body, const Session&> write(const Body& body) {
    return in_transaction(Transaction::Kind::kWrite, body);
  }
  template <typename Body>
  std::invoke_result_t<Body, const Session&> read(const Body& body) {
    return in_transaction(Transaction::Kind::kRead, body);
  }
  // The moment is taken under the lock, so that later transactions have later moments.
  template <typename Body>
  std::invoke_result_t<Body, const Session&> in_transaction(Transaction::Kind kind,
                                                            const Body& body) {
    const MutexLock lock(mutex_);
    BELFRY_TRY(transaction, Transaction::begin(*db_, kind));
    EventCollector news;
    const Session session{*db_, now_(), served_, news};
    auto result = body(session);
    if (!result) return result;
    BELFRY_CHECK(sqlite::write_events(session));
    BELFRY_CHECK(transaction.commit());
    if (!news.empty()) hints_.add_events();
    return result;
  }

  const std::function<Instant()> now_;
  HintQueue hints_;
  Mutex mutex_;
  const std::unique_ptr<sqlite::Db> db_ BELFRY_GUARDED_BY(mutex_);
  TenantId served_ BELFRY_GUARDED_BY(mutex_);  // see Session
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite(SqliteOptions options) {
  BELFRY_TRY(db, sqlite::Db::open(options.path));
  auto store = std::make_unique<SqliteStore>(std::move(db), std::move(options.now));
  BELFRY_CHECK(store->prepare());
  return store;
}

}  // namespace belfry::store

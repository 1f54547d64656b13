#include "demo/play.h"

#include "base/digest.h"
#include "base/manual_clock.h"
#include "core/alerts/rule.h"
#include "core/schedule/zone_catalog.h"
#include "demo/cast.h"
#include "demo/crew.h"
#include "engine/node.h"
#include "engine/observer.h"
#include "store/sqlite/sqlite_store.h"

#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

namespace belfry::demo {
namespace {

using namespace std::chrono_literals;

constexpr Duration kDay = 24h;
constexpr Duration kPast = 14 * kDay;
const store::Author kDeploy{.actor = "key:deploy", .request_id = "demo"};
const store::Author kOncall{.actor = "key:ops-oncall", .request_id = "demo"};

// One fortnight. Everything that happens goes through the store's own transactions.
class Play {
 public:
  Play(store::Store& store, ManualClock& clock, Instant end, Logger& log)
      : store_(store),
        clock_(clock),
        end_(end),
        node_({store, clock, zones_, log, observer_},
              {.name = "demo",
               .ownership = {.ttl = 2 * kPast, .renew = kPast},
               .live = {.patrol = kPast, .look_every = 1min}},
              Rng(11)),
        crew_(node_.dispatcher(), store, clock, end - 2 * kDay) {}

  Status perform() {
    BELFRY_CHECK(set_up());
    plan();
    for (int i = 0; i < 20; ++i) BELFRY_CHECK(round());  // until it has loaded everything
    while (clock_.wall_now() < end_) {
      BELFRY_CHECK(round());
      move_on();
    }
    BELFRY_CHECK(round());
    node_.dispatcher().close();
    return node_.leave();
  }

 private:
  using Act = std::function<Status()>;

  Status set_up() {
    std::map<std::string_view, TenantId> tenants{{"default", TenantId(1)}};
    for (const char* name : {"acme", "nordwind"}) {
      BELFRY_TRY(id, store_.put_tenant({.id = {}, .name = name}, kDeploy));
      tenants[name] = id;
    }
    BELFRY_TRY(calendar, store_.put_calendar(TenantId(1), "holidays",
                                             {"25 DEC *", "1 JAN *", "1 MAY *"}, kDeploy));
    static_cast<void>(calendar);
    for (const Role& role : cast()) {
      const store::NewJob job{
          .tenant = tenants[role.tenant], .region = RegionNo(0), .definition = definition_of(role)};
      BELFRY_TRY(made, store_.register_jobs({.jobs = {&job, 1}, .author = kDeploy}));
      jobs_[role.name] = made.front().job.id;
      if (!checks_in(role)) continue;
      BELFRY_TRY(token, store_.put_checkin(jobs_[role.name], random_token(24), kDeploy));
      static_cast<void>(token);
    }
    return say_what_holds();
  }

  // Limits of types, and rules that find something. Nobody listens where they tell it, and that is
  // on this machine: a demonstration calls nobody.
  Status say_what_holds() {
    constexpr TenantId kDefault(1);
    for (const store::JobType& type :
         {store::JobType{.tenant = kDefault,
                         .name = "etl",
                         .limits = {.max_concurrent = 4},
                         .defaults = {.timeout = 2h}},
          store::JobType{.tenant = kDefault,
                         .name = "sync",
                         .limits = {.starts = 100, .per = 1min, .burst = 10},
                         .defaults = {.max_attempts = 5}}}) {
      BELFRY_TRY(put, store_.put_type(type, kDeploy));
      static_cast<void>(put);
    }
    core::AlertRule failing{.name = "failing",
                            .when = core::AlertWhen::kFailedInARow,
                            .count = 3,
                            .group_wait = 10s,
                            .receivers = {R"({"kind":"HTTP","url":"http://127.0.0.1:9/oncall"})"}};
    core::AlertRule unserved = failing;
    unserved.name = "no-worker";
    unserved.when = core::AlertWhen::kNoWorker;
    unserved.count = 0;
    unserved.after = 5min;
    for (const core::AlertRule& rule : {failing, unserved}) {
      BELFRY_TRY(put,
                 store_.put_alert_rule(kDefault, rule.name, core::write_alert_rule(rule), kOncall));
      static_cast<void>(put);
    }
    return {};
  }

  static core::JobDefinition definition_of(const Role& role) {
    core::JobDefinition job{.name = std::string(role.name), .job_type = std::string(role.type)};
    job.schedule.cron_expression = role.cron;
    job.schedule.timezone = role.zone;
    job.policies.timeout = std::max<Duration>(3 * role.takes, 5min);
    if (checks_in(role)) {
      job.target = R"({"kind":"CHECKIN"})";
      job.policies.max_attempts = 1;
      job.policies.start_within = 1h;
    }
    if (role.mood == Mood::kBreaks) job.policies.max_attempts = 2;
    if (role.mood == Mood::kUnserved) job.policies.start_within = 30 * 24h;  // it still waits
    if (role.name == "search/reindex") job.policies.overlap = core::OverlapPolicy::kReplace;
    if (role.name == "etl/clickstream") job.policies.misfire = core::MisfirePolicy::kFireAll;
    if (role.name == "sync/stock-levels") job.policies.misfire = core::MisfirePolicy::kSkip;
    job.labels = R"({"belfry-demo":"true","env":"prod","team":")" + std::string(role.team) + "\"}";
    job.payload = R"({"source":"demo","since":"PT1H"})";
    job.description = "Made up, for the demonstration.";
    return job;
  }

  // What people did in these days.
  void plan() {
    const auto pause = [this](std::string_view name, Instant at, std::optional<Instant> until,
                              std::string note) {
      acts_.emplace(at, [this, name, until, note] {
        return change(name, {.status = core::JobStatus::kPaused,
                             .paused_until = until,
                             .pause_note = note,
                             .author = kOncall});
      });
    };
    const auto resume = [this](std::string_view name, Instant at) {
      acts_.emplace(at, [this, name] {
        return change(name, {.status = core::JobStatus::kActive, .author = kOncall});
      });
    };
    pause("etl/ingest-orders", end_ - 5 * kDay, {}, "vendor freeze");
    resume("etl/ingest-orders", end_ - 5 * kDay + 6h);
    pause("legacy/ftp-pull", end_ - 3 * kDay, end_ + 12 * kDay, "the partner moves its server");
    pause("mail/digest", end_ - 26h, {}, "new template, ask growth");
    pause("reports/hourly", end_ - 8 * kDay, end_ - 8 * kDay + 4h, "load test");
    for (const Duration ago : {9 * kDay, Duration(30h), Duration(2h)}) {
      acts_.emplace(end_ - ago, [this, ago]() -> Status {
        BELFRY_TRY(run, store_.trigger({.job = jobs_["ops/backup"],
                                        .key = core::RunKey(-ago.count()),
                                        .author = kOncall}));
        static_cast<void>(run);
        return {};
      });
    }
    // For five hours no node was alive: what was missed is made up for, as each job says.
    outage_ = {end_ - 6 * kDay, end_ - 6 * kDay + 5h};
  }

  Status change(std::string_view name, store::JobStore::JobChange wanted) {
    wanted.job = jobs_[name];
    BELFRY_TRY(changed, store_.change_job(wanted));
    static_cast<void>(changed);
    return {};
  }

  // One round of each duty.
  Status round() {
    while (!acts_.empty() && acts_.begin()->first <= clock_.wall_now()) {
      const Act act = std::move(acts_.begin()->second);
      acts_.erase(acts_.begin());
      BELFRY_CHECK(act());
    }
    if (!node_.standing().settled) BELFRY_CHECK(node_.renew());
    BELFRY_TRY(hints, node_.listen({}));
    static_cast<void>(hints);
    for (int i = 0; i < 2; ++i) {  // what ends may let something else begin
      BELFRY_TRY(ticked, node_.tick());
      static_cast<void>(ticked);
      while (node_.load(0).value_or(false)) {
      }
      BELFRY_TRY(reaped, node_.reap());
      static_cast<void>(reaped);
      crew_.work();
      node_.dispatcher().wake();
      BELFRY_TRY(claimed, node_.dispatcher().claim());
      static_cast<void>(claimed);
      BELFRY_TRY(ended, node_.dispatcher().end_attempts());
      static_cast<void>(ended);
    }
    return {};
  }

  // To the next thing that happens; a moment late, like everything.
  void move_on() {
    const Instant now = clock_.wall_now();
    Instant next = std::min(end_, now + 1h);
    const auto sooner = [&](std::optional<Instant> at) {
      if (at && *at < next) next = std::max(*at, now + 1ms);
    };
    sooner(node_.wake_at());
    sooner(crew_.next());
    if (!acts_.empty()) sooner(acts_.begin()->first);
    next = std::min(end_, next + 300us + rng_.up_to(1ms));
    if (next > outage_.first && now < outage_.second) next = outage_.second;
    clock_.advance(next - now);
  }

  store::Store& store_;
  ManualClock& clock_;
  const Instant end_;
  core::ZoneCatalog zones_;
  engine::Observer observer_;
  engine::Node node_;
  Crew crew_;
  Rng rng_{5};
  std::map<std::string_view, JobId> jobs_;
  std::multimap<Instant, Act> acts_;
  std::pair<Instant, Instant> outage_{Instant::max(), Instant::max()};
};

// A folder for the time of the play, in memory where the system has one there: of ten thousand
// commits none needs a disk.
class Workshop {
 public:
  Workshop() {
    namespace fs = std::filesystem;
    const fs::path memory = "/dev/shm";
    const fs::path home = fs::is_directory(memory) ? memory : fs::temp_directory_path();
    std::string name = (home / "belfry-demo-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Workshop() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  std::string file() const { return (path_ / "demo.db").string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

Status play(const std::string& path, const Clock& clock, Logger& log) {
  if (std::filesystem::exists(path)) {
    return fail({.code = Errc::kConflict,
                 .message = "`" + path + "` exists already",
                 .field = "demo",
                 .hint = "name another folder with --data-dir, or leave out --demo"});
  }
  const Workshop workshop;
  const std::string draft = workshop.file();
  ManualClock past(clock.wall_now() - kPast, BootInstant(1h));
  {
    BELFRY_TRY(store,
               store::open_sqlite({.path = draft, .now = [&past] { return past.wall_now(); }}));
    BELFRY_CHECK(Play(*store, past, clock.wall_now(), log).perform());
  }
  return store::backup_sqlite(draft, path);
}

}  // namespace belfry::demo

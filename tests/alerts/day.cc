#include "tests/alerts/day.h"

#include "base/json.h"
#include "base/manual_clock.h"
#include "base/rng.h"
#include "core/queue.h"
#include "service/alerts/alert_watch.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/alerts/model.h"
#include "tests/alerts/receiver.h"
#include "tests/alerts/rules.h"
#include "tests/alerts/saboteur.h"
#include "tests/support/must.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace belfry::alert_day {
namespace {

using std::chrono::seconds;
using store::Fault;
using test::must;

constexpr TenantId kTenant{1};
constexpr Instant kStart = from_unix_seconds(1'800'000'000);  // Friday, 2027-01-15T08:00:00Z
constexpr Model::Shape kShape{.jobs = 0, .teams = 10, .types = 5, .nodes = 3};

// Within a minute: ticks at its beginning, then starts, ends, looks and messages. So nothing that a
// look sees is younger than what its rules ask for.
constexpr Seconds kStarts = 5;
constexpr Seconds kEnds = 20;
constexpr Seconds kLooks = 40;
constexpr Seconds kMessages = 50;

class Day {
 public:
  explicit Day(const Plan& plan);
  Outcome live();

 private:
  struct Run {
    core::RunRef ref;
    Fence fence;
    Seconds starts_at = 0;
    std::optional<Seconds> ends_at;
  };
  struct Job {
    JobId id;
    int period = 0;  // minutes
    int phase = 0;
    int length = 0;
    bool is_bad = false;  // its runs fail more often than not
    Seconds paused_until = 0;
    Seconds broken_until = 0;
    std::optional<Run> live;
  };
  struct Frozen {
    std::uint64_t message = 0;
    Fence fence;
  };

  Seconds now() const { return std::chrono::floor<seconds>(clock_.wall_now() - kStart).count(); }
  void pass_to(Seconds at) { clock_.advance(seconds(at - now())); }
  bool chance(double p) { return rng_.chance(p); }
  int below(std::size_t n) { return static_cast<int>(rng_.below(n)); }
  Job& job(int i) { return jobs_[static_cast<std::size_t>(i)]; }
  int someone();  // not of the untouched team
  static store::OwnershipStore::Node node(int i) {
    return {Incarnation({7, static_cast<std::uint64_t>(i) + 1}), "node" + std::to_string(i), {}};
  }

  void make_jobs();
  void minute(int minute);
  void users();
  void silence_something();
  void pause(int i, bool paused);
  void note_broken();
  void ticks(int minute);
  void starts();
  void ends();
  Fault fault_of(std::string_view call);
  void look();
  void look_calmly();
  void messages();
  void deliver(const store::AlertMessageRow& message);
  void report_late(const std::vector<store::AlertMessageRow>& held);
  void deliver_calmly();
  void compare();

  const Plan plan_;
  Rng rng_;
  ManualClock clock_{kStart};
  std::unique_ptr<store::Store> store_;
  Model model_;
  Saboteur saboteur_;
  store::FaultyStore faulty_;
  core::ZoneCatalog zones_;
  service::AlertWatch calm_watch_;
  Receiver receiver_{kStart};
  Outcome outcome_;
  std::vector<Job> jobs_;
  std::array<Seconds, 5> unserved_until_{};  // by type
  std::vector<Frozen> frozen_;
  // What befalls the look that goes on: one fault at one of its calls.
  enum class Mishap : std::uint8_t { kNone, kFault, kKilled, kFrozen };
  Mishap mishap_ = Mishap::kNone;
  int calls_left_ = 0;         // until it strikes
  bool is_last_call_ = false;  // it strikes when the look is written
};

Model::Shape shape_of(const Plan& plan) {
  Model::Shape shape = kShape;
  shape.jobs = plan.jobs;
  return shape;
}

Day::Day(const Plan& plan)
    : plan_(plan),
      rng_(plan.seed),
      store_(must(
          store::open_sqlite({.path = ":memory:", .now = [this] { return clock_.wall_now(); }}))),
      model_(shape_of(plan), rules()),
      saboteur_(*store_, plan.sabotage,
                [this] {
                  ++outcome_.looks;
                  model_.look(now());
                }),
      faulty_(saboteur_, [this](std::string_view call) { return fault_of(call); }),
      calm_watch_({saboteur_, saboteur_, saboteur_}, zones_) {
  for (int i = 0; i < kShape.nodes; ++i) must(store_->renew(node(i), std::chrono::hours(100)));
  must(store_->acquire(node(0), 256));
  must(store_->put_calendar(kTenant, "saturdays", {"SAT"}, {}));
  for (const Rule& rule : rules()) {
    must(store_->put_alert_rule(kTenant, rule.name, definition_of(rule), {}));
  }
  make_jobs();
}

// Their schedules have no tick on this day: the day decides itself.
void Day::make_jobs() {
  constexpr std::array<int, 5> kPeriods{20, 30, 45, 60, 90};
  for (int i = 0; i < plan_.jobs; ++i) {
    store::JobStore::NewJob made{.tenant = kTenant, .region = RegionNo(0)};
    made.definition.name = "job" + std::to_string(i);
    made.definition.job_type = "type" + std::to_string(model_.type_of(i));
    made.definition.schedule.cron_expression = "0 0 1 7 *";
    made.definition.policies.overlap = core::OverlapPolicy::kAllow;
    made.definition.labels = write_json({{"team", team_name(model_.team_of(i))}});
    Job job{.id = must(store_->create_jobs({&made, 1})).at(0).id};
    job.period = kPeriods.at(rng_.below(kPeriods.size()));
    job.phase = below(static_cast<std::size_t>(job.period));
    job.length = 1 + below(3);
    jobs_.push_back(job);
  }
}

int Day::someone() {
  for (;;) {
    const int i = below(jobs_.size());
    if (model_.team_of(i) != kUntouched) return i;
  }
}

// ---- What people do ----

void Day::pause(int i, bool paused) {
  must(store_->change_job(
      {.job = job(i).id, .status = paused ? core::JobStatus::kPaused : core::JobStatus::kActive}));
  model_.pause(i, paused);
}

void Day::silence_something() {
  Silence silence{.until = now() + 60 * (10 + below(80))};
  const int what = below(4);
  if (what == 0) silence.job = someone();
  if (what == 1) silence.team = 2 + below(6);
  if (what == 2) {
    silence.rule = chance(0.5) ? "idle" : "row";
    silence.type = below(kShape.types);
  }
  constexpr std::array<const char*, 4> kRules{"missed", "clocks", "dead", "zones"};
  if (what == 3) silence.rule = kRules.at(rng_.below(kRules.size()));
  must(store_->put_alert_silence(
      kTenant,
      write_json(
          {{"rule", silence.rule}, {"scope", scope_of(silence.job, silence.team, silence.type)}}),
      seconds(silence.until - now()), {}));
  model_.silence(silence);
}

void Day::note_broken() {
  store::NodeNote note{.node = node(0).incarnation};
  for (int i = 0; i < kPartitionCount; ++i) {
    note.partitions.emplace_back(static_cast<std::uint16_t>(i));
  }
  for (const Job& each : jobs_) {
    if (each.broken_until > 0) note.broken.push_back({each.id, "the zone is gone"});
  }
  must(store_->put_node_note(note));
}

void Day::users() {
  bool zones_changed = false;
  for (int i = 0; i < plan_.jobs; ++i) {
    if (job(i).paused_until > 0 && job(i).paused_until <= now()) {
      job(i).paused_until = 0;
      pause(i, false);
    }
    if (job(i).broken_until > 0 && job(i).broken_until <= now()) {
      job(i).broken_until = 0;
      model_.break_zone(i, false);
      zones_changed = true;
    }
  }
  for (int n = 0; n < 2; ++n) {
    const int i = someone();
    if (job(i).paused_until > 0 || !chance(0.4)) continue;
    job(i).paused_until = now() + 60 * (10 + below(110));
    pause(i, true);
  }
  if (const int i = someone(); job(i).broken_until == 0 && chance(0.15)) {
    job(i).broken_until = now() + 60 * (5 + below(120));
    model_.break_zone(i, true);
    zones_changed = true;
  }
  if (zones_changed) note_broken();
  if (chance(0.08)) silence_something();
  if (chance(0.05)) {
    constexpr std::array<int, 4> kOffsets{0, 1, 3, -5};
    const int which = below(kShape.nodes);
    const int offset = kOffsets.at(rng_.below(kOffsets.size()));
    must(store_->put_node_note({.node = node(which).incarnation, .clock_offset = seconds(offset)}));
    model_.set_clock(which, offset);
  }
  if (chance(0.01)) unserved_until_.at(rng_.below(5)) = now() + 60 * (5 + below(8));
}

// ---- What jobs do ----

void Day::ticks(int minute) {
  const Tick tick(clock_.wall_now());
  std::map<PartitionNo, store::Decisions> decided;
  for (int i = 0; i < plan_.jobs; ++i) {
    Job& each = job(i);
    const bool ticks = (minute + each.phase) % each.period == 0;
    if (!ticks || each.live || each.paused_until > 0 || each.broken_until > 0) continue;
    store::Decisions& decisions = decided[partition_of(each.id)];
    if (chance(0.015)) {
      decisions.skips.push_back({.job = each.id,
                                 .first = tick,
                                 .last = tick,
                                 .reason = core::SkipReason::kMisfireExpired});
      model_.miss(i, now());
      continue;
    }
    decisions.runs.push_back({.job = each.id, .tick = tick});
    each.live = Run{.ref = {each.id, core::run_key_of(tick)}, .starts_at = now() + kStarts};
    if (chance(0.05)) each.live->starts_at += 60 * (1 + below(15));
    model_.tick(i, now());
    ++outcome_.runs;
  }
  std::vector<store::PartitionDecision> decisions;
  for (const auto& mine : must(store_->renew(node(0), std::chrono::hours(100))).mine) {
    const auto found = decided.find(mine.partition);
    if (found == decided.end()) continue;
    decisions.push_back({.partition = mine.partition,
                         .epoch = mine.epoch,
                         .version = mine.version,
                         .from = mine.decided_through,
                         .to = clock_.wall_now(),
                         .decisions = std::move(found->second)});
  }
  if (decisions.empty()) return;
  for (const auto& written : must(store_->decide(node(0).incarnation, decisions)).partitions) {
    if (written.outcome != store::DecideOutcome::kDecided) {
      outcome_.violations.emplace_back("the day could not decide its ticks");
    }
  }
}

void Day::starts() {
  store::GrantRequest request;
  request.takers.push_back({.worker = "worker", .lease = std::chrono::hours(100)});
  std::map<core::RunRef, int> starting;
  for (int i = 0; i < plan_.jobs; ++i) {
    const auto& live = job(i).live;
    const auto type = static_cast<std::size_t>(model_.type_of(i));
    if (!live || live->ends_at || live->starts_at > now()) continue;
    if (unserved_until_.at(type) > now()) continue;
    request.runs.push_back({.run = live->ref, .tenant = kTenant});
    starting[live->ref] = i;
  }
  if (request.runs.empty()) return;
  for (const store::ClaimedRun& granted : must(store_->grant(request))) {
    const int i = starting.at(granted.run);
    job(i).live->fence = granted.fence;
    const int length = job(i).length * (chance(0.04) ? 8 : 1);
    job(i).live->ends_at = now() - kStarts + 60 * length + kEnds;
    model_.start(i, now());
  }
}

void Day::ends() {
  std::vector<store::AttemptEnd> ends;
  for (int i = 0; i < plan_.jobs; ++i) {
    Job& each = job(i);
    if (!each.live || !each.live->ends_at || *each.live->ends_at > now()) continue;
    const bool failed = chance(each.is_bad ? 0.75 : 0.02);
    if (chance(each.is_bad ? 0.3 : 0.04)) each.is_bad = !each.is_bad;
    store::AttemptEnd end{.grant = {each.live->ref, each.live->fence},
                          .outcome = core::AttemptOutcome::kSucceeded,
                          .next = core::RunState::kSucceeded};
    if (failed) {
      end.outcome = core::AttemptOutcome::kFailed;
      end.next = core::RunState::kDead;
      end.error = "no";
      end.reason = core::DeadReason::kAttempts;
      ++outcome_.failures;
    }
    ends.push_back(std::move(end));
    each.live.reset();
    model_.end(i, now(), failed);
  }
  if (ends.empty()) return;
  for (const bool ended : must(store_->end_attempts(ends))) {
    if (!ended) outcome_.violations.emplace_back("the day could not end its runs");
  }
}

// ---- Those who watch ----

Fault Day::fault_of(std::string_view call) {
  const bool is_write = call == "end_alert_look";
  if (mishap_ == Mishap::kNone) return Fault::kNone;
  if (is_last_call_ ? !is_write : calls_left_-- > 0) return Fault::kNone;
  if (mishap_ == Mishap::kKilled) return Fault::kUnavailable;  // and so at each call from now on
  const Mishap mishap = std::exchange(mishap_, Mishap::kNone);
  if (mishap == Mishap::kFrozen) {  // others look meanwhile; then it goes on as if nothing had been
    clock_.advance(seconds(1));
    look_calmly();
    if (chance(0.5)) look_calmly();
    return Fault::kNone;
  }
  constexpr std::array<Fault, 3> kFaults{Fault::kUnavailable, Fault::kLostRequest,
                                         Fault::kLostReply};
  return kFaults.at(rng_.below(kFaults.size()));
}

void Day::look_calmly() {
  must(calm_watch_.run_once());
}

// Somebody always comes through in the end, as in a cluster that has not died.
void Day::look() {
  for (int tries = 0; tries < 100; ++tries) {
    service::AlertWatch watch({faulty_, faulty_, faulty_}, zones_);  // whichever: none remembers
    mishap_ = chance(0.4) ? static_cast<Mishap>(1 + below(3)) : Mishap::kNone;
    calls_left_ = below(6);
    is_last_call_ = chance(0.5);
    const auto seen = watch.run_once();
    mishap_ = Mishap::kNone;
    if (seen) return;
    ++(seen.error().code == Errc::kConflict ? outcome_.refused : outcome_.lost);
  }
  outcome_.violations.emplace_back("nobody could look");
}

// ---- Those who deliver ----

void Day::deliver(const store::AlertMessageRow& message) {
  store::AlertStore::AlertMessageEnd end{.id = message.id, .fence = message.fence};
  const int luck = below(100);
  if (luck < 7) {  // frozen before it sends
    frozen_.push_back({message.id, message.fence});
    return;
  }
  if (luck < 15) {  // the receiver refuses
    end.error = "http: 503";
    end.wait = seconds(30);
  } else {
    receiver_.take(message.id, message.body);
    if (luck < 22) return;  // killed before it can say so
    end.state = store::AlertMessageState::kSent;
  }
  if (chance(0.05)) return;  // the request is lost
  must(saboteur_.end_alert_message(end));
}

// Couriers that were frozen wake up when others have their messages, and say that they failed.
void Day::report_late(const std::vector<store::AlertMessageRow>& held) {
  for (const store::AlertMessageRow& message : held) {
    std::erase_if(frozen_, [&](const Frozen& frozen) {
      if (frozen.message != message.id) return false;
      must(saboteur_.end_alert_message({.id = frozen.message,
                                        .fence = frozen.fence,
                                        .state = store::AlertMessageState::kFailed,
                                        .error = "too late"}));
      ++outcome_.stale_ends;
      return true;
    });
  }
}

void Day::messages() {
  const auto held = must(saboteur_.claim_alert_messages(core::http_queue(), 200, seconds(90)));
  if (chance(0.05)) return;  // the reply is lost: nobody knows that it has them
  report_late(held);
  for (const store::AlertMessageRow& message : held) deliver(message);
}

void Day::deliver_calmly() {
  for (const store::AlertMessageRow& message :
       must(saboteur_.claim_alert_messages(core::http_queue(), 10'000, seconds(90)))) {
    receiver_.take(message.id, message.body);
    must(saboteur_.end_alert_message(
        {.id = message.id, .fence = message.fence, .state = store::AlertMessageState::kSent}));
  }
}

// ---- The day ----

void Day::minute(int minute) {
  pass_to(60 * minute);
  users();
  ticks(minute);
  pass_to(60 * minute + kStarts);
  starts();
  pass_to(60 * minute + kEnds);
  ends();
  pass_to(60 * minute + kLooks);
  look();
  if (chance(0.2)) look();
  pass_to(60 * minute + kMessages);
  messages();
}

template <typename Set>
void add_differences(const Set& expected, const Set& found, const char* missing, const char* extra,
                     std::vector<std::string>& violations) {
  std::vector<std::string> differences;
  std::ranges::set_difference(expected, found, std::back_inserter(differences));
  for (const std::string& one : differences) violations.push_back(missing + one);
  differences.clear();
  std::ranges::set_difference(found, expected, std::back_inserter(differences));
  for (const std::string& one : differences) violations.push_back(extra + one);
}

void Day::compare() {
  std::vector<std::string>& violations = outcome_.violations;
  const auto heard = receiver_.heard();
  add_differences(model_.told(), heard, "never told: ", "told, or told again: ", violations);
  std::set<std::string> open;
  for (const store::AlertRow& alert : must(store_->list_alerts(kTenant, true, 0, 100'000))) {
    open.insert(alert.rule + "|" + alert.subject + "|" +
                std::to_string(std::chrono::floor<seconds>(alert.opened_at - kStart).count()));
  }
  add_differences(model_.open(), open, "not open: ", "still open: ", violations);
  for (const auto& message : must(store_->list_alert_messages(kTenant, false, 100'000))) {
    if (message.state == store::AlertMessageState::kSent) continue;
    violations.push_back("message " + std::to_string(message.id) + " is not sent");
  }
  violations.insert(violations.end(), receiver_.wrong().begin(), receiver_.wrong().end());
  outcome_.news = heard.size();
  outcome_.kept_back = model_.kept_back();
  outcome_.repeated = receiver_.repeated();
}

Outcome Day::live() {
  for (int each = 1; each <= plan_.minutes; ++each) minute(each);
  // All is well with those who watch and deliver, until everything is told.
  for (int each = 1; each <= 8; ++each) {
    pass_to(60 * (plan_.minutes + each) + kLooks);
    look_calmly();
    deliver_calmly();
  }
  compare();
  return std::move(outcome_);
}

}  // namespace

Outcome live_through(const Plan& plan) {
  return Day(plan).live();
}

}  // namespace belfry::alert_day

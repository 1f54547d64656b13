#include "service/jobs/explain.h"

#include "core/queue.h"
#include "core/schedule/zone_catalog.h"

#include <gtest/gtest.h>

#include <functional>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;
using core::JobStatus;
using core::RunOrigin;
using core::RunState;
using core::SkipReason;

constexpr Instant kTick = from_unix_seconds(1'800'000'000);  // 2027-01-15T08:00:00Z, a full hour
constexpr TenantId kTenant{7};

// An hourly job, an hour later; the tick is decided, and what became of it is up to the test.
class ExplainTest : public testing::Test {
 protected:
  ExplainFacts facts() {
    store::RevisionRow revision{.revision = 3, .effective_from = kTick - 24h};
    revision.schedule.cron_expression = "0 * * * *";
    ExplainFacts facts{.at = kTick, .now = kTick + 1h};
    facts.created_at = kTick - 48h;
    facts.queue = "mail";
    facts.next = kTick + 2h;
    facts.revision = revision;
    facts.schedule = *core::Schedule::make(revision.schedule, zones_);
    facts.decided_through = kTick + 30min;
    return facts;
  }
  // The same schedule, closed around the tick.
  core::Schedule delaying() {
    core::ScheduleSpec spec{.cron_expression = "0 * * * *", .calendar_name = "freeze"};
    spec.calendar_rules = "07:30..08:45";
    spec.calendar_policy = core::CalendarPolicy::kDelay;
    return *core::Schedule::make(spec, zones_);
  }
  static store::RunRow run(RunState state) {
    store::RunRow row{.run = {JobId(5), core::run_key_of(Tick(kTick))},
                      .state = state,
                      .scheduled_for = kTick,
                      .decided_at = kTick + 4ms};
    row.job_type = "mail";
    row.tenant = kTenant;
    row.max_attempts = 3;
    row.due_at = kTick;
    if (!core::is_live(state)) row.finished_at = kTick + 1min;
    return row;
  }
  static store::RunRow started(RunState state, std::uint32_t attempts = 1) {
    store::RunRow row = run(state);
    row.started_at = kTick + 10ms;
    row.worker = "w1";
    row.attempts = attempts;
    row.lease_until = kTick + 2h;
    return row;
  }
  // One that waits for its next attempt: as the stores write it, without a start.
  static store::RunRow between(RunState state) {
    store::RunRow row = run(state);
    row.attempts = 1;
    return row;
  }
  static store::AttemptRow failed_attempt(Instant at) {
    return {.outcome = core::AttemptOutcome::kFailed,
            .started_at = at,
            .finished_at = at + 1s,
            .worker = "w1",
            .error = "boom"};
  }
  static store::SkipRow skip(SkipReason reason) {
    return {.first = Tick(kTick), .last = Tick(kTick), .reason = reason};
  }
  // The run of the hour before, which was in the way.
  static store::RunRow earlier(store::RunRow row) {
    row.run.key = core::run_key_of(Tick(kTick - 1h));
    row.scheduled_for = kTick - 1h;
    row.decided_at = kTick - 1h;
    if (row.started_at) row.started_at = kTick - 1h;
    if (row.finished_at) row.finished_at = kTick + 1min;
    return row;
  }
  static Trouble trouble(TroubleCode code, std::string subject,
                         Severity severity = Severity::kWarning) {
    return {.code = code,
            .severity = severity,
            .subject = std::move(subject),
            .since = kTick - 2h,
            .sentence = "trouble: " + std::string(name_of(code)),
            .remedy = "mend " + std::string(name_of(code))};
  }
  static std::string first_failed(const Explanation& answer) {
    for (const Check& check : answer.checks) {
      if (check.passed != true) return check.check;
    }
    return "";
  }
  static std::string remedy(const Explanation& answer) {
    for (const Check& check : answer.checks) {
      if (check.passed != true) return check.remedy;
    }
    return "";
  }

  core::ZoneCatalog zones_;
};

// One situation and what must be said of it.
struct Case {
  const char* name;
  std::function<void(ExplainFacts&)> make;
  const char* verdict;
  const char* cause;
  const char* check;   // the first that did not pass
  const char* words;   // in the sentence
  const char* remedy;  // in that check's remedy
};

class ExplainTableTest : public ExplainTest {
 protected:
  void expect(const Case& expected) {
    SCOPED_TRACE(expected.name);
    ExplainFacts asked = facts();
    expected.make(asked);
    const Explanation answer = explain(asked);
    EXPECT_EQ(answer.verdict, expected.verdict);
    EXPECT_EQ(answer.cause, expected.cause);
    EXPECT_EQ(first_failed(answer), expected.check);
    EXPECT_NE(answer.sentence.find(expected.words), std::string::npos) << answer.sentence;
    EXPECT_NE(remedy(answer).find(expected.remedy), std::string::npos) << remedy(answer);
    EXPECT_EQ(answer.checks.size(), 7U);
  }
};

// What kept a run that has not started: by target and cause.
TEST_F(ExplainTableTest, ARunThatHasNotStarted) {
  const auto ready = [](const std::string& queue) {
    return [queue](ExplainFacts& facts) {
      facts.run = run(RunState::kReady);
      facts.queue = queue;
    };
  };
  const auto troubled = [&](const std::string& queue, TroubleCode code) {
    return [=](ExplainFacts& facts) {
      facts.run = run(RunState::kReady);
      facts.queue = queue;
      facts.troubles.push_back(trouble(code, queue));
    };
  };
  const std::string exec = core::exec_queue("shell");
  const std::string topic = core::topic_queue("orders");
  const std::string http = core::http_queue();
  for (const Case& each : std::vector<Case>{
           {"worker, just now", ready("mail"), "run", "waiting", "started",
            "a worker of type `mail`", "start a worker of type `mail`"},
           {"worker, in its region",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.queue = "mail";
              facts.region = RegionNo(1);
              facts.region_name = "eu";
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
              facts.troubles.back().region = RegionNo(0);  // not its trouble
            },
            "run", "waiting", "started", "a worker of type `mail` in region `eu`",
            "start a worker of type `mail` in region `eu`"},
           {"type without room",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.limit =
                  store::TypeLoad{.type = {.name = "mail", .limits = {.starts = 5, .burst = 1}}};
            },
            "run", "type_limit", "started", "type `mail` starts at most 5/s",
            "belfry types put mail"},
           {"exec, just now", ready(exec), "run", "waiting", "started",
            "an exec worker of type `shell`", "start an exec worker"},
           {"topic, just now", ready(topic), "run", "waiting", "started", "broker `orders`",
            "broker `orders`"},
           {"webhook, just now", ready(http), "run", "waiting", "started", "webhooks", "webhooks"},
           {"worker, nobody", troubled("mail", TroubleCode::kNoWorker), "run", "no_worker",
            "started", "trouble: no_worker", "mend no_worker"},
           {"worker, all busy", troubled("mail", TroubleCode::kWorkersBusy), "run", "workers_busy",
            "started", "trouble: workers_busy", "mend workers_busy"},
           {"exec, nobody", troubled(exec, TroubleCode::kNoWorker), "run", "no_worker", "started",
            "trouble: no_worker", "mend no_worker"},
           {"exec, all busy", troubled(exec, TroubleCode::kWorkersBusy), "run", "workers_busy",
            "started", "trouble: workers_busy", "mend workers_busy"},
           {"topic, unknown broker", troubled(topic, TroubleCode::kBrokerUnknown), "run",
            "broker_unknown", "started", "trouble: broker_unknown", "mend broker_unknown"},
           {"topic, dead broker", troubled(topic, TroubleCode::kBrokerAway), "run", "broker_away",
            "started", "trouble: broker_away", "mend broker_away"},
           {"webhook, couriers busy", troubled(http, TroubleCode::kWorkersBusy), "run",
            "workers_busy", "started", "trouble: workers_busy", "mend workers_busy"},
           {"store away",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.troubles.push_back(
                  trouble(TroubleCode::kDatabaseAway, "n1", Severity::kCritical));
            },
            "run", "database_away", "started", "trouble: database_away", "mend database_away"},
           {"another tenant's trouble",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
              facts.troubles.back().tenant = TenantId(8);
            },
            "run", "waiting", "started", "a worker of type `mail`", "start a worker"},
           {"its own job's run",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.blocker = earlier(started(RunState::kRunning));
            },
            "run", "own_run", "started", "of the same job is still going, on w1", "cancel it"},
           {"in line after an outage",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.run->due_at = facts.now + 5min;
            },
            "run", "in_line", "started", "it waits until", "twice the usual rate"},
           {"delayed by its calendar",
            [&](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.run->due_at = facts.now + 5min;
              facts.schedule = delaying();
            },
            "run", "calendar", "started", "calendar_policy is DELAY", "wait"},
           {"put off, at an endpoint that hangs",
            [](ExplainFacts& facts) {
              facts.queue = core::http_queue();
              facts.run = run(RunState::kRetrying);
              facts.run->due_at = facts.now + 5s;
              facts.troubles.push_back(trouble(TroubleCode::kEndpointAway, "api.example:443"));
            },
            "run", "endpoint_away", "started", "trouble: endpoint_away", "mend endpoint_away"},
           {"put off by its worker",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kRetrying);
              facts.run->due_at = facts.now + 5s;
            },
            "run", "put_off", "started", "put it off until", "wait"},
           {"triggered by hand",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.run->origin = RunOrigin::kManual;
              facts.run->scheduled_for = facts.at = kTick + 7min;
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
            },
            "run", "no_worker", "started", "trouble: no_worker", "mend no_worker"},
           {"being cancelled",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kReady);
              facts.run->cancel_requested = true;
            },
            "run", "cancelled", "started", "being cancelled", "nothing"},
           {"cancelled", [](ExplainFacts& facts) { facts.run = run(RunState::kCancelled); }, "run",
            "cancelled", "started", "cancelled before it started", "retry the run"},
           {"nobody started it in time",
            [](ExplainFacts& facts) { facts.run = run(RunState::kDead); }, "run", "not_started",
            "started", "nobody started in time", "a worker of type `mail`"},
           {"put off, due again, and its endpoint is silent",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kRetrying);
              facts.queue = core::http_queue();
              facts.troubles.push_back(trouble(TroubleCode::kEndpointAway, "api.example:443"));
            },
            "run", "endpoint_away", "started", "trouble: endpoint_away", "mend endpoint_away"},
           {"it was given up behind a run of its own job",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kDead);
              facts.run->error = "nobody started it in time";
              facts.blocker = earlier(started(RunState::kRunning));
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
            },
            "run", "own_run", "started", "nobody started in time", "raise start_within"},
           {"nobody was there to start it in time",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kDead);
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
              facts.troubles.back().since = kTick;
            },
            "run", "no_worker", "started", "nobody started in time: trouble", "mend no_worker"},
           {"nobody started it in time, and the worker went later",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kDead);
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
              facts.troubles.back().since = kTick + 5min;
            },
            "run", "not_started", "started", "nobody started in time", "a worker of type `mail`"},
           {"replaced before it started",
            [](ExplainFacts& facts) {
              facts.run = run(RunState::kCancelled);
              facts.run->error = "replaced by a newer run";
            },
            "overlap_replaced", "overlap_replaced", "started", "a newer tick replaced it",
            "concurrency_policy"},
       }) {
    expect(each);
  }
}

// Of an instant that has not come it is said what will be, as far as that is known.
TEST_F(ExplainTableTest, AnInstantToCome) {
  const auto with = [this](core::ScheduleSpec spec) {
    return [=, this](ExplainFacts& facts) {
      facts.now = kTick - 1h;
      facts.schedule = *core::Schedule::make(spec, zones_);
    };
  };
  core::ScheduleSpec closed{.cron_expression = "0 * * * *", .calendar_name = "freeze"};
  closed.calendar_rules = "07:30..08:45";
  for (const Case& each : std::vector<Case>{
           {"nothing is in its way", [](ExplainFacts& facts) { facts.now = kTick - 1h; }, "not_yet",
            "", "decided", "its time has not come", ""},
           {"its calendar is closed then", with(closed), "calendar", "", "decided",
            "It will not run: its calendar", "change the calendar"},
           {"no tick there",
            [](ExplainFacts& facts) {
              facts.at = kTick + 5min;
              facts.now = kTick;
            },
            "not_matching", "", "matches", "It will not run: the schedule has no tick", "beside"},
           {"paused",
            [](ExplainFacts& facts) {
              facts.now = kTick - 1h;
              facts.revision->status = JobStatus::kPaused;
            },
            "paused", "", "active", "It will not run: the job was paused", "resume"},
       }) {
    expect(each);
  }
  core::ScheduleSpec gap{.cron_expression = "30 2 * * *", .timezone = "America/New_York"};
  gap.dst_gap = core::DstGap::kSkip;
  ExplainFacts asked = facts();
  asked.at = from_unix_seconds(1'805'007'600);  // 2027-03-14T07:00:00Z, when the gap ends
  asked.schedule = *core::Schedule::make(gap, zones_);
  EXPECT_EQ(explain(asked).verdict, "dst_gap");
}

// What stands for missed ticks may be skipped as well.
TEST_F(ExplainTest, AMissedTickSaysWhatBecameOfTheOneThatStoodForIt) {
  ExplainFacts asked = facts();
  asked.skip = skip(SkipReason::kMisfireCoalesced);
  EXPECT_NE(explain(asked).sentence.find("a newer tick ran in its place"), std::string::npos);
  asked.heir = skip(SkipReason::kOverlap);
  asked.heir->first = asked.heir->last = Tick(kTick + 1h);
  const std::string sentence = explain(asked).sentence;
  EXPECT_EQ(sentence.find("ran in its place"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("did not run either"), std::string::npos) << sentence;
  EXPECT_EQ(explain(asked).verdict, "misfire_coalesced");
}

// What became of a run that was tried.
TEST_F(ExplainTableTest, ARunThatWasTried) {
  const auto ended = [](RunState state, std::uint32_t attempts, std::string error) {
    return [=](ExplainFacts& facts) {
      facts.run = started(state, attempts);
      facts.run->error = error;
    };
  };
  for (const Case& each : std::vector<Case>{
           {"succeeded", ended(RunState::kSucceeded, 1, ""), "run", "", "", "and succeeded", ""},
           {"dead, attempts used up", ended(RunState::kDead, 3, "HTTP 503"), "run", "attempts",
            "succeeded", "HTTP 503", "retry"},
           {"dead for good", ended(RunState::kDead, 1, "no such order"), "run", "permanent",
            "succeeded", "no such order", "retry"},
           {"taken from its worker",
            [](ExplainFacts& facts) {
              facts.run = started(RunState::kDead, 1);
              facts.run->reason = core::DeadReason::kUnstuck;
            },
            "run", "unstuck", "succeeded", "DEAD", "retry"},
           {"its worker does not know its type",
            [](ExplainFacts& facts) {
              facts.run = started(RunState::kDead, 3);
              facts.run->reason = core::DeadReason::kUnknownHandler;
            },
            "run", "unknown_handler", "succeeded", "DEAD", "retry"},
           {"failed", ended(RunState::kFailed, 1, "x"), "run", "permanent", "succeeded", "FAILED",
            "retry"},
           {"timed out", ended(RunState::kTimedOut, 3, "5m"), "run", "timed_out", "succeeded",
            "TIMED_OUT", "retry"},
           {"cancelled while it ran", ended(RunState::kCancelled, 1, ""), "run", "cancelled",
            "succeeded", "CANCELLED", "retry"},
           {"replaced while it ran", ended(RunState::kCancelled, 1, "replaced by a newer run"),
            "overlap_replaced", "overlap_replaced", "succeeded", "replaced", "concurrency_policy"},
           {"replaced while it ran, and its worker did not stop",
            [](ExplainFacts& facts) {
              facts.run = started(RunState::kCancelled);
              facts.run->error = "it was cancelled, and its worker did not stop in time";
              facts.replaced_by = core::RunRef{JobId(5), core::run_key_of(Tick(kTick + 1h))};
            },
            "overlap_replaced", "overlap_replaced", "succeeded", "replaced", "concurrency_policy"},
           {"a manual run that failed",
            [](ExplainFacts& facts) {
              facts.run = started(RunState::kDead, 3);
              facts.run->origin = RunOrigin::kManual;
              facts.at = facts.run->scheduled_for = kTick + 7min;
            },
            "run", "attempts", "succeeded", "DEAD", "retry"},
           {"running", [](ExplainFacts& facts) { facts.run = started(RunState::kRunning); }, "run",
            "running", "succeeded", "RUNNING", "cancel the run"},
           {"running since just after we looked at the clock",
            [](ExplainFacts& facts) {
              facts.run = started(RunState::kRunning);
              facts.run->started_at = facts.now + 3ms;
            },
            "run", "running", "succeeded", "RUNNING", "cancel the run"},
           {"its worker is silent",
            [](ExplainFacts& facts) {
              facts.run = started(RunState::kRunning);
              facts.run->lease_until = facts.now - 1s;
            },
            "run", "lease_over", "succeeded", "RUNNING", "somebody else"},
           {"told to stop",
            [](ExplainFacts& facts) {
              facts.run = started(RunState::kRunning);
              facts.run->cancel_requested = true;
            },
            "run", "cancelling", "succeeded", "RUNNING", "unstick"},
           {"retrying",
            [](ExplainFacts& facts) {
              facts.run = between(RunState::kRetrying);
              facts.attempts = {failed_attempt(kTick)};
              facts.run->due_at = facts.now + 10s;
            },
            "run", "retrying", "succeeded", "RETRYING", "look at what failed"},
           {"retrying at an endpoint that hangs",
            [](ExplainFacts& facts) {
              facts.queue = core::http_queue();
              facts.run = between(RunState::kRetrying);
              facts.attempts = {failed_attempt(kTick)};
              facts.run->due_at = facts.now + 10s;
              facts.troubles.push_back(trouble(TroubleCode::kEndpointAway, "api.example:443"));
            },
            "run", "endpoint_away", "succeeded", "RETRYING", "mend endpoint_away"},
           {"due again, and nobody is left",
            [](ExplainFacts& facts) {
              facts.run = between(RunState::kRetrying);
              facts.attempts = {failed_attempt(kTick)};
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
            },
            "run", "no_worker", "succeeded", "RETRYING", "mend no_worker"},
           {"due again, a moment ago",
            [](ExplainFacts& facts) {
              facts.run = between(RunState::kRetrying);
              facts.attempts = {failed_attempt(kTick)};
            },
            "run", "retrying", "succeeded", "RETRYING", "start a worker of type `mail`"},
           {"due again, while another run of the job is going",
            [](ExplainFacts& facts) {
              facts.run = between(RunState::kRetrying);
              facts.attempts = {failed_attempt(kTick)};
              facts.blocker = earlier(started(RunState::kRunning));
              facts.troubles.push_back(trouble(TroubleCode::kWorkersBusy, "mail"));
            },
            "run", "own_run", "succeeded", "RETRYING", "wait for it, or cancel it"},
           {"due again, and its type has no room",
            [](ExplainFacts& facts) {
              facts.run = between(RunState::kRetrying);
              facts.attempts = {failed_attempt(kTick)};
              facts.limit = store::TypeLoad{
                  .type = {.tenant = kTenant, .name = "mail", .limits = {.max_concurrent = 5}},
                  .held = 5};
            },
            "run", "type_limit", "succeeded", "RETRYING", "belfry types put mail"},
           {"due again, and the disk is full",
            [](ExplainFacts& facts) {
              facts.run = between(RunState::kRetrying);
              facts.attempts = {failed_attempt(kTick)};
              facts.blocker = earlier(started(RunState::kRunning));
              facts.troubles.push_back(trouble(TroubleCode::kDiskFull, "n1", Severity::kCritical));
            },
            "run", "disk_full", "succeeded", "RETRYING", "mend disk_full"},
           {"cancelled between two attempts",
            [](ExplainFacts& facts) {
              facts.run = between(RunState::kCancelled);
              facts.attempts = {failed_attempt(kTick)};
            },
            "run", "cancelled", "succeeded", "started 2027-01-15T08:00:00Z on w1", "retry"},
           {"not due again, nobody's fault yet",
            [](ExplainFacts& facts) {
              facts.run = between(RunState::kRetrying);
              facts.attempts = {failed_attempt(kTick)};
              facts.run->due_at = facts.now + 10s;
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
            },
            "run", "retrying", "succeeded", "RETRYING", "look at what failed"},
       }) {
    expect(each);
  }
}

// A tick that got no run, or none yet.
TEST_F(ExplainTableTest, ATickWithoutARun) {
  const auto overlapped = [](store::RunRow blocker) {
    return [=](ExplainFacts& facts) {
      facts.skip = skip(SkipReason::kOverlap);
      facts.blocker = earlier(blocker);
    };
  };
  const auto undecided = [](ExplainFacts& facts) { facts.decided_through = kTick - 1s; };
  for (const Case& each : std::vector<Case>{
           {"the run before was going", overlapped(started(RunState::kRunning)), "overlap", "",
            "run", "was still going, on w1", "faster"},
           {"... and is over now", overlapped(started(RunState::kSucceeded)), "overlap", "", "run",
            "was still going, on w1", "faster"},
           {"the run before waited, because its type had no room",
            [&](ExplainFacts& facts) {
              overlapped(run(RunState::kReady))(facts);
              facts.limit = store::TypeLoad{
                  .type = {.tenant = kTenant, .name = "mail", .limits = {.max_concurrent = 5}},
                  .held = 5};
            },
            "overlap", "type_limit", "run", "at most 5 at a time", "belfry types put mail"},
           {"the run before was put off", overlapped(run(RunState::kRetrying)), "overlap",
            "put_off", "run", "was put off", "wait"},
           {"the run before was put off, because its endpoint is silent",
            [&](ExplainFacts& facts) {
              overlapped(run(RunState::kRetrying))(facts);
              facts.blocker->due_at = facts.now + 10s;
              facts.queue = core::http_queue();
              facts.troubles.push_back(trouble(TroubleCode::kEndpointAway, "api.example:443"));
            },
            "overlap", "endpoint_away", "run", "trouble: endpoint_away", "mend endpoint_away"},
           {"the run before waited", overlapped(run(RunState::kReady)), "overlap", "waiting", "run",
            "was still waiting for a worker of type `mail`", "start a worker of type `mail`"},
           {"the run before waited for its first check-in",
            [&](ExplainFacts& facts) {
              overlapped(run(RunState::kReady))(facts);
              facts.queue = core::checkin_queue();
            },
            "overlap", "waiting", "run", "was still waiting for its check-in", "report"},
           {"the run before was never started, and is given up now",
            [&](ExplainFacts& facts) {
              overlapped(run(RunState::kDead))(facts);
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
            },
            "overlap", "waiting", "run", "was still waiting for a worker of type `mail`",
            "start a worker of type `mail`"},
           {"the run before had failed and waits for its next attempt",
            [&](ExplainFacts& facts) {
              overlapped(between(RunState::kRetrying))(facts);
              facts.blocker->due_at = facts.now + 10s;
              facts.blocker_attempts = {failed_attempt(kTick - 1h)};
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
            },
            "overlap", "retrying", "run", "had failed at 2027-01-15T07:00:01Z (boom)",
            "look at what failed"},
           {"... and nobody takes it",
            [&](ExplainFacts& facts) {
              overlapped(between(RunState::kRetrying))(facts);
              facts.blocker_attempts = {failed_attempt(kTick - 1h)};
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
            },
            "overlap", "no_worker", "run", "had failed", "mend no_worker"},
           {"the run before was in an attempt that has failed since",
            [&](ExplainFacts& facts) {
              overlapped(between(RunState::kRetrying))(facts);
              facts.blocker->due_at = facts.now + 10s;
              facts.blocker_attempts = {failed_attempt(kTick - 1h)};
              facts.blocker_attempts[0].finished_at = kTick + 1s;
            },
            "overlap", "", "run", "was still going, on w1", "faster"},
           {"the run before waited, no worker anywhere",
            [&](ExplainFacts& facts) {
              overlapped(run(RunState::kReady))(facts);
              facts.troubles.push_back(trouble(TroubleCode::kNoWorker, "mail"));
            },
            "overlap", "no_worker", "run", "was still waiting for a worker of type `mail`",
            "mend no_worker"},
           {"the run before waited for a dead broker",
            [&](ExplainFacts& facts) {
              overlapped(run(RunState::kReady))(facts);
              facts.queue = core::topic_queue("orders");
              facts.troubles.push_back(trouble(TroubleCode::kBrokerAway, facts.queue));
            },
            "overlap", "broker_away", "run", "broker `orders`", "mend broker_away"},
           {"nothing known of the run before",
            [](ExplainFacts& facts) { facts.skip = skip(SkipReason::kOverlap); }, "overlap", "",
            "run", "was not over yet", "faster"},
           {"replaced",
            [](ExplainFacts& facts) { facts.skip = skip(SkipReason::kOverlapReplaced); },
            "overlap_replaced", "", "run", "a newer tick replaced it", "concurrency_policy"},
           {"about to be decided", undecided, "undecided", "", "decided", "about to be decided",
            ""},
           {"nobody owns it",
            [&](ExplainFacts& facts) {
              undecided(facts);
              facts.owned = false;
            },
            "undecided", "unowned", "decided", "no living node", "start a node"},
           {"behind",
            [&](ExplainFacts& facts) {
              undecided(facts);
              facts.troubles.push_back(trouble(TroubleCode::kBehind, "", Severity::kCritical));
            },
            "undecided", "behind", "decided", "trouble: behind", "mend behind"},
           {"disk full",
            [&](ExplainFacts& facts) {
              undecided(facts);
              facts.troubles.push_back(trouble(TroubleCode::kDiskFull, "n1", Severity::kCritical));
            },
            "undecided", "disk_full", "decided", "trouble: disk_full", "mend disk_full"},
           {"the future",
            [](ExplainFacts& facts) {
              facts.now = kTick - 1h;
              facts.decided_through = facts.now;
            },
            "not_yet", "", "decided", "has not come", ""},
           {"forgotten", [](ExplainFacts&) {}, "forgotten", "", "decided", "older than the history",
            ""},
           {"paused then",
            [](ExplainFacts& facts) {
              facts.revision->status = JobStatus::kPaused;
              facts.paused_by = "key:ops";
              facts.pause_note = "lunch";
            },
            "paused", "", "active", "key:ops (\"lunch\")", "resume"},
           {"paused, says the ledger",
            [](ExplainFacts& facts) {
              facts.skip = skip(SkipReason::kPaused);
              facts.paused_by = "key:ops";
            },
            "paused", "", "run", "paused by key:ops", "resume"},
           {"paused until that very instant",
            [](ExplainFacts& facts) {
              facts.revision->status = JobStatus::kPaused;
              facts.revision->paused_until = kTick;
            },
            "forgotten", "", "decided", "older", ""},
           {"cancelled then",
            [](ExplainFacts& facts) { facts.revision->status = JobStatus::kCancelled; },
            "cancelled", "", "active", "cancelled", "replace the job"},
           {"deleted then",
            [](ExplainFacts& facts) { facts.revision->status = JobStatus::kDeleted; }, "no_job", "",
            "active", "deleted", ""},
           {"before it was made",
            [](ExplainFacts& facts) {
              facts.revision.reset();
              facts.schedule.reset();
            },
            "no_job", "", "existed", "made at 2027-01-13", ""},
           {"no tick there", [](ExplainFacts& facts) { facts.at = kTick + 5min; }, "not_matching",
            "", "matches", "the next one is", "instants beside"},
           {"outside its bounds",
            [this](ExplainFacts& facts) {
              facts.revision->schedule.start_at = kTick + 1min;
              facts.schedule = *core::Schedule::make(facts.revision->schedule, zones_);
            },
            "out_of_bounds", "", "matches", "bounds", "bounds"},
       }) {
    expect(each);
  }
}

// A job younger than its last tick: the README's own first minutes.
TEST_F(ExplainTableTest, AJobThatHasNotTickedYet) {
  const auto young = [](ExplainFacts& facts) {
    facts.never_ticked = true;
    facts.created_at = kTick + 30min;
  };
  for (const Case& each : std::vector<Case>{
           {"active", young, "not_yet", "", "decided", "its first tick is 2027-01-15T10:00:00Z",
            "trigger"},
           {"paused",
            [&](ExplainFacts& facts) {
              young(facts);
              facts.status = JobStatus::kPaused;
              facts.paused_by = "me";
            },
            "paused", "", "active", "paused by me", "resume"},
           {"cancelled before the first tick",
            [&](ExplainFacts& facts) {
              young(facts);
              facts.status = JobStatus::kCancelled;
            },
            "cancelled", "", "active", "cancelled", "replace the job"},
           {"deleted before the first tick",
            [&](ExplainFacts& facts) {
              young(facts);
              facts.status = JobStatus::kDeleted;
            },
            "no_job", "", "active", "deleted", "make it again"},
           {"no tick is to come",
            [&](ExplainFacts& facts) {
              young(facts);
              facts.next.reset();
            },
            "not_matching", "", "decided", "no tick after that", "bounds"},
       }) {
    expect(each);
  }
}

TEST_F(ExplainTest, EveryReasonOfASkipHasWords) {
  for (int i = 0; i <= static_cast<int>(SkipReason::kRestored); ++i) {
    ExplainFacts asked = facts();
    asked.skip = skip(static_cast<SkipReason>(i));
    const Explanation answer = explain(asked);
    EXPECT_EQ(answer.verdict, core::name_of(static_cast<SkipReason>(i)));
    EXPECT_EQ(first_failed(answer), "run");
    EXPECT_GT(answer.sentence.size(), 20U) << answer.sentence;
    EXPECT_FALSE(remedy(answer).empty());
  }
}

TEST_F(ExplainTest, TheEvidenceIsTheRunInTheWayAndSinceWhen) {
  ExplainFacts asked = facts();
  asked.skip = skip(SkipReason::kOverlap);
  asked.blocker = earlier(started(RunState::kRunning));
  const Explanation answer = explain(asked);
  EXPECT_EQ(answer.blocked_by, asked.blocker->run);
  EXPECT_EQ(answer.since, kTick - 1h);
}

TEST_F(ExplainTest, TheTicksAroundAreTold) {
  ExplainFacts asked = facts();
  asked.at = kTick + 5min;
  EXPECT_EQ(explain(asked).before, kTick);
  EXPECT_EQ(explain(asked).after, kTick + 1h);
}

}  // namespace
}  // namespace belfry::service

// What became of a run, or keeps it.
#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/queue.h"
#include "core/spelling.h"
#include "service/health/health_facts.h"
#include "service/jobs/explain.h"

#include <algorithm>

namespace belfry::service {
namespace {

using core::RunState;

// What a store writes as the error of a run that REPLACE ended.
constexpr std::string_view kReplaced = "replaced by a newer run";

class RunExplainer {
 public:
  RunExplainer(const ExplainFacts& facts, Explanation& answer)
      : facts_(facts), run_(*facts.run), answer_(answer) {}

  void explain() {
    answer_.verdict = "run";
    if (!run_.started_at && run_.attempts == 0) return not_started();
    if (run_.started_at) {
      started(*run_.started_at, run_.worker);
    } else if (!facts_.attempts.empty()) {  // between two attempts
      started(facts_.attempts.back().started_at, facts_.attempts.back().worker);
    } else {
      answer_.sentence = "It ran";
      add("started", true, "it was tried before");
    }
    if (core::is_live(run_.state)) return under_way();
    ended();
  }

 private:
  void add(const char* check, std::optional<bool> passed, std::string detail,
           std::string remedy = {}) {
    answer_.checks.push_back({check, passed, std::move(detail), std::move(remedy)});
  }
  void blame(std::string_view cause, std::optional<Instant> since = {}) {
    answer_.cause = cause;
    if (since) answer_.since = since;
  }

  void started(Instant at, const std::string& worker) {
    answer_.sentence = "It ran: started " + format_instant(at) + " on " + worker;
    add("started", true, "started " + format_instant(at) + " by worker " + worker);
  }

  // ---- Nobody has begun with it.

  void not_started() {
    if (!core::is_live(run_.state)) return ended_untried();
    const auto [detail, remedy] = why_waiting();
    answer_.sentence =
        "It became run " + core::write_run_id(run_.run) + ", which has not started: " + detail;
    add("started", std::nullopt, detail, remedy);
  }

  struct Words {
    std::string detail;
    std::string remedy;
  };
  Words why_waiting() {
    const Instant due = run_.due_at.value_or(run_.decided_at);
    if (run_.cancel_requested) {
      blame("cancelled");
      return {"it is being cancelled", "nothing: it ends by itself"};
    }
    for (const Trouble& trouble : facts_.troubles) {
      if (is_unready(trouble.code)) return blame_trouble(trouble);
    }
    if (due > facts_.now) return not_due(due);
    if (facts_.blocker) return blame_own_run();
    if (facts_.limit) return blame_limit(due);
    if (const auto trouble = trouble_on_the_way(facts_, run_.tenant, true)) {
      return blame_trouble(*trouble);
    }
    if (is_checkin()) {
      blame("no_check_in", due);
      return {"it waits for its check-in since " + format_instant(due),
              "let the work report, with `belfry wrap` or a call to its check-in address"};
    }
    blame("waiting", due);
    return {"it waits for " + taker_of(facts_.queue, facts_.region_name) + " since " +
                format_instant(due),
            "start " + taker_of(facts_.queue, facts_.region_name)};
  }

  Words blame_own_run() {
    answer_.blocked_by = facts_.blocker->run;
    blame("own_run", facts_.blocker->started_at);
    return {"run " + core::write_run_id(facts_.blocker->run) +
                " of the same job is still going, on " + facts_.blocker->worker,
            "wait for it, or cancel it"};
  }

  Words blame_limit(Instant due) {
    blame(name_of(TroubleCode::kTypeLimit), due);
    return {"it waits since " + format_instant(due) + ": " + limit_of(*facts_.limit),
            raise_limit(*facts_.limit)};
  }

  Words blame_trouble(const Trouble& trouble) {
    blame(name_of(trouble.code), trouble.since);
    return {trouble.sentence, trouble.remedy};
  }

  // One that was never handed out stands in line; another was taken, and put off.
  Words not_due(Instant due) {
    if (run_.state == RunState::kReady && is_delayed()) {
      blame("calendar", run_.decided_at);
      return {"its calendar is closed, and calendar_policy is DELAY: it starts at " +
                  format_instant(due),
              "wait, or trigger the job; what was decided holds if the calendar is changed"};
    }
    if (run_.state == RunState::kReady) {
      blame("in_line", run_.decided_at);
      return {"it waits until " + format_instant(due) + ", in line with others that were missed",
              "wait: missed ticks start at no more than twice the usual rate"};
    }
    for (const Trouble& trouble : facts_.troubles) {
      if (is_in_its_way(trouble)) return blame_trouble(trouble);
    }
    blame("put_off", run_.decided_at);
    return {"whoever took it put it off until " + format_instant(due), "wait"};
  }

  void ended_untried() {
    if (was_replaced()) return replaced("started");
    if (run_.state == RunState::kCancelled) {
      blame("cancelled", run_.finished_at);
      answer_.sentence = "It became a run, which was cancelled before it started";
      return add("started", false, "the run was cancelled before it started" + because(),
                 "retry the run");
    }
    blame("not_started", run_.finished_at);
    if (is_checkin()) {
      answer_.sentence = "It became a run, whose check-in never came (start_within)";
      return add("started", false, "no check-in came in time",
                 "look at the machine that does the work, and at the token it reports with");
    }
    answer_.sentence = "It became a run, which nobody started in time (start_within)";
    if (facts_.blocker) {
      answer_.blocked_by = facts_.blocker->run;
      blame("own_run", facts_.blocker->started_at);
      return add("started", false,
                 "run " + core::write_run_id(facts_.blocker->run) +
                     " of the same job was still going, on " + facts_.blocker->worker,
                 "raise start_within, or make the job faster; then retry the run");
    }
    const auto trouble = trouble_on_the_way(facts_, run_.tenant, true);
    // One that began later had nothing to do with it.
    if (trouble && trouble->since && *trouble->since <= run_.finished_at) {
      const auto [detail, remedy] = blame_trouble(*trouble);
      answer_.sentence = "It became a run, which nobody started in time: " + detail;
      return add("started", false, "nobody started it in time: " + detail,
                 remedy + ", then retry the run");
    }
    add("started", false, "nobody started it in time",
        "start " + taker_of(facts_.queue, facts_.region_name) + ", then retry the run");
  }

  // One that was going ends as its worker says, or when it does not stop.
  bool was_replaced() const {
    return run_.state == RunState::kCancelled && (run_.error == kReplaced || facts_.replaced_by);
  }

  void replaced(const char* check) {
    answer_.verdict = "overlap_replaced";
    answer_.blocked_by = facts_.replaced_by;
    blame("overlap_replaced", run_.finished_at);
    answer_.sentence =
        "It did not run to its end: a newer tick replaced it (concurrency_policy REPLACE)";
    add(check, false, "it was cancelled, because a newer tick replaced it",
        "make the job faster, or choose another concurrency_policy");
  }

  // ---- Somebody has.

  void under_way() {
    const std::string state(core::word_for(run_.state, core::kRunStates));
    answer_.sentence += "; it is " + state + " now";
    if (run_.state == RunState::kRunning) return running();
    retrying();
  }

  void running() {
    const bool silent = run_.lease_until && *run_.lease_until < facts_.now;
    blame(run_.cancel_requested ? "cancelling"
          : silent              ? "lease_over"
                                : "running",
          silent ? run_.lease_until : run_.started_at);
    answer_.blocked_by = run_.run;
    if (run_.cancel_requested) {
      return add("succeeded", std::nullopt, run_.worker + " has been told to stop",
                 "wait for stop_within, or unstick the run");
    }
    if (silent) {
      return add("succeeded", std::nullopt,
                 run_.worker + " has not been heard of since its lease ended at " +
                     format_instant(*run_.lease_until),
                 "nothing: it goes to somebody else");
    }
    add("succeeded", std::nullopt,
        run_.worker + " has had it for " + format_duration(facts_.now - *run_.started_at),
        "wait, or cancel the run");
  }

  void retrying() {
    const std::string tries = std::to_string(run_.attempts) + " of " +
                              std::to_string(run_.max_attempts) + " attempts failed" +
                              last_error() + "; the next is due at " +
                              format_instant(run_.due_at.value_or(facts_.now));
    const bool is_due = run_.due_at && *run_.due_at <= facts_.now;
    const bool is_kept = std::ranges::any_of(
        facts_.troubles, [](const Trouble& trouble) { return is_unready(trouble.code); });
    if (is_due && !is_kept && (facts_.blocker || facts_.limit)) {
      const auto [detail, remedy] = facts_.blocker ? blame_own_run() : blame_limit(*run_.due_at);
      return add("succeeded", std::nullopt, tries + "; " + detail, remedy);
    }
    for (const Trouble& trouble : facts_.troubles) {
      const bool is_early = subject_of(trouble.code) == Subject::kQueue && !is_due;
      if (!is_in_its_way(trouble) || is_early) continue;
      blame(name_of(trouble.code), trouble.since);
      return add("succeeded", std::nullopt, tries + "; " + trouble.sentence, trouble.remedy);
    }
    const auto failed_at = facts_.attempts.empty()
                               ? run_.started_at
                               : std::optional(facts_.attempts.back().finished_at);
    blame("retrying", failed_at);
    add("succeeded", std::nullopt, tries,
        is_due ? "start " + taker_of(facts_.queue, facts_.region_name)
               : "wait, or look at what failed");
  }

  // ---- It is over.

  void ended() {
    if (run_.state == RunState::kSucceeded) {
      answer_.sentence += ", and succeeded";
      return add("succeeded", true, "it succeeded");
    }
    if (was_replaced()) return replaced("succeeded");
    const std::string state(core::word_for(run_.state, core::kRunStates));
    blame(reason(), run_.finished_at);
    answer_.sentence += ", and ended as " + state + because();
    add("succeeded", false, run_.error.empty() ? "it ended as " + state : state + ": " + run_.error,
        "run it again: `belfry runs retry " + core::write_run_id(run_.run) +
            "`, or Retry in the console");
  }

  // Of a dead run: what contract and ledger call it.
  std::string_view reason() const {
    if (run_.state == RunState::kCancelled) return "cancelled";
    if (run_.state == RunState::kTimedOut) return "timed_out";
    if (run_.state == RunState::kFailed) return "permanent";
    if (run_.reason != core::DeadReason::kNone) {
      return core::word_for(run_.reason, core::kDeadReasons);
    }
    // Written by a version that did not say.
    const bool used_up =
        run_.max_attempts > 0 && run_.attempts >= static_cast<std::uint32_t>(run_.max_attempts);
    return used_up ? "attempts" : "permanent";
  }

  // Between the run and whoever is to execute it.
  static bool is_in_its_way(const Trouble& trouble) {
    const Subject subject = subject_of(trouble.code);
    const bool is_way = subject == Subject::kQueue || subject == Subject::kHost;
    return (is_way && trouble.severity != Severity::kNote) || is_unready(trouble.code);
  }

  // Its tick was decided in time, so it does not stand in line with missed ones.
  bool is_delayed() const {
    const auto tick = facts_.schedule ? facts_.schedule->next(run_.scheduled_for - Duration(1))
                                      : std::optional<core::Occurrence>();
    return tick && tick->tick.instant() == run_.scheduled_for && tick->delay != Duration::zero();
  }

  bool is_checkin() const { return facts_.queue == core::checkin_queue(); }

  std::string because() const { return run_.error.empty() ? "" : ": " + run_.error; }
  std::string last_error() const {
    const bool known = !facts_.attempts.empty() && !facts_.attempts.back().error.empty();
    return known ? " (" + facts_.attempts.back().error + ")" : "";
  }

  const ExplainFacts& facts_;
  const store::RunRow& run_;
  Explanation& answer_;
};

}  // namespace

void explain_run(const ExplainFacts& facts, Explanation& answer) {
  RunExplainer(facts, answer).explain();
}

}  // namespace belfry::service

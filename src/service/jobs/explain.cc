#include "service/jobs/explain.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/reason.h"
#include "core/spelling.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace belfry::service {
namespace {

constexpr std::array<const char*, 7> kOrder{"existed", "matches", "active",   "decided",
                                            "run",     "started", "succeeded"};

// What a skip's reason means, and what can be done about it.
struct ReasonWords {
  const char* why;
  const char* remedy;
};

ReasonWords words_for(core::SkipReason reason) {
  using core::SkipReason;
  switch (reason) {
    case SkipReason::kPaused: return {"the job was paused", "resume the job"};
    case SkipReason::kCancelled: return {"the job was cancelled", "replace the job (PUT)"};
    case SkipReason::kCalendar:
      return {"its calendar excludes that day", "change the calendar, or the job's `calendar`"};
    case SkipReason::kOutOfBounds:
      return {"it lies outside the bounds start_at and end_at", "change the bounds"};
    case SkipReason::kDstGap:
      return {"the clocks jumped over that local time and dst_gap is SKIP",
              "set dst_gap to RUN_AFTER"};
    case SkipReason::kMisfireExpired:
      return {"no node decided it in time, and later it was older than misfire_grace",
              "raise misfire_grace, or backfill the tick"};
    case SkipReason::kMisfireCoalesced:
      return {"it was missed, and a newer tick ran in its place (misfire_policy FIRE_ONCE)",
              "set misfire_policy to FIRE_ALL, or backfill the tick"};
    case SkipReason::kMisfireSkipped:
      return {"it was missed, and misfire_policy is SKIP", "backfill the tick"};
    case SkipReason::kMisfireLimit:
      return {"more ticks were missed than max_missed_firings allows", "backfill the tick"};
    case SkipReason::kOverlap:
      return {"the previous run was still going (concurrency_policy)",
              "allow overlap, queue one, or make the job faster"};
    case SkipReason::kOverlapReplaced:
      return {"a newer tick replaced it (concurrency_policy REPLACE)", ""};
    case SkipReason::kQuota: return {"the tenant had used up its quota", "raise the quota"};
    case SkipReason::kScheduleChanged: break;
  }
  return {"the schedule was changed before it came", ""};
}

// Builds the answer check by check.
class Explainer {
 public:
  explicit Explainer(const ExplainFacts& facts) : facts_(facts) {}

  Explanation explain() {
    for (const auto step :
         {&Explainer::existed, &Explainer::matches, &Explainer::active, &Explainer::decided,
          &Explainer::ran, &Explainer::started, &Explainer::succeeded}) {
      if (!(this->*step)()) break;
    }
    for (std::size_t i = answer_.checks.size(); i < kOrder.size(); ++i) {
      answer_.checks.push_back({kOrder[i], {}, "not reached", ""});
    }
    return answer_;
  }

 private:
  void pass(std::string detail) { add(true, std::move(detail)); }
  // The last check: it did not pass, and this is the reason.
  bool stop(std::string verdict, std::string sentence, std::string remedy = {},
            std::optional<bool> passed = false) {
    add(passed, sentence, std::move(remedy));
    answer_.verdict = std::move(verdict);
    answer_.sentence = "It did not run: " + sentence;
    return false;
  }
  void add(std::optional<bool> passed, std::string detail, std::string remedy = {}) {
    answer_.checks.push_back(
        {kOrder[answer_.checks.size()], passed, std::move(detail), std::move(remedy)});
  }

  bool existed() {
    if (facts_.run) return true_with("there is a run for it");
    if (!facts_.revision) return stop("no_job", "the job did not exist then");
    return true_with("version " + std::to_string(facts_.revision->revision) +
                     " was in force, since " + format_instant(facts_.revision->effective_from));
  }

  bool matches() {
    if (!facts_.schedule) {
      if (facts_.run) return true_with("its run says so");
      return stop("not_matching", "the schedule of that version cannot be read any more");
    }
    const core::Schedule& schedule = *facts_.schedule;
    if (const auto before = schedule.previous(facts_.at)) answer_.before = before->tick.instant();
    if (const auto after = schedule.next(facts_.at)) answer_.after = after->tick.instant();
    const auto here = schedule.next(facts_.at - Duration(1));
    if (here && here->tick.instant() == facts_.at)
      return true_with("the schedule has a tick there");
    if (facts_.run) return true_with("a run was made for it, by hand or by backfill");
    const auto beyond = schedule.rhythm().next(facts_.at - Duration(1));
    if (beyond && beyond->tick.instant() == facts_.at) {
      return stop("out_of_bounds", "it lies outside the bounds start_at and end_at",
                  "change the bounds");
    }
    return stop("not_matching", "the schedule has no tick at that instant" + around(),
                "ask for one of the instants beside it, or look at the schedule's preview");
  }
  std::string around() const {
    std::string text;
    if (answer_.before) text += "; the last one before is " + format_instant(*answer_.before);
    if (answer_.after) text += "; the next one is " + format_instant(*answer_.after);
    return text;
  }

  bool active() {
    if (facts_.run) return true_with("it was");
    const store::RevisionRow& revision = *facts_.revision;
    const bool paused = revision.status == core::JobStatus::kPaused &&
                        (!revision.paused_until || facts_.at <= *revision.paused_until);
    if (paused) return stop("paused", pause_words(), "resume the job");
    if (revision.status == core::JobStatus::kCancelled) {
      return stop("cancelled", "the job was cancelled", "replace the job (PUT)");
    }
    if (revision.status == core::JobStatus::kDeleted) {
      return stop("no_job", "the job was deleted by then");
    }
    return true_with("it was neither paused nor cancelled");
  }
  std::string pause_words() const {
    std::string words = "the job was paused";
    if (!facts_.paused_by.empty()) words += " by " + facts_.paused_by;
    if (!facts_.pause_note.empty()) words += " (\"" + facts_.pause_note + "\")";
    if (facts_.revision->paused_until) {
      words += ", until " + format_instant(*facts_.revision->paused_until);
    }
    return words;
  }

  bool decided() {
    if (facts_.run) {
      return true_with("at " + format_instant(facts_.run->decided_at) + ", " +
                       format_duration(std::max(facts_.run->decided_at - facts_.at, Duration(0))) +
                       " after its time");
    }
    if (facts_.skip) return true_with("the ledger has a skip for it");
    if (facts_.at > facts_.now) {
      return stop("not_yet", "its time has not come", "", std::nullopt);
    }
    if (facts_.at > facts_.decided_through) {
      return stop("undecided",
                  facts_.owned ? "it is due and about to be decided"
                               : "no living node owns the job's partition",
                  facts_.owned ? "" : "start a node for this region", std::nullopt);
    }
    return stop("forgotten", "it is decided, but older than the history that is kept");
  }

  bool ran() {
    if (facts_.run)
      return true_with("run with " + std::to_string(facts_.run->attempts) + " attempts");
    const ReasonWords words = words_for(facts_.skip->reason);
    std::string sentence = words.why;
    if (facts_.skip->count > 1) {
      sentence += "; so were " + std::to_string(facts_.skip->count) + " ticks from " +
                  format_instant(facts_.skip->first.instant()) + " to " +
                  format_instant(facts_.skip->last.instant());
    }
    return stop(std::string(core::name_of(facts_.skip->reason)), sentence, words.remedy);
  }

  bool started() {
    answer_.verdict = "run";
    const store::RunRow& run = *facts_.run;
    if (run.started_at) {
      answer_.sentence = "It ran: started " + format_instant(*run.started_at) + " on " + run.worker;
      return true_with("started " + format_instant(*run.started_at) + " by worker " + run.worker);
    }
    if (run.state == core::RunState::kCancelled) {
      answer_.sentence = "It became a run, which was cancelled before it started";
      add(false, "the run was cancelled before it started");
      return false;
    }
    answer_.sentence = "It became a run, which waits for a worker of type `" + run.job_type + "`";
    add(std::nullopt, "no worker has claimed it yet",
        "start a worker that asks for the type `" + run.job_type + "`");
    return false;
  }

  bool succeeded() {
    const store::RunRow& run = *facts_.run;
    const std::string state(core::word_for(run.state, core::kRunStates));
    if (run.state == core::RunState::kSucceeded) {
      answer_.sentence += ", and succeeded";
      return true_with("it succeeded");
    }
    if (core::is_live(run.state)) {
      answer_.sentence += "; it is " + state + " now";
      add(std::nullopt, "it is " + state + " now");
      return false;
    }
    answer_.sentence += ", and ended as " + state;
    add(false, run.error.empty() ? "it ended as " + state : state + ": " + run.error,
        "POST /runs/{run}/retry runs it again");
    return false;
  }

  bool true_with(std::string detail) {
    pass(std::move(detail));
    return true;
  }

  const ExplainFacts& facts_;
  Explanation answer_;
};

}  // namespace

Explanation explain(const ExplainFacts& facts) {
  return Explainer(facts).explain();
}

}  // namespace belfry::service

#include "service/jobs/explain.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/queue.h"
#include "core/reason.h"
#include "service/health/health_facts.h"

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
      return {"its calendar excludes that time", "change the calendar, or the job's `calendar`"};
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
      return {"a run of the job was not over yet (concurrency_policy)",
              "allow overlap, queue one, or make the job faster"};
    case SkipReason::kOverlapReplaced:
      return {"a newer tick replaced it (concurrency_policy REPLACE)",
              "make the job faster, or choose another concurrency_policy"};
    case SkipReason::kQuota: return {"the tenant had used up its quota", "raise the quota"};
    case SkipReason::kCalendarCoalesced:
      return {
          "its calendar excludes that time, and a later tick runs in its place afterwards "
          "(calendar_policy DELAY)",
          "nothing: look at the run that comes when the calendar opens"};
    case SkipReason::kCommitsLost:
      return {
          "the database lost the commits of that time, and after_lost_commits is skip: it may "
          "have run before",
          "look whether its work was done; if not, backfill the tick"};
    case SkipReason::kRestored:
      return {
          "the store was restored from a backup that is older than it, without running what "
          "came since (belfry recover --missed)",
          "backfill the tick, if it did not run before the restore"};
    case SkipReason::kScheduleChanged: break;
  }
  return {"the schedule was changed before it came", "nothing: the new schedule holds"};
}

std::optional<core::SkipReason> reason_of(core::Exclusion exclusion) {
  switch (exclusion) {
    case core::Exclusion::kCalendar: return core::SkipReason::kCalendar;
    case core::Exclusion::kDstGap: return core::SkipReason::kDstGap;
    case core::Exclusion::kCoalesced: return core::SkipReason::kCalendarCoalesced;
    case core::Exclusion::kNone: break;
  }
  return std::nullopt;
}

// Builds the answer check by check.
class Explainer {
 public:
  explicit Explainer(const ExplainFacts& facts) : facts_(facts) {}

  Explanation explain() {
    for (const auto step : {&Explainer::existed, &Explainer::matches, &Explainer::active,
                            &Explainer::decided, &Explainer::ran}) {
      if (!(this->*step)()) return finished();
    }
    explain_run(facts_, answer_);
    return finished();
  }

 private:
  Explanation finished() {
    for (std::size_t i = answer_.checks.size(); i < kOrder.size(); ++i) {
      answer_.checks.push_back({kOrder[i], {}, "not reached", ""});
    }
    return answer_;
  }
  bool pass(std::string detail) {
    add(true, std::move(detail));
    return true;
  }
  // The last check: it did not pass, and this is the reason.
  bool stop(std::string verdict, const std::string& sentence, std::string remedy = {},
            std::optional<bool> passed = false) {
    add(passed, sentence, std::move(remedy));
    const bool is_to_come = facts_.at > facts_.now && verdict != "not_yet";
    answer_.verdict = std::move(verdict);
    answer_.sentence = (is_to_come ? "It will not run: " : "It did not run: ") + sentence;
    return false;
  }
  void add(std::optional<bool> passed, std::string detail, std::string remedy = {}) {
    answer_.checks.push_back(
        {kOrder[answer_.checks.size()], passed, std::move(detail), std::move(remedy)});
  }
  // A trouble is the cause.
  void blame(const Trouble& trouble) {
    answer_.cause = name_of(trouble.code);
    answer_.since = trouble.since;
  }

  bool existed() {
    if (facts_.run) return pass("there is a run for it");
    if (facts_.never_ticked) return not_ticked_yet();
    if (!facts_.revision) {
      return stop("no_job", "the job did not exist then; it was made at " +
                                format_instant(facts_.created_at));
    }
    return pass("version " + std::to_string(facts_.revision->revision) + " was in force, since " +
                format_instant(facts_.revision->effective_from));
  }

  // A young job: what is to be explained is why nothing has happened so far.
  bool not_ticked_yet() {
    pass("it was made at " + format_instant(facts_.created_at));
    pass("no tick has come since");
    if (!is_active()) return false;
    pass("it is neither paused nor cancelled");
    answer_.after = facts_.next;
    if (!facts_.next) {
      return stop("not_matching",
                  "the job was made at " + format_instant(facts_.created_at) +
                      ", and its schedule has no tick after that",
                  "change its schedule or its bounds");
    }
    return stop("not_yet",
                "the job was made at " + format_instant(facts_.created_at) +
                    ", and its first tick is " + format_instant(*facts_.next),
                "wait, or trigger the job", std::nullopt);
  }

  bool is_active() {
    using core::JobStatus;
    if (facts_.status == JobStatus::kPaused) return stop("paused", pause_words(), "resume the job");
    if (facts_.status == JobStatus::kCancelled) {
      return stop("cancelled", "the job was cancelled", "replace the job (PUT)");
    }
    if (facts_.status == JobStatus::kDeleted) {
      return stop("no_job", "the job was deleted", "make it again");
    }
    return true;
  }

  bool matches() {
    if (!facts_.schedule) {
      if (facts_.run) return pass("its run says so");
      return stop("not_matching", "the schedule of that version cannot be read any more");
    }
    const core::Schedule& schedule = *facts_.schedule;
    if (const auto before = schedule.previous(facts_.at)) answer_.before = before->tick.instant();
    if (const auto after = schedule.next(facts_.at)) answer_.after = after->tick.instant();
    const auto here = schedule.next(facts_.at - Duration(1));
    if (here && here->tick.instant() == facts_.at) return pass("the schedule has a tick there");
    if (facts_.run) return pass("a run was made for it, by hand or by backfill");
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

  // What was decided stays decided, whatever the job is told later.
  bool active() {
    if (facts_.run || facts_.skip) return pass("its fate is written");
    const store::RevisionRow& revision = *facts_.revision;
    const bool paused = revision.status == core::JobStatus::kPaused &&
                        (!revision.paused_until || facts_.at < *revision.paused_until);
    if (paused) return stop("paused", pause_words(), "resume the job");
    if (revision.status == core::JobStatus::kCancelled) {
      return stop("cancelled",
                  "the job was cancelled at " + format_instant(revision.effective_from),
                  "replace the job (PUT)");
    }
    if (revision.status == core::JobStatus::kDeleted) {
      return stop("no_job", "the job was deleted by then");
    }
    return pass("it was neither paused nor cancelled");
  }
  std::string pause_words() const {
    std::string words = "the job was paused";
    if (!facts_.paused_by.empty()) words += " by " + facts_.paused_by;
    if (!facts_.pause_note.empty()) words += " (\"" + facts_.pause_note + "\")";
    if (facts_.revision && facts_.revision->paused_until) {
      words += ", until " + format_instant(*facts_.revision->paused_until);
    }
    return words;
  }

  bool decided() {
    if (facts_.run) {
      return pass("at " + format_instant(facts_.run->decided_at) + ", " +
                  format_duration(facts_.run->decided_at - facts_.at) + " after its time");
    }
    if (facts_.skip) return pass("the ledger has a skip for it");
    if (facts_.at > facts_.now) return will_be_decided();
    if (facts_.at > facts_.decided_through) return undecided();
    return stop("forgotten", "it is decided, but older than the history that is kept");
  }
  // Calendars and clock changes are known beforehand.
  bool will_be_decided() {
    const auto tick = facts_.schedule ? facts_.schedule->next(facts_.at - Duration(1))
                                      : std::optional<core::Occurrence>();
    const auto reason = tick ? reason_of(tick->exclusion) : std::nullopt;
    if (!reason) return stop("not_yet", "its time has not come", "", std::nullopt);
    const ReasonWords words = words_for(*reason);
    return stop(std::string(core::name_of(*reason)), words.why, words.remedy);
  }
  bool undecided() {
    for (const Trouble& trouble : facts_.troubles) {
      const bool holds_ticks = trouble.severity == Severity::kCritical ||
                               trouble.code == TroubleCode::kPartitionsUnowned;
      if (!holds_ticks) continue;
      blame(trouble);
      return stop("undecided", "it is due and undecided: " + trouble.sentence, trouble.remedy,
                  std::nullopt);
    }
    if (facts_.owned) {
      return stop("undecided", "it is due and about to be decided", "", std::nullopt);
    }
    answer_.cause = name_of(TroubleCode::kPartitionsUnowned);
    return stop("undecided", "no living node owns the job's partition",
                "start a node for this region", std::nullopt);
  }

  bool ran() {
    if (facts_.run) return pass("it is run " + core::write_run_id(facts_.run->run));
    const core::SkipReason reason = facts_.skip->reason;
    const ReasonWords words = words_for(reason);
    std::string sentence = words.why;
    std::string remedy = words.remedy;
    if (reason == core::SkipReason::kPaused) sentence = pause_words();
    if (reason == core::SkipReason::kMisfireCoalesced && facts_.heir) {
      sentence = "it was missed, and the newer tick of " +
                 format_instant(facts_.heir->first.instant()) +
                 " that stood for it did not run either: " + words_for(facts_.heir->reason).why;
    }
    if (reason == core::SkipReason::kOverlap && facts_.blocker) {
      const Blocking blocking = what_blocked();
      sentence = blocked_words(blocking);
      if (blocking.doing != Doing::kGoing) remedy = blocked_remedy(blocking);
      if (blocking.doing != Doing::kGoing && facts_.limit) {
        answer_.cause = name_of(TroubleCode::kTypeLimit);
        sentence += ": " + limit_of(*facts_.limit);
        remedy = raise_limit(*facts_.limit);
      } else if (const auto trouble = blocking_trouble(blocking)) {
        blame(*trouble);
        sentence += "; " + trouble->sentence;
        remedy = trouble->remedy;
      }
    }
    if (facts_.skip->count > 1) {
      sentence += "; so were " + std::to_string(facts_.skip->count) + " ticks from " +
                  format_instant(facts_.skip->first.instant()) + " to " +
                  format_instant(facts_.skip->last.instant());
    }
    return stop(std::string(core::name_of(reason)), sentence, remedy);
  }

  // What the run in the way was doing at that instant. A run between two attempts has no start in
  // its row; its attempts tell.
  enum class Doing : std::uint8_t { kWaiting, kGoing, kRetrying };
  struct Blocking {
    Doing doing{};
    Instant since;
    std::string worker = {};
    std::string error = {};
  };
  Blocking what_blocked() const {
    const store::RunRow& run = *facts_.blocker;
    if (run.started_at && *run.started_at <= facts_.at) {
      return {.doing = Doing::kGoing, .since = *run.started_at, .worker = run.worker};
    }
    const store::AttemptRow* last = nullptr;
    for (const store::AttemptRow& attempt : facts_.blocker_attempts) {
      if (attempt.started_at <= facts_.at) last = &attempt;
    }
    if (last == nullptr) return {.doing = Doing::kWaiting, .since = run.decided_at};
    if (last->finished_at > facts_.at) {
      return {.doing = Doing::kGoing, .since = last->started_at, .worker = last->worker};
    }
    return {.doing = Doing::kRetrying, .since = last->finished_at, .error = last->error};
  }
  std::string blocked_words(const Blocking& blocking) {
    const store::RunRow& run = *facts_.blocker;
    answer_.blocked_by = run.run;
    answer_.since = blocking.since;
    const std::string which =
        "run " + core::write_run_id(run.run) + " of " + format_instant(run.scheduled_for);
    switch (blocking.doing) {
      case Doing::kGoing:
        return which + " was still going, on " + blocking.worker + " since " +
               format_instant(blocking.since);
      case Doing::kRetrying:
        answer_.cause = "retrying";
        return which + " had failed at " + format_instant(blocking.since) +
               (blocking.error.empty() ? "" : " (" + blocking.error + ")") +
               " and was waiting for its next attempt";
      case Doing::kWaiting: break;
    }
    if (is_put_off()) {
      answer_.cause = "put_off";
      return which + " was put off by whoever took it";
    }
    answer_.cause = "waiting";
    return which + " was still waiting for " + taker_of(facts_.queue, facts_.region_name);
  }
  std::string blocked_remedy(const Blocking& blocking) const {
    if (blocking.doing == Doing::kRetrying) {
      return "look at what failed; allow overlap if ticks shall not wait for attempts";
    }
    if (is_put_off()) return "wait: it is tried again by itself";
    if (facts_.queue == core::checkin_queue()) return "let the work report its check-in";
    return "start " + taker_of(facts_.queue, facts_.region_name);
  }
  // The run in the way was taken, and given back untried.
  bool is_put_off() const {
    return facts_.blocker->state == core::RunState::kRetrying && facts_.blocker->attempts == 0;
  }
  // Only what is true now: what kept a run that is over is not known any more.
  std::optional<Trouble> blocking_trouble(const Blocking& blocking) const {
    const store::RunRow& run = *facts_.blocker;
    if (blocking.doing == Doing::kGoing || !core::is_live(run.state)) return std::nullopt;
    const bool is_due = run.state == core::RunState::kReady ||
                        (run.state == core::RunState::kRetrying && run.due_at <= facts_.now);
    return trouble_on_the_way(facts_, run.tenant, is_due);
  }

  const ExplainFacts& facts_;
  Explanation answer_;
};

}  // namespace

std::optional<Trouble> trouble_on_the_way(const ExplainFacts& facts, TenantId tenant, bool due) {
  for (const Trouble& trouble : facts.troubles) {
    if (subject_of(trouble.code) == Subject::kHost) return trouble;
  }
  if (!due) return std::nullopt;
  return trouble_of_queue(facts.troubles, facts.queue, tenant, facts.region);
}

Explanation explain(const ExplainFacts& facts) {
  return Explainer(facts).explain();
}

}  // namespace belfry::service

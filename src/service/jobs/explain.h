#pragma once

#include "base/time.h"
#include "core/schedule/schedule.h"
#include "service/health/trouble.h"
#include "store/job_types.h"
#include "store/jobs.h"
#include "store/ledger.h"

#include <optional>
#include <string>
#include <vector>

// "Why did it not run at 02:00?", answered from what the ledger, the revisions and the health of
// the cluster say. Pure: facts in, an answer out.
namespace belfry::service {

struct ExplainFacts {
  Instant at;
  Instant now;
  bool never_ticked = false;  // the question is why nothing has happened yet

  // The job now.
  Instant created_at = {};
  core::JobStatus status{};
  std::string paused_by;  // where it is paused
  std::string pause_note;
  std::string queue = "default";   // where its runs wait (core/queue.h)
  std::optional<RegionNo> region;  // whose workers may have them (core::region_for)
  std::string region_name;         // if there is another one, too
  std::optional<Instant> next;     // its first tick after now

  // And then.
  std::optional<store::RevisionRow> revision;  // what the job said; none: it did not exist
  std::optional<core::Schedule> schedule;      // of that revision
  std::optional<store::RunRow> run;            // for that tick, or the run that is asked about
  std::optional<store::SkipRow> skip;          // that covers it
  std::optional<store::SkipRow> heir;          // of the tick that stood for it, if that was skipped
  std::vector<store::AttemptRow> attempts;     // of the run
  std::optional<core::RunRef> replaced_by;     // the newer run that took its place
  std::optional<store::TypeLoad> limit;        // its type has no room for it, or for what blocks it
  std::optional<store::RunRow> blocker;        // a run of the job that was not over at that instant
  std::vector<store::AttemptRow> blocker_attempts;
  Instant decided_through = {};  // of the job's partition
  bool owned = true;             // somebody alive owns the partition

  // What is wrong that concerns this job: its queue, its endpoint, its partition, the store.
  std::vector<Trouble> troubles;
};

struct Check {
  std::string check;
  std::optional<bool> passed;  // none: not reached, or still open
  std::string detail;
  std::string remedy;
};

struct Explanation {
  std::string verdict;   // "run", "no_job", ..., or the reason of a skip
  std::string sentence;  // the same in words
  // What is behind it: the code of a trouble, the reason of a dead run, or a word of the docs
  // (docs/concepts/states.md); empty: all is well, or the verdict says it all.
  std::string cause;
  std::optional<Instant> since;            // when that began
  std::optional<core::RunRef> blocked_by;  // the run that was, or is, in the way
  std::vector<Check> checks;
  std::optional<Instant> before;  // the ticks around the instant
  std::optional<Instant> after;
};

// The checks are in order; the first that did not pass is the reason.
Explanation explain(const ExplainFacts& facts);

// What is between the runs of this job and whoever is to execute them: their endpoint, or their
// queue. `due`: they could be taken now.
std::optional<Trouble> trouble_on_the_way(const ExplainFacts& facts, TenantId tenant, bool due);

// What a run's state means: the checks "started" and "succeeded" of an explanation.
void explain_run(const ExplainFacts& facts, Explanation& answer);

}  // namespace belfry::service

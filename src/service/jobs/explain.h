#pragma once

#include "base/time.h"
#include "core/schedule/schedule.h"
#include "store/jobs.h"
#include "store/ledger.h"

#include <optional>
#include <string>
#include <vector>

// "Why did it not run at 02:00?", answered from what the ledger and the revisions say.
namespace belfry::service {

struct ExplainFacts {
  Instant at;
  Instant now;
  std::optional<store::RevisionRow> revision;  // what the job said then; none: it did not exist
  std::optional<core::Schedule> schedule;      // of that revision
  std::optional<store::RunRow> run;            // for that tick
  std::optional<store::SkipRow> skip;          // that covers it
  Instant decided_through;                     // of the job's partition
  bool owned = true;                           // somebody alive owns the partition
  std::string paused_by;                       // of the job now, where it is paused
  std::string pause_note;
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
  std::vector<Check> checks;
  std::optional<Instant> before;  // the ticks around the instant
  std::optional<Instant> after;
};

// The checks are in order; the first that did not pass is the reason.
Explanation explain(const ExplainFacts& facts);

}  // namespace belfry::service

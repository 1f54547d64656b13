#pragma once

#include "base/ids.h"
#include "base/time.h"
#include "core/job.h"
#include "core/reason.h"

#include <cstdint>
#include <optional>
#include <span>

// What a proof of a job's ledger starts from: its definitions with their times, and the fates that
// were written.
namespace belfry::core {

// A definition, and what decided its ticks besides.
struct ProofRevision {
  std::uint32_t revision = 0;
  Instant effective_from;  // ticks after this belong to it, until the next one's
  Instant created_at;
  JobStatus status = JobStatus::kActive;
  std::optional<Instant> paused_until;
  JobDefinition definition;  // name, schedule with its calendar's rules, policies
};

// A row of the ledger that says what became of ticks. Runs that somebody asked for say nothing of
// ticks: they are no such rows.
struct FateRow {
  Tick first;
  Tick last;                          // of a run: the same
  std::optional<SkipReason> skipped;  // none: it is a run
  std::int64_t count = 1;             // ticks of a skip; ticks that a run stands for
  std::uint32_t revision = 0;         // of a run
  std::optional<Instant> decided_at;  // as far as it is known
  std::optional<Instant> started_at;  // of a run that is in, or ended with, its first attempt
};

// One job, as far as (after, through] is concerned. The ticks in there are decided, and nothing of
// what was written about them has been dropped since.
struct ProofFacts {
  TenantId tenant;
  // All that were in force in there or came later, in order: the first is the one in force at
  // `after`, together with those that share its effective_from.
  std::span<const ProofRevision> revisions;
  // Every row that touches a tick in there, and from reads_after() on.
  std::span<const FateRow> rows;
  Instant after;
  Instant through;
};

}  // namespace belfry::core

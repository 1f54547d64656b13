#pragma once

#include "store/decisions.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Decisions as stores write them: by job, and for each job in the order of its ticks, because a
// skip goes on where the one before it ended.
namespace belfry::store {

// One decision, put where it belongs in time: a run, or a range of skips.
struct Fate {
  JobId job;
  Tick first;
  Tick last;
  std::int64_t count = 1;                  // of ticks, or of those a run stands for
  std::optional<core::SkipReason> reason;  // none: a run
  std::optional<Instant> due;              // of a run in line
  Epoch epoch;                             // of the owner who decided

  // A run that lives from now on: one in line does not, until it starts.
  bool is_live_run() const { return !reason && !due; }
};

void add_fates(std::vector<Fate>& fates, const Decisions& decisions, Epoch epoch);
void sort_fates(std::vector<Fate>& fates);

// Of sorted ones that are not empty: takes those of the next job off the front.
std::span<const Fate> take_job(std::span<const Fate>& rest);

}  // namespace belfry::store

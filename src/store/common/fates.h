#pragma once

#include "store/decisions.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Decisions as stores write them: by job, and for each job in the order of its ticks, because a
// skip goes on where the one before it ended.
namespace belfry::store {

// One decision in the order of time: a run, or a range of skips.
struct Fate {
  JobId job;
  Tick first;
  Tick last;
  std::int64_t count = 1;                  // of ticks, or of those a run stands for
  std::optional<core::SkipReason> reason;  // none: a run
  std::optional<Instant> due;              // of a run that waits
  bool stands_in = false;                  // RunDecision
  Epoch epoch;                             // of the owner who decided
  const Taker* taker = nullptr;            // of a run: who waits for it, in which queue
  const std::string* queue = nullptr;
  std::uint64_t claim = 0;

  // Whether it is a run for which the overlap policy has to make room; a run in line has its own.
  bool is_live_run() const { return !reason && (!due || stands_in); }
};

void add_fates(std::vector<Fate>& fates, const Decisions& decisions, Epoch epoch);
void sort_fates(std::vector<Fate>& fates);

// Takes the fates of the next job off the front of `rest`, which is sorted and not empty.
std::span<const Fate> take_job(std::span<const Fate>& rest);

}  // namespace belfry::store

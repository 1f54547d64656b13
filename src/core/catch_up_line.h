#pragma once

#include "base/ids.h"
#include "base/time.h"

#include <cstdint>
#include <span>
#include <vector>

namespace belfry::core {

// A missed tick that becomes a run.
struct LateRun {
  JobId job;
  TenantId tenant;
  std::int32_t priority = 0;
  Tick tick;
};

// When the runs of missed ticks start, each after the one before it by `apart`, which is how often
// this node starts runs when it misses none. So catching up beside the ticks of the present is at
// most twice the normal rate, however many jobs there are.
//
// First come jobs with one run, which stands for all that they missed; then those that make up for
// every tick. Within either the highest priority, then tenants in turn, then the oldest tick. The
// runs of one job are as far apart as their ticks were, or farther.
//
// Answers in the order asked; the ticks of a job are ascending.
std::vector<Instant> line_up(std::span<const LateRun> runs, Instant now, Duration apart);

}  // namespace belfry::core

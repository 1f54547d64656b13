#include "store/decisions.h"

namespace belfry::store {

void append(Decisions& decisions, JobId job, const core::Fates& fates) {
  for (const core::RunTick& run : fates.runs) {
    decisions.runs.push_back({.job = job,
                              .tick = run.tick,
                              .stands_for = run.stands_for,
                              .due = run.due,
                              .stands_in = run.stands_in,
                              .delayed = run.delayed});
  }
  for (const core::SkippedTicks& skip : fates.skips) {
    decisions.skips.push_back({job, skip.first, skip.last, skip.count, skip.reason});
  }
}

}  // namespace belfry::store

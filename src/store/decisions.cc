#include "store/decisions.h"

namespace belfry::store {

void append(Decisions& decisions, JobId job, const core::Fates& fates) {
  for (const core::RunTick& run : fates.runs) {
    decisions.runs.push_back({job, run.tick, run.stands_for, run.due, run.stands_in});
  }
  for (const core::SkippedTicks& skip : fates.skips) {
    decisions.skips.push_back({job, skip.first, skip.last, skip.count, skip.reason});
  }
}

}  // namespace belfry::store

#pragma once

#include "base/result.h"
#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <cstddef>

namespace belfry::store::sqlite {

// In whose name ticks are decided; the caller has checked it against the partition's row.
struct Authority {
  Epoch epoch;
  Incarnation node;
  // For an instant that passed before its definition took effect: there may be fates on both sides
  // of it, so its skip is a row of its own, and later skips do not extend an earlier row.
  bool apart = false;
};

struct Written {
  std::vector<core::LiveRun> runs;
  std::vector<core::RunRef> told;  // running ones that were told to stop
  std::size_t overlaps = 0;        // run decisions that became skips
};

// Writes the fates of ticks of one partition, under the jobs' policies as their rows have them now.
Result<Written> write_decisions(const Session& session, PartitionNo partition,
                                const Authority& authority, const Decisions& decisions);

}  // namespace belfry::store::sqlite

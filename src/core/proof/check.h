#pragma once

#include "core/proof/facts.h"
#include "core/schedule/schedule_cache.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Whether every tick of a job has exactly one fate, and one that its definition allows. This shares
// the schedules (core/schedule) with what decided the ticks, and nothing else.
namespace belfry::core {

enum class FlawKind : std::uint8_t {
  kHole,        // ticks without a fate
  kDouble,      // ticks with two
  kEarly,       // decided or handed out before its time
  kStray,       // a fate, and no such tick
  kWrongFate,   // one that the definition does not allow: it ran while paused, say
  kWrongCount,  // a range, or a run that stands for others, counts other ticks than there are
};

std::string_view name_of(FlawKind kind);

struct LedgerFlaw {
  FlawKind kind{};
  Tick first;
  Tick last;
  std::int64_t count = 1;      // ticks concerned
  std::uint32_t revision = 0;  // in force then; 0: none
  std::string evidence;        // what should be there, and what the ledger has
};

// What cannot be said, and why.
struct Unproven {
  Instant after;
  Instant through;
  std::string why;
};

inline constexpr std::size_t kSkipReasons = 16;

// The ticks that were looked at, by their fates.
struct FateCounts {
  std::int64_t runs = 0;
  std::array<std::int64_t, kSkipReasons> skips{};  // by SkipReason

  std::int64_t ticks() const;
  FateCounts& operator+=(const FateCounts& more);
};

struct ProofVerdict {
  FateCounts counts;
  std::vector<LedgerFlaw> flaws;  // no more than kMostFlaws: the rest is as good as these
  std::vector<Unproven> unproven;
};

inline constexpr std::size_t kMostFlaws = 100;

ProofVerdict check_ledger(const ProofFacts& facts, ScheduleCache& schedules);

}  // namespace belfry::core

#pragma once

#include <cstdint>

namespace belfry::store::postgres {

// How the statement `decide` works.
enum class DecideMode : std::uint8_t {
  kAdvance,       // an owner's: under its node, and the cursor moves; kConflict if a run exists
  kSettle,        // a job change's: the caller has the partition locked, and the cursor stays
  kAdvanceAgain,  // as kAdvance, but leaves existing runs alone
  // As kSettle, for an instant that passed before its definition took effect: there may be fates
  // on both sides of it, so its skip is a row of its own, and later skips do not extend an
  // earlier row.
  kSettleApart,
};

}  // namespace belfry::store::postgres

#pragma once

#include <cstdint>

namespace belfry::store::postgres {

// How the statement `decide` is to go about it.
enum class DecideMode : std::uint8_t {
  kAdvance,       // an owner's: under its node, and the cursor moves; kConflict if a run exists
  kSettle,        // a job change's: the caller has the partition locked, and the cursor stays
  kAdvanceAgain,  // as kAdvance, leaving runs alone that exist
  // As kSettle, of a definition's instant that was over before it took effect: fates may lie on
  // both sides of it, so its skip is a row of its own, and nothing later is added to one before it.
  kSettleApart,
};

}  // namespace belfry::store::postgres

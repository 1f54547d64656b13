#pragma once

#include "base/result.h"
#include "engine/proof/prove.h"

#include <cstdint>
#include <optional>
#include <string>

namespace belfry::engine {

// A pass of the leader over all jobs; where it stands is kept in the store, so that the next leader
// goes on there.
struct LedgerPass {
  enum class Kind : std::uint8_t {
    kCheck,  // what came since the last one
    kTally,  // a day, which is over and checked: counts and digest
    kSign,   // the statements about it
  };
  Kind kind = Kind::kCheck;
  ProofWindow window;
  ProofPlace place;
  Instant reached;  // every tick up to here is decided, as far as jobs were looked at
  Instant as_of;    // of a day: when its pass began
};

// Empty for none.
std::string write_pass(const std::optional<LedgerPass>& pass);
// None for what is not one: a version of tomorrow wrote it, and today's begins anew.
std::optional<LedgerPass> read_pass(const std::string& text);

}  // namespace belfry::engine

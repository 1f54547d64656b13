#pragma once

#include "base/error.h"

namespace belfry::store {

// Why a step of the leader's check of the ledger is refused.
inline Error ledger_moved_on() {
  return {.code = Errc::kConflict,
          .message = "the check of the ledger has moved on since this was read"};
}

}  // namespace belfry::store

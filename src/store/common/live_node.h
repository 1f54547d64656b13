#pragma once

#include "base/error.h"

#include <string>

namespace belfry::store {

// Why a store is not restored: its epochs would be raised under a node that uses it.
inline Error node_is_alive(const std::string& name) {
  return {.code = Errc::kConflict,
          .message = "node " + name + " is alive on this store",
          .hint = "stop all nodes; one that was killed is forgotten when its lease ends"};
}

}  // namespace belfry::store

#pragma once

#include <string>

namespace belfry::store {

// On whose behalf something is changed. With an actor the change leaves a row in `audit`, in the
// same transaction; without one it is the engine's own doing, and leaves none.
struct Author {
  std::string actor;         // the caller, as the API names it: a key, a user
  std::string request_id;    // ties the row to the request in logs
  std::string key_id = {};   // of the caller's key; empty: there was none
  std::string address = {};  // where the call came from
};

}  // namespace belfry::store

#pragma once

#include "base/result.h"
#include "store/store.h"

#include <cstddef>
#include <map>
#include <ostream>
#include <string>

namespace belfry::transfer {

// The first line names it; a reader refuses a later one.
inline constexpr int kFormat = 1;

struct Exported {
  std::map<std::string, std::size_t> lines;  // by kind: "tenant", "calendar", ...
  std::size_t over = 0;                      // jobs left out: cancelled or completed
  std::size_t checkins = 0;  // jobs whose tokens are not in the file: only digests are kept
};

// Writes all that is defined in a store, while nodes may use it: one line of JSON for each thing, a
// thing after what it needs. Secrets are written as they are sealed. Of a moment is only each job:
// what is changed meanwhile may be there as before or as after.
Result<Exported> export_all(store::Store& store, std::ostream& out);

}  // namespace belfry::transfer

#pragma once

#include "base/ids.h"
#include "base/mutex.h"
#include "base/result.h"
#include "store/store.h"

#include <map>
#include <string>

namespace belfry::service {

// Regions by name and by number. They are few and never renamed, so answers are
// remembered. Thread-safe.
class Regions {
 public:
  explicit Regions(store::Store& store) : store_(store) {}

  // kInvalid for a region that no node has served: a job there would never run.
  Result<RegionNo> find(const std::string& name);
  // Falls back to its number when the store cannot be asked.
  std::string name_of(RegionNo region);
  // Whether there is more than one, so that it matters which. Asks the store until there is.
  bool are_several();

 private:
  Status refresh();

  store::Store& store_;
  Mutex mutex_;
  std::map<std::string, RegionNo> by_name_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service

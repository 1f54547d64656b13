#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "core/schedule/zone.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::core {

// The zones of the system's time-zone database, by IANA name. The one door of core to the outside:
// it reads zoneinfo files (through Abseil, which alone among Debian's libraries obeys the rule line
// that carries a zone past 2037) and turns each zone into plain data. Thread-safe.
//
// A zone is read once and kept: new time-zone data is seen by the next process.
class ZoneCatalog {
 public:
  // The zone, valid as long as the catalog; kNotFound with a suggestion for a name that is close.
  Result<const Zone*> find(std::string_view name);

 private:
  Mutex mutex_;
  std::map<std::string, std::unique_ptr<const Zone>, std::less<>> zones_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::core

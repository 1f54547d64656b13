#pragma once

#include "core/schedule/zone.h"
#include "core/schedule/zone_catalog.h"
#include "import/ical/ical_lines.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belfry::importer {

// What the TZIDs of a file mean. A zone is known by its IANA name (also behind a prefix, as some
// write it), by X-LIC-LOCATION, or by the name that Windows has for it; else by the rules of the
// VTIMEZONE, which are computed through kLastYear.
class IcalZones {
 public:
  IcalZones(const IcalComponent& calendar, core::ZoneCatalog& catalog);

  // Null when the file neither names the zone by a known name nor defines it.
  const core::Zone* find(const std::string& id);

 private:
  const core::Zone* known(const std::string& name);

  core::ZoneCatalog& catalog_;
  std::map<std::string, const IcalComponent*> defined_;
  std::map<std::string, const core::Zone*> found_;
  std::vector<std::unique_ptr<const core::Zone>> made_;
};

// A wall clock's time as Unix seconds: the first of two, and across a gap as if the clocks had not
// been changed yet (RFC 5545, section 3.3.5).
std::int64_t unix_of(const core::Zone& zone, std::int64_t civil);

}  // namespace belfry::importer

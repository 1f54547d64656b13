#pragma once

#include "base/result.h"
#include "base/time.h"
#include "core/schedule/zone_catalog.h"
#include "import/report.h"

#include <cstddef>
#include <string>
#include <vector>

// An iCalendar file (RFC 5545), as Google Calendar, Outlook and Apple Calendar export it, as rules
// of a Belfry calendar: the time that its events take.
namespace belfry::importer {

struct IcalOptions {
  Instant from;               // what is over by then is left out
  Instant through;            // events that recur are taken up to here
  bool include_free = false;  // also events that are shown as free
};

// What became of one event: taken (kImported), taken in part or otherwise (kChanged), or left out
// (kRefused). Each has its reasons.
struct IcalEvent {
  std::size_t first_line = 0;
  std::size_t last_line = 0;
  std::string summary;
  Verdict verdict = Verdict::kRefused;
  std::size_t instances = 0;  // how many rules it has become
  std::vector<std::string> reasons;
};

struct IcalReport {
  std::string name;  // what the file calls itself; may be empty
  std::vector<IcalEvent> events;
  std::vector<std::string> rules;  // as core/schedule/calendar.h reads them; ascending, none twice
};

// All-day events become dates (in the zone of the job that uses the calendar), events with hours
// become instants, events without a zone wall-clock times of the job's zone. kInvalid for what is
// no iCalendar file.
Result<IcalReport> import_ical(const SourceFile& file, const IcalOptions& options,
                               core::ZoneCatalog& zones);

}  // namespace belfry::importer

#include "core/schedule/calendar.h"
#include "import/ical/ical.h"
#include "tests/fuzz/fuzz_import.h"

// For any file: each event has a reason for what became of it, and the rules are ones that a
// calendar takes.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry;
  const std::string text(fuzz::as_text(data, size));
  const importer::IcalOptions options{.from = from_unix_seconds(1'790'000'000),
                                      .through = from_unix_seconds(1'850'000'000)};
  const auto report = importer::import_ical({"a.ics", text}, options, fuzz::zones());
  if (!report) return 0;
  for (const importer::IcalEvent& event : report->events) {
    BELFRY_ASSERT(!event.reasons.empty());
    BELFRY_ASSERT(event.first_line >= 1 && event.first_line <= event.last_line);
  }
  BELFRY_ASSERT(core::Calendar::make("a", report->rules, fuzz::zones()));
  return 0;
}

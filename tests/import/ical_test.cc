#include "import/ical/ical.h"

#include "base/text/instant_text.h"
#include "core/schedule/calendar.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace belfry::importer {
namespace {

core::ZoneCatalog& zones() {
  static core::ZoneCatalog catalog;
  return catalog;
}

IcalReport imported(const std::string& text) {
  const IcalOptions options{.from = *parse_instant("2026-11-16T00:00:00Z"),
                            .through = *parse_instant("2028-11-16T00:00:00Z")};
  const auto report = import_ical({"test.ics", text}, options, zones());
  EXPECT_TRUE(report) << to_string(report.error());
  if (!report) return {};
  // What a server would refuse must not come out.
  EXPECT_TRUE(core::Calendar::make("test", report->rules, zones()));
  return *report;
}

IcalReport from_file(const std::string& name) {
  std::ifstream file(BELFRY_IMPORT_DATA "/ical/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return imported(text.str());
}

// `line taken|left out summary: reasons`
std::vector<std::string> told(const IcalReport& report) {
  std::vector<std::string> lines;
  for (const IcalEvent& event : report.events) {
    std::string line = std::to_string(event.first_line) + " " +
                       std::string(name_of(event.verdict)) + " " + event.summary + ":";
    for (const std::string& reason : event.reasons) line += " " + reason + ".";
    lines.push_back(line);
  }
  return lines;
}
using Lines = std::vector<std::string>;

TEST(IcalTest, GoogleCalendar) {
  const IcalReport report = from_file("google.ics");
  EXPECT_EQ(report.name, "Change freezes");
  EXPECT_EQ(told(report),
            (Lines{"26 imported Weekend freeze, all services: 3 instances up to 2027-04-02.",
                   "37 imported Weekend freeze, all services (shorter): 1 instance, on 2027-03-20.",
                   "47 imported Christmas: 1 instance, on 2026-12-24.",
                   "54 refused Birthday: it is shown as free; --free takes these, too.",
                   "61 refused Gone: it is cancelled."}));
  // The clocks change on the night to 2027-03-28; the freeze still ends at six.
  EXPECT_EQ(report.rules,
            (Lines{"2026-12-24..2026-12-26", "2027-03-05T17:00:00Z..2027-03-08T05:00:00Z",
                   "2027-03-20T07:00:00Z..2027-03-20T11:00:00Z",
                   "2027-03-26T17:00:00Z..2027-03-29T04:00:00Z",
                   "2027-04-02T16:00:00Z..2027-04-05T04:00:00Z"}));
}

TEST(IcalTest, Outlook) {
  const IcalReport report = from_file("outlook.ics");
  EXPECT_EQ(told(report),
            (Lines{"35 imported Month-end close: 4 instances up to 2027-04-28.",
                   "45 imported Summer maintenance: 1 instance, on 2027-07-01.",
                   "52 changed Labour Day: 2 instances up to 2028-05-01. goes on after that: "
                   "import it again by then.",
                   "61 refused Elsewhere: the file does not define the zone `Mars Standard Time`.",
                   "67 refused Free: it is shown as free; --free takes these, too."}));
  EXPECT_EQ(report.rules, (Lines{"2027-01-27T19:00:00Z..2027-01-27T22:00:00Z",
                                 "2027-02-24T19:00:00Z..2027-02-24T22:00:00Z",
                                 "2027-03-29T18:00:00Z..2027-03-29T21:00:00Z",
                                 "2027-04-28T18:00:00Z..2027-04-28T21:00:00Z", "2027-05-01",
                                 "2027-07-01T10:00:00Z..2027-07-01T11:00:00Z", "2028-05-01"}));
}

TEST(IcalTest, AppleCalendar) {
  const IcalReport report = from_file("apple.ics");
  EXPECT_EQ(told(report), (Lines{"24 imported Patch night: 4 instances up to 2027-02-11.",
                                 "39 imported Thanksgiving: 2 instances up to 2027-11-25.",
                                 "46 imported Wherever you are: 3 instances up to 2026-12-05.",
                                 "53 refused Long ago: it is over.",
                                 "59 refused Every hour: its RRULE repeats by less than a day."}));
  EXPECT_EQ(report.rules, (Lines{"2026-11-26", "2026-12-01T09:00:00..2026-12-01T09:30:00",
                                 "2026-12-03T09:00:00..2026-12-03T09:30:00",
                                 "2026-12-05T09:00:00..2026-12-05T09:30:00",
                                 "2026-12-11T04:00:00Z..2026-12-11T06:00:00Z",
                                 "2027-01-01T04:00:00Z..2027-01-01T06:00:00Z",
                                 "2027-01-15T04:00:00Z..2027-01-15T06:00:00Z",
                                 "2027-02-12T04:00:00Z..2027-02-12T06:00:00Z", "2027-11-25"}));
}

TEST(IcalTest, WhatIsNoCalendarIsRefused) {
  EXPECT_FALSE(import_ical({"a", "hello"}, {}, zones()));
  EXPECT_TRUE(imported("BEGIN:VCALENDAR").events.empty());
}

TEST(IcalTest, TimesThatCannotBeReadAreReportedWithTheirText) {
  const IcalReport report = imported(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261201T000000Z\nDTEND:20261201T000100Z\n"
      "RRULE:FREQ=DAILY\nRDATE:bad\nEND:VEVENT\nEND:VCALENDAR\n");
  ASSERT_EQ(report.events.size(), 1U);
  EXPECT_EQ(report.events[0].verdict, Verdict::kRefused);
  EXPECT_EQ(report.events[0].reasons[0], "RDATE `bad` is not a date or time");
}

}  // namespace
}  // namespace belfry::importer

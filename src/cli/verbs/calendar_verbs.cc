#include "cli/files/source_files.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"
#include "import/ical/ical.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

void print_calendars(const Json& calendars, const Session& session) {
  Table table({{"CALENDAR", true}, {"VERSION", false, true}, {"CHANGED"}, {"RULES", true}});
  for (const Json& calendar : calendars) {
    std::string rules;
    for (const Json& rule : calendar.at("rules")) {
      rules += (rules.empty() ? "" : "; ") + rule.get<std::string>();
    }
    table.row({{field(calendar, "name"), Paint::kBold},
               {field(calendar, "version")},
               {when(session, calendar, "updated_at")},
               {rules}});
  }
  if (table.is_empty()) {
    session.say("no calendars");
  } else {
    table.print(session.out(), session.look());
  }
}

Answer<int> list_calendars(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(calendars, list(*client, "/api/v1/calendars", {}, kAll));
  if (session.is_table()) {
    print_calendars(calendars.items, session);
  } else {
    session.print(calendars.items);
  }
  return int{kOk};
}

struct CalendarAsk {
  std::string name;
  std::vector<std::string> rules;
};

Answer<int> put_calendar(const CalendarAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(reply, client->call({.method = "PUT",
                                  .path = client::path_of("calendars", ask.name),
                                  .body = Json{{"rules", ask.rules}}}));
  if (session.is_table()) {
    print_calendars(Json::array({reply.body}), session);
  } else {
    session.print(reply.body);
  }
  return int{kOk};
}

struct IcalAsk {
  std::string file;
  std::string name;
  int years = 2;
  bool free = false;
  bool write = false;
};

Json json_of(const importer::IcalReport& report, const std::string& name) {
  Json events = Json::array();
  for (const importer::IcalEvent& event : report.events) {
    events.push_back({{"line", event.first_line},
                      {"summary", event.summary},
                      {"verdict", importer::name_of(event.verdict)},
                      {"instances", event.instances},
                      {"reasons", event.reasons}});
  }
  return {{"name", name}, {"events", std::move(events)}, {"rules", report.rules}};
}

void print_events(const importer::IcalReport& report, const Session& session) {
  Table table({{"LINE", false, true}, {"VERDICT"}, {"EVENT", true}, {"WHY", true}});
  for (const importer::IcalEvent& event : report.events) {
    std::string reasons;
    for (const std::string& reason : event.reasons) {
      reasons += (reasons.empty() ? "" : "; ") + reason;
    }
    const bool taken = event.verdict != importer::Verdict::kRefused;
    table.row({{std::to_string(event.first_line)},
               {taken ? "taken" : "left out"},
               {event.summary, Paint::kBold},
               {reasons}});
  }
  table.print(session.out(), session.look());
}

// What the calendar is called: as asked for, as the file says, or as the file is called.
std::string name_for(const IcalAsk& ask, const importer::IcalReport& report) {
  if (!ask.name.empty()) return ask.name;
  if (!report.name.empty()) return report.name;
  return std::filesystem::path(ask.file).stem().string();
}

Answer<int> import_calendar(const IcalAsk& ask, Session& session) {
  BELFRY_TRY(files, read_files({ask.file}, {{}, FolderFiles::Below::kNothing}, session));
  core::ZoneCatalog zones;
  const importer::IcalOptions options{
      .from = session.now(),
      .through = session.now() + std::chrono::hours(24 * 366) * ask.years,
      .include_free = ask.free};
  BELFRY_TRY(report,
             importer::import_ical({files.front().name, files.front().text}, options, zones));
  const std::string name = name_for(ask, report);
  if (session.is_table()) {
    print_events(report, session);
  } else {
    session.print(json_of(report, name));
  }
  const std::string told = grouped(report.rules.size()) + " rules for calendar " + clean(name);
  if (!ask.write) {
    session.say(told + "; nothing was written: --write does it");
    return int{kOk};
  }
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(client->call({.method = "PUT",
                             .path = client::path_of("calendars", name),
                             .body = Json{{"rules", report.rules}}}));
  session.say(told + " written");
  return int{kOk};
}

Answer<int> remove_calendar(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(client->call({.method = "DELETE", .path = client::path_of("calendars", name)}));
  session.say("deleted " + clean(name));
  return int{kOk};
}

}  // namespace

void add_calendar_verbs(const Program& program) {
  Command& calendars = program.noun("calendars", "when jobs do not run: list, put, import, rm");
  Command& listing = program.verb(calendars, "list", "list calendars", list_calendars);
  listing.alias("ls").examples({"belfry calendars list"});
  calendars.defaults_to(listing);
  const auto ask = std::make_shared<CalendarAsk>();
  Command& put = program.verb(calendars, "put", "create or change a calendar",
                              [ask](Session& session) { return put_calendar(*ask, session); });
  put.option("name", ask->name, "its name").required();
  put.option("rule", ask->rules,
             "a date, a stretch of dates, weekdays, day fields of cron, or a window with hours")
      .required();
  put.examples({"belfry calendars put holidays SAT,SUN '25 DEC *' 2026-12-24..2027-01-02",
                "belfry calendars put freeze 'FRI 18:00..MON 06:00 Europe/Berlin' 'last 3 days of "
                "quarter'"});
  const auto ical = std::make_shared<IcalAsk>();
  Command& import =
      program.verb(calendars, "import", "make a calendar of the events of an iCalendar file",
                   [ical](Session& session) { return import_calendar(*ical, session); });
  import.option("file", ical->file, "the file (.ics); - is stdin").required();
  import.option("--name", ical->name, "the calendar (default: as the file calls itself)")
      .type("NAME");
  import.option("--years", ical->years, "how far events that recur are taken (default: 2)")
      .range(1, 20)
      .type("N");
  import.flag("--free", ical->free, "also take events that are shown as free");
  import.flag("--write", ical->write, "store the calendar (default: only report)");
  import.examples({"belfry calendars import team.ics --name team --write"});
  const auto name = std::make_shared<std::string>();
  Command& remove =
      program.verb(calendars, "rm", "delete a calendar no job uses",
                   [name](Session& session) { return remove_calendar(*name, session); });
  remove.option("name", *name, "its name").required().proposes(Proposal::kCalendar);
  remove.alias("delete").examples({"belfry calendars rm holidays"});
}

}  // namespace belfry::cli

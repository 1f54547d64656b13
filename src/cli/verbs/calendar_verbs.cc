#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

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

Answer<int> remove_calendar(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(client->call({.method = "DELETE", .path = client::path_of("calendars", name)}));
  session.say("deleted " + clean(name));
  return int{kOk};
}

}  // namespace

void add_calendar_verbs(const Program& program) {
  CLI::App& calendars = program.noun("calendars", "days on which jobs do not run: list, put, rm");
  calendars.footer(
      "Example:\n"
      "  belfry calendars put holidays SAT,SUN '25 DEC *' 2026-12-24..2027-01-02");
  program.verb(calendars, "list", "list calendars", list_calendars);
  const auto ask = std::make_shared<CalendarAsk>();
  CLI::App& put = program.verb(calendars, "put", "create or change a calendar",
                               [ask](Session& session) { return put_calendar(*ask, session); });
  put.add_option("name", ask->name, "its name")->required();
  put.add_option("rule", ask->rules, "a date, a stretch of dates, weekdays, or day fields of cron")
      ->required();
  const auto name = std::make_shared<std::string>();
  program
      .verb(calendars, "rm", "delete a calendar no job uses",
            [name](Session& session) { return remove_calendar(*name, session); })
      .add_option("name", *name, "its name")
      ->required();
}

}  // namespace belfry::cli

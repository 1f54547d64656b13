#include "api/schedules/calendar_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/paging.h"
#include "base/text/instant_text.h"
#include "core/schedule/calendar.h"

namespace belfry::api {
namespace {

constexpr std::size_t kMostRules = 5'000;

Json write_calendar(const store::CalendarRow& calendar) {
  return {{"name", calendar.name},
          {"rules", calendar.rules},
          {"version", calendar.revision},
          {"updated_at", format_instant(calendar.updated_at)}};
}

Outcome list_calendars(const Services& services, const Call& call,
                       std::vector<Complaint> complaints) {
  const Page page = read_page(call.request, "calendars", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found, services.store.list_calendars(call.principal.tenant, page.cursor, page.limit));
  Json items = Json::array();
  for (const store::CalendarRow& calendar : found) items.push_back(write_calendar(calendar));
  std::optional<std::string> next;
  if (found.size() == page.limit) next = found.back().name;
  return page_response(call.request, std::move(items), next, "calendars");
}

Outcome get_calendar(const Services& services, const Call& call) {
  BELFRY_NEED(found, services.store.find_calendar(call.principal.tenant, call.at("calendar")));
  return json_response(200, write_calendar(found));
}

// Each rule by itself, so that a complaint names the one that is wrong.
void check_rules(const Services& services, const std::vector<std::string>& rules,
                 std::vector<Complaint>& complaints) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto calendar = core::Calendar::make("", {&rules[i], 1}, services.zones);
    if (calendar) continue;
    complaints.push_back({"/rules/" + std::to_string(i), "invalid", calendar.error().message,
                          calendar.error().hint});
  }
}

Outcome put_calendar(const Services& services, const Call& call,
                     std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  body.require("rules", "for example [\"SAT,SUN\", \"2026-12-25\"]");
  const auto rules = body.texts("rules", kMostRules).value_or(std::vector<std::string>());
  body.refuse_others();
  check_rules(services, rules, complaints);
  const std::string& name = call.at("calendar");
  if (name.size() > 200 || name.find_first_of("\r\n\t") != std::string::npos) {
    complaints.push_back({"", "invalid", "a calendar's name is one line of up to 200 bytes", ""});
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto before = services.store.find_calendar(call.principal.tenant, name);
  if (!before && before.error().code != Errc::kNotFound) return before.error();
  BELFRY_NEED(now, services.store.put_calendar(call.principal.tenant, name, rules, call.author()));
  return json_response(before ? 200 : 201, write_calendar(now));
}

Outcome delete_calendar(const Services& services, const Call& call) {
  const auto deleted =
      services.store.delete_calendar(call.principal.tenant, call.at("calendar"), call.author());
  if (deleted) return net::Response{.status = 204};
  Problem problem = problem_of(deleted.error());
  if (problem.status == 409) problem.code = "in_use";
  return problem;
}

}  // namespace

std::vector<Route> calendar_routes() {
  const std::string calendar = "/api/v1/calendars/{calendar}";
  return {
      {"GET", "/api/v1/calendars", Access::kRead, at_once(list_calendars), {"cursor", "limit"}},
      {"GET", calendar, Access::kRead, at_once(get_calendar)},
      {"PUT", calendar, Access::kAdminister, at_once(put_calendar)},
      {"DELETE", calendar, Access::kAdminister, at_once(delete_calendar)},
  };
}

}  // namespace belfry::api

#include "tests/alerts/rules.h"

#include "base/time.h"

namespace belfry::alert_day {
namespace {

using std::chrono::seconds;

const char* word_for(Watch watch) {
  switch (watch) {
    case Watch::kInARow: return "failed_in_a_row";
    case Watch::kOften: return "failures";
    case Watch::kNotStarted: return "not_started";
    case Watch::kLate: return "late";
    case Watch::kLong:
    case Watch::kOdd: return "running";
    case Watch::kMissed: return "missed";
    case Watch::kIdleType: return "no_worker";
    case Watch::kDeadLetters: return "dead_letters";
    case Watch::kZone: return "schedule_broken";
    case Watch::kClock: break;
  }
  return "clock_offset";
}

}  // namespace

std::vector<Rule> rules() {
  return {
      {.name = "row", .watch = Watch::kInARow, .count = 2},
      {.name = "often", .watch = Watch::kOften, .count = 3, .within = 5'400},
      {.name = "stuck", .watch = Watch::kNotStarted, .after = 300},
      {.name = "late", .watch = Watch::kLate, .after = 30},
      {.name = "long", .watch = Watch::kLong, .after = 600},
      {.name = "odd", .watch = Watch::kOdd, .times = 2},
      {.name = "missed", .watch = Watch::kMissed},
      {.name = "idle", .watch = Watch::kIdleType, .after = 60},
      {.name = "dead", .watch = Watch::kDeadLetters, .count = 20, .team = 1},
      {.name = "zones", .watch = Watch::kZone},
      {.name = "clocks", .watch = Watch::kClock, .after = 2},
      {.name = "grouped",
       .watch = Watch::kInARow,
       .count = 1,
       .team = kUntouched,
       .group_wait = 300},
      {.name = "nights", .watch = Watch::kInARow, .count = 1, .team = 9, .quiet_from = kSaturday},
      {.name = "unthankful",
       .watch = Watch::kInARow,
       .count = 1,
       .team = 8,
       .tells_recovery = false}};
}

std::string team_name(int team) {
  return "t" + std::to_string(team);
}

Json scope_of(int job, int team, int type) {
  Json scope = Json::object();
  if (job >= 0) scope["job"] = "job" + std::to_string(job);
  if (type >= 0) scope["job_type"] = "type" + std::to_string(type);
  if (team >= 0) scope["labels"] = {"team=" + team_name(team)};
  return scope;
}

std::string definition_of(const Rule& rule) {
  return write_json({{"when", word_for(rule.watch)},
                     {"count", rule.count},
                     {"window", Duration(seconds(rule.within)).count()},
                     {"after", Duration(seconds(rule.after)).count()},
                     {"times_usual", rule.times},
                     {"scope", scope_of(-1, rule.team, -1)},
                     {"recovered", rule.tells_recovery},
                     {"group_wait", Duration(seconds(rule.group_wait)).count()},
                     {"quiet_calendar", rule.quiet_from >= 0 ? "saturdays" : ""},
                     {"receivers", Json::array({{{"kind", "HTTP"}, {"url", "http://h/"}}})}});
}

}  // namespace belfry::alert_day

#include "cli/cron/cron_commands.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "cli/frame/exit_code.h"
#include "core/cron/compile.h"
#include "core/cron/describe.h"
#include "core/cron/every.h"
#include "core/cron/hash.h"
#include "core/cron/warnings.h"
#include "core/schedule/civil.h"
#include "core/schedule/schedule.h"
#include "core/schedule/schedule_words.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <ostream>
#include <string_view>

namespace belfry::cli {
namespace {

int complain(const CronQuestion& question, const Error& error, const Terminal& terminal) {
  terminal.err << "belfry: " << to_string(error) << '\n';
  if (error.field == "timezone" || error.field == "--from") return kUsage;
  const std::string pointer = point_at(question.expression, error);
  if (const std::size_t newline = pointer.find('\n'); newline != std::string::npos) {
    terminal.err << "  " << pointer.substr(0, newline) << "\n  " << pointer.substr(newline + 1)
                 << '\n';
  }
  return kUsage;
}

Result<Instant> start_of(const CronQuestion& question, const Terminal& terminal) {
  if (question.from.empty()) return terminal.clock.wall_now();
  auto start = parse_instant(question.from);
  if (!start) start.error().field = "--from";
  return start;
}

// A question ready to be answered: everything that can be refused has been checked.
struct Subject {
  Instant start;
  core::ScheduleSpec spec;
  core::Schedule schedule;
  const core::Zone* zone;
};

Result<Subject> examine(const CronQuestion& question, const Terminal& terminal,
                        core::ZoneCatalog& zones) {
  BELFRY_TRY(start, start_of(question, terminal));
  BELFRY_TRY(zone, zones.find(question.timezone));
  // An interval is counted from whole seconds: nobody wants fires at 12:00:00.123456.
  const Instant anchor = from_unix_seconds(floor_unix_seconds(start));
  core::ScheduleSpec spec{.cron_expression = question.expression,
                          .dialect = question.dialect,
                          .timezone = question.timezone,
                          .key = question.key};
  if (core::is_every(question.expression)) spec.start_at = anchor;
  BELFRY_TRY(schedule, core::Schedule::make(spec, zones));
  return Subject{start, std::move(spec), schedule, zone};
}

std::string local_text(Instant instant, const core::Zone& zone) {
  const std::int64_t offset = zone.offset_at(floor_unix_seconds(instant));
  return format_instant(instant, static_cast<std::int32_t>(offset));
}

std::string weekday_name(Instant instant, const core::Zone& zone) {
  constexpr std::array<const char*, 7> kNames{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  const std::int64_t second = floor_unix_seconds(instant);
  const int weekday = core::weekday_of(core::floor_days(second + zone.offset_at(second)));
  return kNames.at(static_cast<std::size_t>(weekday));
}

// "in 3d4h", "in 12m": two units are as much as a person takes in.
std::string time_until(Instant instant, Instant now) {
  using std::chrono::floor;
  const Duration rest = instant - now;
  if (rest >= std::chrono::days(2)) return "in " + format_duration(floor<std::chrono::hours>(rest));
  if (rest >= std::chrono::hours(1)) {
    return "in " + format_duration(floor<std::chrono::minutes>(rest));
  }
  return "in " + format_duration(floor<std::chrono::seconds>(rest));
}

void print_fires(const CronQuestion& question, const Subject& subject, std::ostream& out) {
  Instant at = subject.start;
  for (int i = 0; i < question.count; ++i) {
    const auto tick = subject.schedule.next_run(at);
    if (!tick) {
      out << (i == 0 ? "  never\n" : "  no more\n");
      return;
    }
    at = tick->starts();
    out << fmt::format("  {} {:<25}  {}\n", weekday_name(at, *subject.zone),
                       local_text(at, *subject.zone), time_until(at, subject.start));
  }
}

void print_sentence(const CronQuestion& question, const core::Zone& zone, std::ostream& out) {
  const auto syntax = core::parse_syntax(question.expression, question.dialect, question.key);
  out << core::describe(*syntax) << " (" << zone.name() << ")\n";
  const auto resolved = core::resolve_hash(question.expression, question.dialect, question.key);
  if (resolved && *resolved != question.expression) {
    const std::string whose =
        question.key.empty() ? "without --key" : "for the key `" + question.key + "`";
    out << "H " << whose << " gives: " << *resolved << '\n';
  }
}

void print_warnings(const CronQuestion& question, const Subject& subject, std::ostream& out) {
  const auto* rule = std::get_if<core::CronRule>(&subject.schedule.rhythm().rule());
  if (rule == nullptr) return;
  const auto syntax = core::parse_syntax(question.expression, question.dialect, question.key);
  const auto warnings =
      core::warnings_for(*syntax, *rule, false, floor_unix_seconds(subject.start));
  if (warnings.empty()) return;
  out << "\nGood to know\n";
  for (const core::Warning& warning : warnings) out << "  - " << warning.message << '\n';
}

// The same as the API's preview.
int print_preview(const CronQuestion& question, const Subject& subject, const Session& session) {
  const auto words = core::put_in_words(subject.spec, subject.schedule, subject.start);
  if (!words) return complain(question, words.error(), session.terminal());
  Json next = Json::array();
  Instant at = subject.start;
  for (int i = 0; i < question.count; ++i) {
    const auto tick = subject.schedule.next_run(at);
    if (!tick) break;
    at = tick->starts();
    next.push_back(local_text(at, *subject.zone));
  }
  Json warnings = Json::array();
  for (const core::Warning& warning : words->warnings) {
    Json& item = warnings.emplace_back(Json{{"code", warning.code}, {"message", warning.message}});
    if (warning.at) item["at"] = local_text(from_unix_seconds(*warning.at), *subject.zone);
  }
  const bool fires = !next.empty();
  session.print({{"sentence", words->sentence},
                 {"timezone", question.timezone},
                 {"next", std::move(next)},
                 {"warnings", std::move(warnings)}});
  return fires ? kOk : kDifferent;
}

}  // namespace

int cron_next(const CronQuestion& question, const Session& session) {
  const Terminal& terminal = session.terminal();
  core::ZoneCatalog zones;
  const auto subject = examine(question, terminal, zones);
  if (!subject) return complain(question, subject.error(), terminal);
  if (!session.is_table()) return print_preview(question, *subject, session);
  Instant at = subject->start;
  for (int i = 0; i < question.count; ++i) {
    const auto tick = subject->schedule.next_run(at);
    if (!tick) {
      terminal.err << (i == 0 ? "belfry: it never fires after " : "belfry: no fire after ")
                   << format_instant(at) << '\n';
      return i == 0 ? kDifferent : kOk;
    }
    at = tick->starts();
    terminal.out << local_text(at, *subject->zone) << '\n';
  }
  return kOk;
}

int cron_explain(const CronQuestion& question, const Session& session) {
  const Terminal& terminal = session.terminal();
  core::ZoneCatalog zones;
  const auto subject = examine(question, terminal, zones);
  if (!subject) return complain(question, subject.error(), terminal);
  if (!session.is_table()) return print_preview(question, *subject, session);
  if (core::is_every(question.expression)) {
    const auto interval = core::parse_every(question.expression);
    terminal.out << core::describe_every(*interval)
                 << ", in real time: clock changes do not matter\n";
  } else {
    print_sentence(question, *subject->zone, terminal.out);
  }
  terminal.out << "\nNext fires\n";
  print_fires(question, *subject, terminal.out);
  print_warnings(question, *subject, terminal.out);
  return kOk;
}

}  // namespace belfry::cli

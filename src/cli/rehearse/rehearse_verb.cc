#include "cli/rehearse/rehearse_verb.h"

#include "base/text/visible.h"
#include "cli/rehearse/rehearse_ask.h"
#include "cli/rehearse/rehearse_json.h"
#include "cli/rehearse/rehearse_text.h"
#include "cli/text/progress.h"
#include "rehearse/stage.h"

#include <array>
#include <chrono>
#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

void print_lines(const std::vector<Json>& lines, const Session& session) {
  for (const Json& line : lines) session.out() << visible_json(write_json(line)) << '\n';
}

// How many of the plan's days are over, for who waits.
class DaysPlayed {
 public:
  DaysPlayed(const rehearse::Plan& plan, const Session& session)
      : from_(plan.from),
        progress_(session, "days rehearsed",
                  static_cast<std::uint64_t>((plan.to - plan.from) / std::chrono::days(1))) {}

  void reach(Instant at) {
    const auto days = static_cast<std::uint64_t>((at - from_) / std::chrono::days(1));
    if (days <= days_) return;
    progress_.advance(days - days_);
    days_ = days;
  }
  void finish() { progress_.finish(); }

 private:
  Instant from_;
  std::uint64_t days_ = 0;
  Progress progress_;
};

Answer<int> rehearse_one(const RehearseAsk& ask, Session& session) {
  core::ZoneCatalog zones;
  BELFRY_TRY(plan, times_of(ask, session, zones));
  BELFRY_CHECK(add_jobs(ask.files, ask, session, zones, plan));
  BELFRY_CHECK(take_durations(ask, session, {&plan, 1}));
  const RehearsalText text(plan, zones, session, zone_meant(ask, session));
  rehearse::Summariser summariser(plan);
  DaysPlayed played(plan, session);
  BELFRY_CHECK(rehearse::rehearse(plan, zones, [&](const rehearse::Event& event) {
    summariser.add(event);
    if (!ask.list) return played.reach(event.at);
    if (session.is_table()) {
      text.print(event);
    } else {
      print_lines({to_json(event, plan, zones)}, session);
    }
  }));
  played.finish();
  const rehearse::Summary summary = summariser.finish(zones);
  if (!session.is_table()) {
    print_lines(lines_of(summary, plan, zones), session);
    return int{kOk};
  }
  if (ask.list) session.out() << '\n';
  text.print(summary);
  return int{kOk};
}

Answer<int> compare(const RehearseAsk& ask, Session& session) {
  core::ZoneCatalog zones;
  BELFRY_TRY(times, times_of(ask, session, zones));
  std::array<rehearse::Plan, 2> plans{times, times};
  auto& [before, after] = plans;
  BELFRY_CHECK(add_jobs(ask.before, ask, session, zones, before));
  BELFRY_CHECK(add_jobs(ask.files, ask, session, zones, after));
  BELFRY_CHECK(take_durations(ask, session, plans));
  BELFRY_TRY(was, rehearse::play(before, zones));
  BELFRY_TRY(is, rehearse::play(after, zones));
  const auto changes = rehearse::changes_between(before, was, after, is);
  if (session.is_table()) {
    RehearsalText(after, zones, session, zone_meant(ask, session))
        .print(changes, was.summary, is.summary);
  } else {
    print_lines(lines_of(changes, was.summary, is.summary, zones), session);
  }
  return changes.empty() ? int{kOk} : int{kDifferent};
}

Answer<int> rehearse_files(const RehearseAsk& ask, Session& session) {
  if (!session.is_table() && !session.is_json()) {
    return fail(Problem(Problem::Kind::kInvalid,
                        "a rehearsal is not written as " + session.globals().output, "",
                        "leave -o out, or give -o json: an object on each line"));
  }
  if (ask.files.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "no files were named", "",
                        "name them: belfry rehearse jobs.yaml; a folder, or - for stdin"));
  }
  if (!ask.before.empty() && ask.list) {
    return fail(Problem(Problem::Kind::kInvalid, "--diff and --list do not go together", "",
                        "leave one of them out"));
  }
  return ask.before.empty() ? rehearse_one(ask, session) : compare(ask, session);
}

void add_options(Command& command, RehearseAsk& ask) {
  command.option("-f,--file,file", ask.files, "files or folders of jobs; - is stdin")
      .type("FILE")
      .proposes(Proposal::kFile);
  command.option("--from", ask.from, "the first instant (default: now)").type("TIME");
  command.option("--to", ask.to, "up to, and without, this one (default: a week later)")
      .type("TIME");
  command.option("--tz", ask.timezone, "the zone of these times (default: this machine's)")
      .type("ZONE")
      .proposes(Proposal::kZone);
  command
      .option("--down", ask.down,
              "no node is up: 02:00-02:40 on every day, or FROM/TO once; may be repeated")
      .type("TIMES");
  command
      .option("--durations", ask.durations,
              "how long runs take: 5m, NAME=5m, or a file with lines NAME: 5m; may be repeated "
              "(default: no time at all)")
      .type("DURATION");
  command
      .option("--calendar", ask.calendars,
              "the rules of a calendar, one to a line (default: as the server has them)")
      .type("NAME=FILE");
  command.option("--diff", ask.before, "say what differs from these files")
      .type("FILE")
      .proposes(Proposal::kFile);
  command.flag("--list", ask.list, "every fire and every skip, as it happens");
}

}  // namespace

void add_rehearse_verb(const Program& program) {
  const auto ask = std::make_shared<RehearseAsk>();
  Command& command = program.verb(
      "rehearse", "what files of jobs would do in some time, played by the real engine",
      [ask](Session& session) { return rehearse_files(*ask, session); });
  add_options(command, *ask);
  command.examples({"belfry rehearse jobs.yaml --from 2027-03-27 --to 2027-03-30 --durations 5m",
                    "belfry rehearse jobs.yaml --down 02:00-02:40 --list",
                    "belfry rehearse jobs.yaml --diff old.yaml --from 2027-01-01 --to 2028-01-01"});
  command.note(
      "With --diff the exit code is 1 if something differs. It needs no server, except for "
      "calendars that are not given.");
}

}  // namespace belfry::cli

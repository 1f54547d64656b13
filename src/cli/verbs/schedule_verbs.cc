#include "cli/cron/cron_commands.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/preview_text.h"
#include "cli/text/text.h"
#include "cli/text/time_argument.h"
#include "cli/text/typed_words.h"
#include "cli/text/when.h"
#include "cli/verbs/job_flags.h"

#include <algorithm>
#include <memory>
#include <ostream>
#include <string_view>

namespace belfry::cli {
namespace {

// Whether a word is a cron expression, perhaps a wrong one, and not the name of a job. The prefix
// `name:` makes it a job.
bool is_expression(const std::string& word) {
  if (word.empty() || word.starts_with("name:")) return false;
  if (word.starts_with('@')) return true;
  const bool begins_so = std::string_view("*0123456789H?").find(word[0]) != std::string_view::npos;
  const auto blanks = std::count(word.begin(), word.end(), ' ');
  // With a field too few it is one as well, as long as nothing in it looks like a name.
  const bool is_wordless = word.find_first_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  return begins_so && (blanks >= 4 || (blanks > 0 && is_wordless));
}

struct NextAsk {
  std::string subject;
  std::string timezone;
  int count = 5;
};

CronQuestion question_of(const std::string& expression, const std::string& timezone, int count) {
  return {
      .expression = expression, .timezone = timezone.empty() ? "UTC" : timezone, .count = count};
}

Answer<int> next(const NextAsk& ask, Session& session) {
  if (is_expression(ask.subject)) {
    return cron_next(question_of(ask.subject, ask.timezone, ask.count), session);
  }
  BELFRY_TRY(client, session.client());
  const auto preview =
      client->get(client::job_path(ask.subject, "/next"), {{"count", std::to_string(ask.count)}});
  if (!preview) return fail(with_suggestion(preview.error(), ask.subject, *client));
  if (!session.is_table()) {
    session.print(*preview);
    return int{kOk};
  }
  const std::string zone = field(*preview, "timezone");
  for (const Json& instant : preview->at("next")) {
    const std::string text = instant.get<std::string>();
    session.out() << (session.is_for_person() ? moment(session, text, zone) : text) << '\n';
  }
  if (preview->at("next").empty()) {
    session.say("it will not run: `belfry get " + ask.subject + "` tells why");
    return int{kDifferent};
  }
  if (session.is_for_person()) print_warnings(*preview, session);
  return int{kOk};
}

// Times about a job are those of its own zone, unless another one is given.
Answer<std::string> instant_for(const std::string& text, const std::string& flag,
                                const std::string& timezone, const std::string& job,
                                Session& session) {
  std::string zone = timezone;
  if (zone.empty() && is_wall_clock(text)) {
    BELFRY_TRY(client, session.client());
    BELFRY_TRY(its, zone_of(job, *client));
    zone = std::move(its);
  }
  return to_instant(text, flag, zone, session);
}

struct ExplainAsk {
  std::string subject;
  std::string at;
  std::string timezone;
};

void print_checks(const Json& explanation, const Session& session) {
  for (const Json& check : explanation.at("checks")) {
    const Json& passed = check.at("passed");
    const bool open = passed.is_null();
    const Paint paint = open ? Paint::kDim : passed == true ? Paint::kGood : Paint::kBad;
    session.out() << "  "
                  << painted(open             ? "·"
                             : passed == true ? "✓"
                                              : "✗",
                             paint, session.look())
                  << ' ' << field(check, "check")
                  << std::string(10 - std::min<std::size_t>(9, field(check, "check").size()), ' ')
                  << clean(field(check, "detail")) << '\n';
    if (const std::string remedy = field(check, "remedy"); !remedy.empty()) {
      session.out() << "              → " << in_typed_words(clean(remedy)) << '\n';
    }
  }
}

Answer<int> explain(const ExplainAsk& ask, Session& session) {
  if (ask.at.empty() && is_expression(ask.subject)) {
    return cron_explain(question_of(ask.subject, ask.timezone, 5), session);
  }
  BELFRY_TRY(client, session.client());
  client::Query query;
  if (!ask.at.empty()) {
    BELFRY_TRY(at, instant_for(ask.at, "--at", ask.timezone, ask.subject, session));
    query.push_back({"at", at});
  }
  const auto answer = client->get(client::job_path(ask.subject, "/explain"), query);
  if (!answer) return fail(with_suggestion(answer.error(), ask.subject, *client));
  if (!session.is_table()) {
    session.print(*answer);
    return int{kOk};
  }
  const std::string at = field(*answer, "at");
  std::string moment = at;
  if (session.is_for_person()) {
    BELFRY_TRY(zone, zone_of(ask.subject, *client));
    moment = civil(at, session.now()) + " " + zone;
  }
  session.out() << clean(ask.subject) << " at " << moment << '\n'
                << painted(clean(field(*answer, "sentence")), Paint::kBold, session.look())
                << "\n\n";
  print_checks(*answer, session);
  const std::string before = field(*answer, "before");
  if (field(*answer, "verdict") == "not_matching" && !before.empty()) {
    session.say("the tick before:  belfry explain " + ask.subject + " --at " + before);
  }
  return int{kOk};
}

struct BackfillAsk {
  std::string job;
  std::string from;
  std::string to;
  std::string timezone;
};

void print_report(const Json& report, const Session& session) {
  const bool dry = report.at("dry_run") == true;
  session.out() << counted(report.value("ticks", std::uint64_t{0}), "tick") << ": "
                << field(report, "created") << (dry ? " would get a run, " : " got a run, ")
                << report.at("existing").size() << " have one, " << field(report, "excluded")
                << " are excluded, " << field(report, "undecided") << " are still to be decided\n";
}

Answer<int> backfill(const BackfillAsk& ask, Session& session) {
  BELFRY_TRY(from, instant_for(ask.from, "--from", ask.timezone, ask.job, session));
  BELFRY_TRY(to, instant_for(ask.to, "--to", ask.timezone, ask.job, session));
  BELFRY_TRY(client, session.client());
  const std::string path = client::job_path(ask.job, "/backfill");
  auto report = client->post(path, {{"from", from}, {"to", to}, {"dry_run", true}});
  if (!report) return fail(with_options(with_suggestion(report.error(), ask.job, *client)));
  const bool table = session.is_table();
  if (table) print_report(*report, session);
  const auto runs = report->value("created", std::uint64_t{0});
  const bool can_ask = session.terminal().screen.in_is_terminal && !session.globals().no_input;
  if (runs == 0 || (!session.globals().yes && !can_ask)) {
    if (!table) session.print(*report);
    if (runs > 0) session.say("nothing was done yet; use --yes to do it");
    return int{kOk};
  }
  BELFRY_TRY(yes, session.confirm("Make " + counted(runs, "run") + " of `" + ask.job + "`?"));
  if (!yes) return int{kOk};
  BELFRY_TRY(done, client->post(path, {{"from", from}, {"to", to}}));
  if (table) {
    print_report(done, session);
  } else {
    session.print(done);
  }
  return int{kOk};
}

void add_zone(Command& command, std::string& timezone, const char* help) {
  command.option("--tz", timezone, help).type("ZONE").proposes(Proposal::kZone);
}

}  // namespace

void add_schedule_verbs(const Program& program) {
  const auto ask = std::make_shared<NextAsk>();
  Command& next_verb = program.verb("next", "the next fires of a job, or of an expression",
                                    [ask](Session& session) { return next(*ask, session); });
  next_verb.option("what", ask->subject, "a job, or a cron expression (quoted)")
      .required()
      .proposes(Proposal::kJob);
  next_verb.option("-n,--count", ask->count, "how many (default: 5)").range(1, 1'000).type("N");
  add_zone(next_verb, ask->timezone, "time zone of an expression (default: UTC)");
  next_verb.examples(
      {"belfry next backup -n 3", "belfry next '0 9 * * MON-FRI' --tz Europe/Berlin"});

  const auto question = std::make_shared<ExplainAsk>();
  Command& explain_verb =
      program.verb("explain", "why a job did or did not run; what an expression means",
                   [question](Session& session) { return explain(*question, session); });
  explain_verb.option("what", question->subject, "a job, or a cron expression (quoted)")
      .required()
      .proposes(Proposal::kJob);
  explain_verb.option("--at", question->at, "when (default: its last tick)").type("TIME");
  add_zone(explain_verb, question->timezone,
           "time zone of an expression, or of --at (default: the job's)");
  explain_verb.alias("why");
  explain_verb.examples({"belfry explain backup", "belfry explain backup --at '2027-03-09 07:00'",
                         "belfry explain '30 2 * * *' --tz America/New_York"});

  const auto past = std::make_shared<BackfillAsk>();
  Command& backfill_verb =
      program.verb("backfill", "make runs for past ticks that have none; shows them first",
                   [past](Session& session) { return backfill(*past, session); });
  backfill_verb.option("job", past->job, "its name or id").required().proposes(Proposal::kJob);
  backfill_verb.option("--from", past->from, "the first instant").type("TIME").required();
  backfill_verb.option("--to", past->to, "the last instant").type("TIME").required();
  add_zone(backfill_verb, past->timezone, "time zone of --from and --to (default: the job's)");
  backfill_verb.examples({"belfry backfill report --from 2026-11-01 --to 2026-11-08"});
}

}  // namespace belfry::cli

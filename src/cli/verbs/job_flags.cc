#include "cli/verbs/job_flags.h"

#include "base/text/instant_text.h"
#include "base/verbatim.h"
#include "cli/text/text.h"
#include "cli/text/time_argument.h"
#include "cli/text/typed_words.h"

#include <algorithm>
#include <fstream>

namespace belfry::cli {
namespace {

void add_word(Command& command, const std::string& name, std::string& to,
              const std::vector<std::string>& words, std::string help) {
  const auto keep = [&to](const std::vector<std::string>& values) {
    to = as_api_word(values.back());
    return std::string();
  };
  help += ": ";
  for (const std::string& word : words) help += (word == words.front() ? "" : ", ") + word;
  command.option(name, keep, std::move(help)).one_of(words).type("WORD");
}

Option& add_text(Command& command, const std::string& name, std::string& to, const char* type,
                 const std::string& help) {
  return command.option(name, to, help).type(type);
}

void add_schedule_flags(Command& command, JobFlags& flags) {
  add_text(command, "--cron", flags.cron, "EXPR", "when, as a cron expression");
  add_text(command, "--every", flags.every, "DURATION", "when, as an interval: 90s, 15m, 2h");
  add_text(command, "--at", flags.at, "TIME",
           "once: 2027-03-09T07:00Z, `2027-03-09 07:00`, 07:00, +2h");
  add_text(command, "--in", flags.in, "DURATION", "once, this long from now");
  add_text(command, "--tz", flags.timezone, "ZONE",
           "time zone of --cron (default: UTC), --at, --start-at and --end-at")
      .proposes(Proposal::kZone);
  add_text(command, "--start-at", flags.start_at, "TIME", "no tick before this");
  add_text(command, "--end-at", flags.end_at, "TIME", "no tick after this");
  add_text(command, "--jitter", flags.jitter, "DURATION", "spread over a window, stable per job");
  add_text(command, "--calendar", flags.calendar, "NAME", "not at the times of this calendar")
      .proposes(Proposal::kCalendar);
  add_word(command, "--calendar-policy", flags.calendar_policy, {"skip", "delay"},
           "what happens to ticks then");
  add_word(command, "--dst-gap", flags.dst_gap, {"run-after", "skip"},
           "for a time the clocks skip");
  add_word(command, "--dst-overlap", flags.dst_overlap, {"first", "both"},
           "for a time that comes twice");
}

Problem wrong(const std::string& what, const std::string& fix = {}) {
  return {Problem::Kind::kInvalid, what, "", fix};
}

// A shell reads the command; env(1) sets what is to be set before.
Json command_of(const JobFlags& flags) {
  Json words = Json::array();
  if (!flags.cwd.empty() || !flags.env.empty()) words.push_back("/usr/bin/env");
  if (!flags.cwd.empty()) words.push_back("--chdir=" + flags.cwd);
  for (const std::string& variable : flags.env) words.push_back(variable);
  for (const std::string& word : {std::string("/bin/sh"), std::string("-c"), flags.exec}) {
    words.push_back(word);
  }
  return words;
}

// How a webhook is called. Alone it changes that of a job that has one.
Answer<void> add_webhook(const JobFlags& flags, Json& target) {
  if (!flags.method.empty()) target["method"] = flags.method;
  if (!flags.secret.empty()) target["secret_ref"] = flags.secret;
  for (const std::string& header : flags.headers) {
    const std::size_t colon = header.find(':');
    if (colon == 0 || colon == std::string::npos) {
      return fail(wrong("--header: `" + header + "` is not NAME: VALUE",
                        "for example --header 'Accept: application/json'"));
    }
    const std::size_t value = header.find_first_not_of(' ', colon + 1);
    target["headers"][header.substr(0, colon)] =
        value == std::string::npos ? "" : header.substr(value);
  }
  return {};
}

// What belongs to one target only must not be lost with another.
Answer<void> check_target(const JobFlags& flags, const Json& target) {
  const std::string kind = target.is_object() ? target.value("kind", "") : "";
  const bool is_webhook = !flags.method.empty() || !flags.secret.empty() || !flags.headers.empty();
  if (is_webhook && !kind.empty() && kind != "HTTP") {
    return fail(wrong("--method, --header and --secret say how --url is called"));
  }
  if ((!flags.env.empty() || !flags.cwd.empty()) && kind != "EXEC") {
    return fail(wrong("--env and --cwd say how a command runs", "give them together with --exec"));
  }
  for (const std::string& variable : flags.env) {
    if (variable.find('=') == std::string::npos || variable.starts_with('=')) {
      return fail(wrong("--env: `" + variable + "` is not NAME=VALUE"));
    }
  }
  return {};
}

Answer<Json> target_of(const JobFlags& flags) {
  Json target;
  int given = 0;
  if (!flags.exec.empty()) {
    target = {{"kind", "EXEC"}, {"command", command_of(flags)}};
    ++given;
  }
  if (!flags.url.empty()) {
    target = {{"kind", "HTTP"}, {"url", flags.url}};
    ++given;
  }
  if (!flags.topic.empty()) {
    const std::size_t slash = flags.topic.find('/');
    if (slash == std::string::npos) {
      return fail(Problem(Problem::Kind::kInvalid, "--topic: `" + flags.topic + "` has no broker",
                          "", "write BROKER/TOPIC, with a broker of the server's configuration"));
    }
    target = {{"kind", "TOPIC"},
              {"broker", flags.topic.substr(0, slash)},
              {"topic", flags.topic.substr(slash + 1)}};
    ++given;
  }
  if (flags.checkin) {
    target = {{"kind", "CHECKIN"}};
    ++given;
  }
  if (given > 1) {
    return fail(Problem(Problem::Kind::kInvalid, "a job has one target", "",
                        "give one of --exec, --url, --topic and --checkin, or none for a worker"));
  }
  BELFRY_CHECK(check_target(flags, target));
  BELFRY_CHECK(add_webhook(flags, target));
  return target;
}

void add_retry(const std::string& text, Json& body) {
  if (text.empty()) return;
  const std::size_t dots = text.find("..");
  body["retry"]["base"] = text.substr(0, dots);
  if (dots != std::string::npos) body["retry"]["cap"] = text.substr(dots + 2);
}

Answer<void> add_schedule(const JobFlags& flags, const Session& session,
                          const std::string& timezone, Json& body) {
  const int given = static_cast<int>(!flags.cron.empty()) + static_cast<int>(!flags.every.empty()) +
                    static_cast<int>(!flags.at.empty()) + static_cast<int>(!flags.in.empty());
  if (given > 1) {
    return fail(Problem(Problem::Kind::kInvalid, "a job has one schedule", "",
                        "give one of --cron, --every, --at and --in"));
  }
  if (!flags.cron.empty()) body["cron_expression"] = flags.cron;
  if (!flags.every.empty()) body["every"] = flags.every;
  if (!flags.in.empty()) body["delay"] = flags.in;
  const std::string& zone = flags.timezone.empty() ? timezone : flags.timezone;
  const auto instant = [&](const char* name, const char* flag,
                           const std::string& text) -> Answer<void> {
    if (text.empty()) return {};
    BELFRY_TRY(at, to_instant(text, flag, zone, session));
    body[name] = at;
    return {};
  };
  BELFRY_CHECK(instant("run_at", "--at", flags.at));
  BELFRY_CHECK(instant("start_at", "--start-at", flags.start_at));
  BELFRY_CHECK(instant("end_at", "--end-at", flags.end_at));
  return {};
}

}  // namespace

void add_job_flags(Command& command, JobFlags& flags) {
  add_schedule_flags(command, flags);
  add_text(command, "--exec", flags.exec, "COMMAND", "run this shell command, in an exec worker");
  add_text(command, "--url", flags.url, "URL", "call this URL (a signed POST)");
  command.option("--method", flags.method, "with --url: POST (default), GET, PUT, PATCH or DELETE")
      .one_of({"POST", "GET", "PUT", "PATCH", "DELETE"})
      .type("METHOD");
  command.option("--header", flags.headers, "with --url: send this header; may be repeated")
      .type("'NAME: VALUE'");
  add_text(command, "--secret", flags.secret, "NAME",
           "with --url: what signs the calls, kept by `belfry secrets put`");
  command.option("--env", flags.env, "with --exec: set this variable; may be repeated")
      .type("NAME=VALUE");
  add_text(command, "--cwd", flags.cwd, "FOLDER", "with --exec: run it in this folder");
  add_text(command, "--topic", flags.topic, "BROKER/TOPIC", "publish a message");
  command.flag("--checkin", flags.checkin,
               "the work is done elsewhere and reports; silence is a failure");
  add_text(command, "--type", flags.type, "WORD", "the type a worker subscribes to")
      .proposes(Proposal::kType);
  add_text(command, "--payload", flags.payload, "JSON|@FILE",
           "data for the worker or the receiver");
  command.option("--label", flags.labels, "for filters; may be given several times")
      .type("KEY=VALUE")
      .proposes(Proposal::kLabel);
  add_text(command, "--timeout", flags.timeout, "DURATION", "limit for one attempt (default: 5m)");
  command.option("--retries", flags.retries, "attempts after the first (default: 2)")
      .type("N")
      .range(0, 999);
  add_text(command, "--retry", flags.retry, "BASE[..CAP]",
           "waits between attempts: up to BASE, doubled up to CAP (default: 5s..5m)");
  add_word(command, "--overlap", flags.overlap, {"forbid", "allow", "replace", "queue-one"},
           "for a tick while a run goes on");
  add_word(command, "--misfire", flags.misfire, {"fire-once", "skip", "fire-all"},
           "for ticks that were missed");
  command.option("--max-concurrent", flags.max_concurrent,
                 "with --overlap allow: runs at once; 0 (default) is no limit");
  add_text(command, "--grace", flags.grace, "DURATION", "how old a missed tick may be");
  add_text(command, "--start-within", flags.start_within, "DURATION",
           "how long a run may wait for a worker");
  add_text(command, "--stop-within", flags.stop_within, "DURATION",
           "how long a cancelled run may take to stop");
  command.option("--priority", flags.priority,
                 "of runs that wait, the highest goes first (default: 0)");
  add_text(command, "--region", flags.region, "NAME", "whose nodes decide its ticks");
  add_text(command, "--run-in", flags.run_in, "WORD", "whose workers may have its runs: home, any")
      .one_of({"home", "any"});
  add_text(command, "--description", flags.description, "TEXT", "for people");
}

Problem with_flags(Problem problem) {
  problem.what = with_flag(std::move(problem.what));
  for (std::string& detail : problem.details) detail = with_flag(std::move(detail));
  return problem;
}

Answer<Json> to_fields(const JobFlags& flags, const Session& session, const std::string& timezone) {
  Json body = Json::object();
  BELFRY_CHECK(add_schedule(flags, session, timezone, body));
  add_retry(flags.retry, body);
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) body[name] = value;
  };
  text("timezone", flags.timezone);
  text("jitter", flags.jitter);
  text("calendar", flags.calendar);
  text("calendar_policy", flags.calendar_policy);
  text("dst_gap", flags.dst_gap);
  text("dst_overlap", flags.dst_overlap);
  text("job_type", flags.type);
  text("timeout", flags.timeout);
  text("concurrency_policy", flags.overlap);
  text("misfire_policy", flags.misfire);
  text("misfire_grace", flags.grace);
  text("start_within", flags.start_within);
  text("stop_within", flags.stop_within);
  text("description", flags.description);
  text("home_region", flags.region);
  text("run_in", flags.run_in);
  if (flags.max_concurrent) body["max_concurrent"] = *flags.max_concurrent;
  if (flags.priority) body["priority"] = *flags.priority;
  if (flags.checkin) body["max_attempts"] = 1;  // also of a job that had another target before
  if (flags.retries >= 0) body["max_attempts"] = flags.retries + 1;
  BELFRY_TRY(target, target_of(flags));
  if (!target.is_null()) body["target"] = std::move(target);
  if (!flags.payload.empty()) {
    BELFRY_TRY(payload, read_payload(flags.payload, session));
    body["payload"] = std::move(payload);
  }
  for (const std::string& label : flags.labels) {
    const std::size_t equals = label.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(Problem(Problem::Kind::kInvalid, "--label: `" + label + "` is not KEY=VALUE"));
    }
    body["labels"][label.substr(0, equals)] = label.substr(equals + 1);
  }
  return body;
}

Answer<Json> read_payload(const std::string& text, const Session& session) {
  std::string json = text;
  if (text == "-" || text == "@-") {
    json = read_all(session.in());
  } else if (text.starts_with('@')) {
    std::ifstream file(text.substr(1));
    if (!file) {
      return fail(Problem(Problem::Kind::kInvalid, "`" + text.substr(1) + "` cannot be read"));
    }
    json = read_all(file);
  }
  const auto value = parse_json(json);
  if (value) return value->is_null() ? Json() : verbatim(std::string(without_blanks(json)));
  return fail(Problem(Problem::Kind::kInvalid, "the payload is not JSON", to_string(value.error()),
                      "write JSON, with texts in double quotes, or @FILE"));
}

Answer<std::string> to_instant(const std::string& text, const std::string& flag,
                               const std::string& timezone, const Session& session) {
  std::string zone = timezone;
  if (zone.empty()) {
    const Terminal& terminal = session.terminal();
    zone = local_zone(terminal.environment ? terminal.environment("TZ") : "");
  }
  core::ZoneCatalog zones;
  const auto instant = parse_time(text, session.now(), zone, zones);
  if (instant) return format_instant(*instant);
  Problem problem(instant.error());
  problem.what = flag + ": " + problem.what;
  return fail(std::move(problem));
}

}  // namespace belfry::cli

#include "cli/verbs/job_flags.h"

#include "base/text/instant_text.h"
#include "base/verbatim.h"
#include "cli/text/text.h"
#include "cli/text/time_argument.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace belfry::cli {
namespace {

// A policy: people write `queue-one`, the API says QUEUE_ONE.
void add_word(Command& command, const std::string& name, std::string& to,
              const std::vector<std::string>& words, std::string help) {
  const auto keep = [&to](const std::vector<std::string>& values) {
    to = values.back();
    std::ranges::transform(to, to.begin(), [](unsigned char c) {
      return c == '-' ? '_' : static_cast<char>(std::toupper(c));
    });
    return std::string();
  };
  help += ": ";
  for (const std::string& word : words) help += (word == words.front() ? "" : ", ") + word;
  command.option(name, keep, std::move(help)).one_of(words).type("WORD");
}

void add_text(Command& command, const std::string& name, std::string& to, const char* type,
              const std::string& help) {
  command.option(name, to, help).type(type);
}

void add_schedule_flags(Command& command, JobFlags& flags) {
  add_text(command, "--cron", flags.cron, "EXPR", "when, as a cron expression");
  add_text(command, "--every", flags.every, "DURATION", "when, as an interval: 90s, 15m, 2h");
  add_text(command, "--at", flags.at, "TIME", "once: 2026-03-08T07:00Z, `2026-03-08 07:00`, 07:00");
  add_text(command, "--in", flags.in, "DURATION", "once, this long from now");
  add_text(command, "--tz", flags.timezone, "ZONE", "time zone of --cron (default: UTC) and --at");
  add_text(command, "--jitter", flags.jitter, "DURATION", "spread over a window, stable per job");
  add_text(command, "--calendar", flags.calendar, "NAME", "not on the days of this calendar");
  add_word(command, "--dst-gap", flags.dst_gap, {"run-after", "skip"},
           "for a time the clocks skip");
  add_word(command, "--dst-overlap", flags.dst_overlap, {"first", "both"},
           "for a time that comes twice");
}

Answer<Json> target_of(const JobFlags& flags) {
  Json target;
  int given = 0;
  if (!flags.exec.empty()) {
    target = {{"kind", "EXEC"}, {"command", Json::array({"/bin/sh", "-c", flags.exec})}};
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
  return target;
}

Answer<void> add_schedule(const JobFlags& flags, const Session& session, Json& body) {
  const int given = static_cast<int>(!flags.cron.empty()) + static_cast<int>(!flags.every.empty()) +
                    static_cast<int>(!flags.at.empty()) + static_cast<int>(!flags.in.empty());
  if (given > 1) {
    return fail(Problem(Problem::Kind::kInvalid, "a job has one schedule", "",
                        "give one of --cron, --every, --at and --in"));
  }
  if (!flags.cron.empty()) body["cron_expression"] = flags.cron;
  if (!flags.every.empty()) body["every"] = flags.every;
  if (!flags.in.empty()) body["delay"] = flags.in;
  if (!flags.at.empty()) {
    BELFRY_TRY(at, to_instant(flags.at, "--at", flags.timezone, session));
    body["run_at"] = at;
  }
  return {};
}

}  // namespace

void add_job_flags(Command& command, JobFlags& flags) {
  add_schedule_flags(command, flags);
  add_text(command, "--exec", flags.exec, "COMMAND", "run this shell command, in an exec worker");
  add_text(command, "--url", flags.url, "URL", "call this URL (a signed POST)");
  add_text(command, "--topic", flags.topic, "BROKER/TOPIC", "publish a message");
  command.flag("--checkin", flags.checkin,
               "the work is done elsewhere and reports; silence is a failure");
  add_text(command, "--type", flags.type, "WORD", "the type a worker subscribes to");
  add_text(command, "--payload", flags.payload, "JSON|@FILE",
           "data for the worker or the receiver");
  command.option("--label", flags.labels, "for filters; may be given several times")
      .type("KEY=VALUE");
  add_text(command, "--timeout", flags.timeout, "DURATION", "limit for one attempt (default: 5m)");
  command.option("--retries", flags.retries, "attempts after the first (default: 2)")
      .type("N")
      .range(0, 999);
  add_word(command, "--overlap", flags.overlap, {"forbid", "allow", "replace", "queue-one"},
           "for a tick while a run goes on");
  add_word(command, "--misfire", flags.misfire, {"fire-once", "skip", "fire-all"},
           "for ticks that were missed");
  add_text(command, "--grace", flags.grace, "DURATION", "how old a missed tick may be");
  add_text(command, "--start-within", flags.start_within, "DURATION",
           "how long a run may wait for a worker");
  add_text(command, "--stop-within", flags.stop_within, "DURATION",
           "how long a cancelled run may take to stop");
  add_text(command, "--description", flags.description, "TEXT", "for people");
}

Answer<Json> to_fields(const JobFlags& flags, const Session& session) {
  Json body = Json::object();
  BELFRY_CHECK(add_schedule(flags, session, body));
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) body[name] = value;
  };
  text("timezone", flags.timezone);
  text("jitter", flags.jitter);
  text("calendar", flags.calendar);
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

#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

void show(const Table& table, const Session& session, const char* nothing) {
  if (table.is_empty()) {
    session.say(nothing);
  } else {
    table.print(session.out(), session.look());
  }
}

void print_alerts(const Json& alerts, const Session& session) {
  Table table({{"STATE"}, {"RULE", true}, {"SUBJECT", true}, {"SINCE"}, {"WHAT", true}});
  for (const Json& alert : alerts) {
    const bool open = field(alert, "state") == "OPEN";
    const bool quiet = open && alert.value("quiet", false);
    table.row({{field(alert, "state"), open ? Paint::kBad : Paint::kPlain},
               {field(alert, "rule"), Paint::kBold},
               {field(alert, "subject")},
               {when(session, alert, "opened_at")},
               {field(alert, "sentence") + (quiet ? " (nobody is told yet: it is quiet)" : "")}});
  }
  show(table, session, "no alerts");
}

std::string receivers_of(const Json& rule) {
  std::string text;
  for (const Json& to : rule.value("to", Json::array())) {
    std::string one = field(to, "url");
    if (one.empty()) one = field(to, "topic");
    for (const Json& address : to.value("to", Json::array())) {
      one += (one.empty() ? "" : " ") + address.get<std::string>();
    }
    text += (text.empty() ? "" : ", ") + one;
  }
  return text;
}

std::string measure_of(const Json& rule) {
  std::string text = field(rule, "when");
  for (const char* name : {"count", "window", "after", "times_usual"}) {
    if (const std::string value = field(rule, name); !value.empty()) text += " " + value;
  }
  return text;
}

void print_rules(const Json& rules, const Session& session) {
  Table table({{"RULE", true}, {"WHEN"}, {"OF", true}, {"TO", true}});
  for (const Json& rule : rules) {
    std::string scope = field(rule, "job") + field(rule, "job_type");
    for (const Json& label : rule.value("labels", Json::array())) {
      scope += (scope.empty() ? "" : ",") + label.get<std::string>();
    }
    table.row({{field(rule, "name"), Paint::kBold},
               {measure_of(rule)},
               {scope.empty() ? "all jobs" : scope},
               {receivers_of(rule)}});
  }
  show(table, session, "no rules");
}

Answer<int> list_alerts(bool all, Session& session) {
  BELFRY_TRY(client, session.client());
  client::Query query;
  if (!all) query.emplace_back("open", "true");
  BELFRY_TRY(alerts, list(*client, "/api/v1/alerts", query, 1'000));
  if (session.is_table()) {
    print_alerts(alerts.items, session);
  } else {
    session.print(alerts.items);
  }
  return int{kOk};
}

Answer<int> list_rules(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(rules, list(*client, "/api/v1/alerts/rules", {}, kAll));
  if (session.is_table()) {
    print_rules(rules.items, session);
  } else {
    session.print(rules.items);
  }
  return int{kOk};
}

// What both rules and silences are about.
struct ScopeFlags {
  std::string job;
  std::string job_type;
  std::vector<std::string> labels;

  void add_to(Command& command) {
    command.option("--job", job, "only this job").type("NAME").proposes(Proposal::kJob);
    command.option("--type", job_type, "only jobs of this type").type("TYPE");
    command.option("-l,--label", labels, "only jobs with this label").type("KEY=VALUE");
  }
  void write(Json& body) const {
    if (!job.empty()) body["job"] = job;
    if (!job_type.empty()) body["job_type"] = job_type;
    if (!labels.empty()) body["labels"] = labels;
  }
};

struct RuleFlags {
  std::string name;
  std::string when;
  std::optional<std::int64_t> count;
  std::optional<std::int64_t> times_usual;
  std::string window;
  std::string after;
  std::string group_wait;
  std::string calendar;
  bool no_recovery = false;
  std::vector<std::string> urls;
  std::vector<std::string> slack;
  std::vector<std::string> mail;
  std::vector<std::string> topics;  // BROKER/TOPIC
  std::string secret;
  ScopeFlags scope;
};

Json receivers(const RuleFlags& flags) {
  Json to = Json::array();
  for (const std::string& url : flags.urls) {
    Json one{{"kind", "HTTP"}, {"url", url}};
    if (!flags.secret.empty()) one["secret"] = flags.secret;
    to.push_back(std::move(one));
  }
  for (const std::string& url : flags.slack) {
    to.push_back({{"kind", "HTTP"}, {"url", url}, {"form", "slack"}});
  }
  if (!flags.mail.empty()) to.push_back({{"kind", "MAIL"}, {"to", flags.mail}});
  for (const std::string& topic : flags.topics) {
    const std::size_t slash = std::min(topic.find('/'), topic.size());
    to.push_back({{"kind", "TOPIC"},
                  {"broker", topic.substr(0, slash)},
                  {"topic", topic.substr(std::min(slash + 1, topic.size()))}});
  }
  return to;
}

Answer<int> put_rule(const RuleFlags& flags, Session& session) {
  Json body{{"when", flags.when}};
  if (flags.count) body["count"] = *flags.count;
  if (flags.times_usual) body["times_usual"] = *flags.times_usual;
  if (!flags.window.empty()) body["window"] = flags.window;
  if (!flags.after.empty()) body["after"] = flags.after;
  if (!flags.group_wait.empty()) body["group_wait"] = flags.group_wait;
  if (!flags.calendar.empty()) body["quiet_calendar"] = flags.calendar;
  if (flags.no_recovery) body["recovered"] = false;
  flags.scope.write(body);
  body["to"] = receivers(flags);
  if (body["to"].empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "who is to be told?", "",
                        "give --url, --slack, --mail or --topic"));
  }
  BELFRY_TRY(client, session.client());
  const auto reply = client->call({.method = "PUT",
                                   .path = client::path_of("alerts/rules", flags.name),
                                   .body = std::move(body)});
  if (!reply) return fail(with_options(reply.error()));
  if (session.is_table()) {
    print_rules(Json::array({reply->body}), session);
  } else {
    session.print(reply->body);
  }
  return int{kOk};
}

// One call about a rule; a noun's own list has what is wrong, not the rules.
Answer<client::Reply> call_rule(client::Client& client, const client::Ask& ask) {
  auto reply = client.call(ask);
  if (!reply && reply.error().kind == Problem::Kind::kNotFound) {
    reply.error().fix = "`belfry alerts rules` lists them";
  }
  return reply;
}

Answer<int> remove_rule(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(
      call_rule(*client, {.method = "DELETE", .path = client::path_of("alerts/rules", name)}));
  session.say("deleted " + clean(name));
  return int{kOk};
}

Answer<int> test_rule(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(reply, call_rule(*client, {.method = "POST",
                                        .path = client::path_of("alerts/rules", name, "/test")}));
  if (session.is_table()) {
    session.say("on their way: " + std::to_string(reply.body.at("messages").size()) +
                "; `belfry alerts sent` says what became of them");
  } else {
    session.print(reply.body);
  }
  return int{kOk};
}

Answer<int> list_sent(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(reply, client->get("/api/v1/alerts/messages"));
  const Json& messages = reply.at("items");
  if (!session.is_table()) {
    session.print(messages);
    return int{kOk};
  }
  Table table({{"MESSAGE"}, {"STATE"}, {"RULE", true}, {"TRIES", false, true}, {"ERROR", true}});
  for (const Json& message : messages) {
    const bool failed = !field(message, "error").empty() && field(message, "state") != "SENT";
    table.row({{field(message, "id")},
               {field(message, "state"), failed ? Paint::kBad : Paint::kPlain},
               {field(message, "rule"), Paint::kBold},
               {field(message, "attempts")},
               {field(message, "error")}});
  }
  show(table, session, "no messages");
  return int{kOk};
}

struct SilenceFlags {
  std::string duration;
  std::string rule;
  std::string note;
  ScopeFlags scope;
};

Answer<int> silence(const SilenceFlags& flags, Session& session) {
  Json body{{"duration", flags.duration}};
  if (!flags.rule.empty()) body["rule"] = flags.rule;
  if (!flags.note.empty()) body["note"] = flags.note;
  flags.scope.write(body);
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(
      reply,
      client->call({.method = "POST", .path = "/api/v1/alerts/silences", .body = std::move(body)}));
  if (session.is_table()) {
    session.say("quiet until " + field(reply.body, "until"));
  } else {
    session.print(reply.body);
  }
  return int{kOk};
}

void add_put_rule(const Program& program, Command& alerts) {
  const auto flags = std::make_shared<RuleFlags>();
  Command& put = program.verb(alerts, "put", "create or change a rule",
                              [flags](Session& session) { return put_rule(*flags, session); });
  put.option("name", flags->name, "its name").required();
  put.option("--when", flags->when, "what it watches for")
      .one_of({"failed_in_a_row", "failures", "not_started", "late", "running", "missed",
               "no_worker", "dead_letters", "schedule_broken", "clock_offset"})
      .type("WORD")
      .required();
  put.option("--count", flags->count, "how many failures, or dead letters");
  put.option("--window", flags->window, "failures within this time").type("DURATION");
  put.option("--after", flags->after, "how late, how long, or how far off").type("DURATION");
  put.option("--times-usual", flags->times_usual, "running so many times its usual length");
  flags->scope.add_to(put);
  put.option("--url", flags->urls, "a webhook");
  put.option("--secret", flags->secret, "what signs the webhooks");
  put.option("--slack", flags->slack, "a webhook of Slack's form");
  put.option("--mail", flags->mail, "an address");
  put.option("--topic", flags->topics, "a broker's topic").type("BROKER/TOPIC");
  put.option("--group-wait", flags->group_wait, "tell together what changes within this time")
      .type("DURATION");
  put.option("--quiet-calendar", flags->calendar, "quiet in the times of this calendar, in UTC");
  put.flag("--no-recovery", flags->no_recovery, "do not tell when it is over");
  put.examples(
      {"belfry alerts put nightly --when failed_in_a_row --count 2 -l team=ops "
       "--mail ops@example.com",
       "belfry alerts put slow --when running --after 2h --job backup "
       "--url https://example.org/hooks/alerts"});
}

Command& add_named(const Program& program, Command& alerts, const std::string& verb,
                   const std::string& help, Answer<int> (*what)(const std::string&, Session&)) {
  const auto name = std::make_shared<std::string>();
  Command& command = program.verb(alerts, verb, help,
                                  [name, what](Session& session) { return what(*name, session); });
  command.option("name", *name, "its name").required();
  command.examples({command.path() + " nightly"});
  return command;
}

void add_silence(const Program& program, Command& alerts) {
  const auto flags = std::make_shared<SilenceFlags>();
  Command& quiet = program.verb(alerts, "silence", "say nothing for a while",
                                [flags](Session& session) { return silence(*flags, session); });
  quiet.option("duration", flags->duration, "for how long: 2h").required();
  quiet.option("--rule", flags->rule, "only this rule").type("NAME");
  quiet.option("-m,--note", flags->note, "why");
  flags->scope.add_to(quiet);
  quiet.examples({"belfry alerts silence 2h --rule nightly -m 'the disk is replaced'"});
}

}  // namespace

void add_alert_verbs(const Program& program) {
  Command& alerts = program.noun("alerts", "what is wrong, and who is told: ls, rules, put, rm, …");
  alerts.examples(
      {"belfry alerts put nightly --when failed_in_a_row --count 2 -l team=ops "
       "--mail ops@example.com"});
  const auto all = std::make_shared<bool>(false);
  Command& listing = program.verb(alerts, "ls", "list what is wrong",
                                  [all](Session& session) { return list_alerts(*all, session); });
  listing.flag("-a,--all", *all, "also what is over");
  listing.alias("list");
  listing.examples({"belfry alerts", "belfry alerts ls --all"});
  alerts.defaults_to(listing);
  program.verb(alerts, "rules", "list rules", list_rules).examples({"belfry alerts rules"});
  add_put_rule(program, alerts);
  add_named(program, alerts, "rm", "delete a rule", remove_rule).alias("delete");
  add_named(program, alerts, "test", "send a test to the receivers of a rule", test_rule);
  program.verb(alerts, "sent", "list messages and what became of them", list_sent)
      .examples({"belfry alerts sent"});
  add_silence(program, alerts);
}

}  // namespace belfry::cli

#include "cli/frame/verbs.h"
#include "cli/text/preview_text.h"
#include "cli/text/text.h"
#include "cli/verbs/job_flags.h"
#include "cli/verbs/job_warnings.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

struct AddAsk {
  std::string name;
  JobFlags flags;
  bool paused = false;
};

// Created and paused in one step: there is no moment at which it could tick.
Answer<Json> create_paused(client::Client& client, const Json& body) {
  BELFRY_TRY(result, client.post_keyed("/api/v1/jobs:batch",
                                       {{"jobs", Json::array({body})}, {"paused", true}}));
  return client.get(client::job_path(field(result.at("items").at(0), "job_id")));
}

Problem taken(const std::string& name) {
  return {Problem::Kind::kConflict, "there is a job `" + name + "` already", "",
          "choose another name, or change it with `belfry edit " + name + "`"};
}

Answer<Json> create(client::Client& client, const Json& body, bool paused) {
  const std::string name = field(body, "job_name");
  if (!paused) {
    auto made = client.post_keyed("/api/v1/jobs", body);
    if (!made && made.error().kind == Problem::Kind::kConflict) return fail(taken(name));
    return made;
  }
  const auto there = client.get(client::job_path("name:" + name));
  if (there) return fail(taken(name));
  if (there.error().kind != Problem::Kind::kNotFound) return fail(there.error());
  return create_paused(client, body);
}

// What a change may leave out, and a new job may not.
Answer<void> check_whole(const Json& body) {
  const auto has = [&](const char* name) { return body.contains(name); };
  if (!has("cron_expression") && !has("every") && !has("run_at") && !has("delay")) {
    return fail(Problem(Problem::Kind::kInvalid, "when is it to run?", "",
                        "give one of --cron '0 2 * * *', --every 15m, --at '2027-03-09 07:00' "
                        "and --in 1h"));
  }
  if (has("target") && !body.at("target").contains("kind")) {
    return fail(Problem(Problem::Kind::kInvalid,
                        "--method, --header and --secret say how --url is called", "",
                        "give them together with --url"));
  }
  return {};
}

Answer<int> add(const AddAsk& ask, Session& session) {
  BELFRY_TRY(body, to_fields(ask.flags, session));
  BELFRY_CHECK(check_whole(body));
  body["job_name"] = ask.name;
  BELFRY_TRY(client, session.client());
  auto made = create(*client, body, ask.paused);
  if (!made) return fail(with_flags(made.error()));
  const Json job = *std::move(made);
  std::string token;
  if (ask.flags.checkin) {
    BELFRY_TRY(checkin, client->post(client::job_path(field(job, "job_id"), "/checkin")));
    token = field(checkin, "token");
  }
  warn_of_targets(*client, {body}, session);
  if (!session.is_table()) {
    session.print(job);
    return int{kOk};
  }
  BELFRY_TRY(preview,
             client->get(client::job_path(field(job, "job_id"), "/next"), {{"count", "3"}}));
  session.out() << painted("✓", Paint::kGood, session.look()) << ' ' << clean(ask.name)
                << (ask.paused ? " created, paused · " : " created · ")
                << field(preview, "sentence") << " · " << field(preview, "timezone") << '\n';
  if (!ask.paused) print_fires(preview, session);
  print_warnings(preview, session);
  if (!token.empty()) {
    session.say("let it report:  belfry wrap --checkin " + token + " -- COMMAND");
    return int{kOk};
  }
  session.say(ask.paused ? "resume it:  belfry resume " + ask.name
                         : "try it now:  belfry run " + ask.name + " --wait");
  return int{kOk};
}

}  // namespace

void add_add_verb(const Program& program) {
  const auto ask = std::make_shared<AddAsk>();
  Command& command =
      program.verb("add", "create a job", [ask](Session& session) { return add(*ask, session); });
  command.option("name", ask->name, "its name").required();
  add_job_flags(command, ask->flags);
  command.flag("--paused", ask->paused, "create it paused");
  command.examples(
      {"belfry add backup --cron '0 2 * * *' --tz Europe/Berlin --exec 'backup.sh --all'",
       "belfry add sync --every 15m --url https://example.org/hooks/sync --label env=prod",
       "belfry add nightly --cron '0 2 * * *' --checkin --start-within 30m",
       "belfry add reminder --in 1h --type mail.send --payload '{\"to\": \"me\"}'"});
}

}  // namespace belfry::cli

#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

Answer<int> show(const Json& checkin, Session& session) {
  if (!session.is_table()) {
    session.print(checkin);
    return int{kOk};
  }
  session.out() << field(checkin, "token") << '\n';
  session.say("in a crontab:  belfry wrap --checkin TOKEN -- COMMAND");
  return int{kOk};
}

std::string path_to(const std::string& job) {
  return client::job_path(job, "/checkin");
}

Answer<int> rotate_token(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  const auto made = client->post(path_to(name));
  if (!made) return fail(with_suggestion(made.error(), name, *client));
  return show(*made, session);
}

// One that was never made is made now: whoever may see it may make it.
Answer<int> show_token(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  const auto there = client->get(path_to(name));
  if (there) return show(*there, session);
  if (there.error().kind != Problem::Kind::kNotFound) return fail(there.error());
  return rotate_token(name, session);
}

Answer<int> revoke_token(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(client->call({.method = "DELETE", .path = path_to(name)}));
  session.say("the token of " + name + " is void");
  return int{kOk};
}

}  // namespace

void add_checkin_verbs(const Program& program) {
  Command& checkin =
      program.noun("checkin", "tokens by which work done elsewhere reports: show, rotate, revoke");
  const auto name = std::make_shared<std::string>();
  const auto add = [&](const char* verb, const char* help, auto what) {
    program
        .verb(checkin, verb, help, [name, what](Session& session) { return what(*name, session); })
        .option("job", *name, "the job")
        .required()
        .proposes(Proposal::kJob);
  };
  add("show", "show a job's token; makes one if there is none", show_token);
  add("rotate", "make a new token; the old one is void at once", rotate_token);
  add("revoke", "make the token void", revoke_token);
}

}  // namespace belfry::cli

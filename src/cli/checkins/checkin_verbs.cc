#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

std::string path_to(const std::string& job) {
  return client::job_path(job, "/checkin");
}

// What is not there: the job, or its token?
Problem missing(Problem problem, const std::string& name, client::Client& client) {
  if (problem.kind != Problem::Kind::kNotFound) return problem;
  const auto job = client.get(client::job_path(name));
  if (!job) return with_suggestion(job.error(), name, client);
  problem.what = "`" + name + "` has no check-in token";
  problem.fix = "make one:  belfry checkin rotate " + name;
  return problem;
}

Answer<int> rotate_token(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  const auto made = client->post(path_to(name));
  if (!made) return fail(with_suggestion(made.error(), name, *client));
  if (!session.is_table()) {
    session.print(*made);
    return int{kOk};
  }
  session.out() << field(*made, "token") << '\n';
  session.say("it is not shown again; in a crontab:  belfry wrap --checkin TOKEN -- COMMAND");
  return int{kOk};
}

// Only since when it is, and by whom: the server keeps no more than its digest.
Answer<int> show_token(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  const auto there = client->get(path_to(name));
  if (!there) return fail(missing(there.error(), name, *client));
  if (!session.is_table()) {
    session.print(*there);
    return int{kOk};
  }
  session.out() << "made " << when(session, *there, "created_at") << " by "
                << field(*there, "created_by") << '\n';
  session.say("it is not shown again; a new one:  belfry checkin rotate " + name);
  return int{kOk};
}

Answer<int> revoke_token(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  const auto gone = client->call({.method = "DELETE", .path = path_to(name)});
  if (!gone) return fail(missing(gone.error(), name, *client));
  session.say("the token of " + name + " is void");
  return int{kOk};
}

}  // namespace

void add_checkin_verbs(const Program& program) {
  Command& checkin =
      program.noun("checkin", "tokens by which work done elsewhere reports: show, rotate, revoke");
  const auto name = std::make_shared<std::string>();
  const auto add = [&](const char* verb, const char* help, auto what) {
    Command& command = program.verb(
        checkin, verb, help, [name, what](Session& session) { return what(*name, session); });
    command.option("job", *name, "the job").required().proposes(Proposal::kJob);
    command.examples({command.path() + " nightly"});
  };
  add("show", "show since when a job has its token, and by whom", show_token);
  add("rotate", "make a new token and show it, once; the old one is void at once", rotate_token);
  add("revoke", "make the token void", revoke_token);
}

}  // namespace belfry::cli

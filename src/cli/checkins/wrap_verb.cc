#include "base/text/utf8.h"
#include "cli/checkins/watched_command.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"

#include <chrono>
#include <memory>
#include <utility>

namespace belfry::cli {
namespace {

constexpr std::size_t kKeptOutput = 16 * 1024;

struct WrapAsk {
  std::string token;
  std::vector<std::string> command;
};

// Only ASCII and what is UTF-8 can be sent; the rest of an output is shown, not reported.
std::string sendable(const std::string& output) {
  if (is_utf8(output)) return output;
  std::string kept;
  for (const char c : output) kept += static_cast<unsigned char>(c) < 0x80 ? c : '?';
  return kept;
}

// Talks to the server as long as it answers; the command never has to know of it.
class Reporter {
 public:
  Reporter(std::string token, Session& session) : token_(std::move(token)), session_(session) {}

  void start() {
    const auto answer = send("/start", Json::object(), std::chrono::seconds(0));
    if (answer) run_ = field(*answer, "run_id");
  }

  void end(const CommandEnd& end) {
    Json body{{"exit_code", end.code}, {"output", sendable(end.output)}};
    if (!run_.empty()) body["run_id"] = run_;
    send(end.code == 0 ? "/ok" : "/fail", std::move(body), std::chrono::seconds(20));
  }

 private:
  std::optional<Json> send(const std::string& what, Json body, Duration patience) {
    auto reply = ask(what, std::move(body), patience);
    if (reply) return std::move(reply->body);
    session_.warn("belfry: the check-in was not reported (" + what.substr(1) +
                  "): " + reply.error().what);
    return std::nullopt;
  }

  Answer<client::Reply> ask(const std::string& what, Json body, Duration patience) {
    BELFRY_TRY(options, session_.client_options());
    options.timeout = std::chrono::seconds(5);
    options.patience = patience;
    options.token.clear();  // the check-in's own is all that is needed
    BELFRY_TRY(client, client::Client::make(options));
    // The run's id makes a repeated end harmless.
    return client.call({.method = "POST",
                        .path = client::path_of("checkin", token_) + what,
                        .body = std::move(body),
                        .keyed = !run_.empty()});
  }

  const std::string token_;
  Session& session_;
  std::string run_;
};

Answer<int> wrap(const WrapAsk& ask, Session& session) {
  std::string token = ask.token;
  const Terminal& terminal = session.terminal();
  if (token.empty() && terminal.environment) token = terminal.environment("BELFRY_CHECKIN");
  if (token.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "there is no token", "",
                        "say --checkin TOKEN, or set BELFRY_CHECKIN; `belfry checkin rotate "
                        "JOB` makes one"));
  }
  Reporter reporter(token, session);
  reporter.start();
  const CommandEnd end = run_watched(ask.command, kKeptOutput);
  reporter.end(end);
  return end.code;
}

}  // namespace

void add_wrap_verb(const Program& program) {
  const auto ask = std::make_shared<WrapAsk>();
  Command& command = program.verb("wrap", "run a command and report it as a check-in",
                                  [ask](Session& session) { return wrap(*ask, session); });
  command.option("--checkin", ask->token, "the job's token (default: $BELFRY_CHECKIN)")
      .type("TOKEN");
  command.option("command", ask->command, "what to run, after --").required();
  command.note(
      "Output and exit code are the command's. If the server is away, it runs all the same.");
  command.examples({"belfry wrap --checkin TOKEN -- /usr/local/bin/backup.sh"});
}

}  // namespace belfry::cli

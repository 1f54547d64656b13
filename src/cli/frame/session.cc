#include "cli/frame/session.h"

#include "base/text/visible.h"
#include "cli/files/yaml.h"
#include "cli/text/text.h"
#include "config/data_folder.h"
#include "config/version.h"
#include "net/url.h"

#include <filesystem>
#include <fstream>
#include <istream>
#include <ostream>
#include <system_error>

namespace belfry::cli {
namespace {

ExitCode exit_code_of(Problem::Kind kind) {
  switch (kind) {
    case Problem::Kind::kInvalid: return kUsage;
    case Problem::Kind::kNotFound: return kNotFound;
    case Problem::Kind::kConflict: return kConflict;
    case Problem::Kind::kRefused: return kRefused;
    case Problem::Kind::kUnreachable: return kUnreachable;
    case Problem::Kind::kTimedOut: return kTimedOut;
    case Problem::Kind::kPartial: return kPartial;
    case Problem::Kind::kFailed: break;
  }
  return kDifferent;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

}  // namespace

std::string Session::variable(const char* name) const {
  return terminal_.environment ? terminal_.environment(name) : std::string();
}

// A secret is never a flag, because other users of the machine can see flags.
Answer<std::string> Session::token() const {
  std::string file = globals_.token_file;
  if (file.empty()) {
    if (std::string token = variable("BELFRY_TOKEN"); !token.empty()) return trimmed(token);
    file = variable("BELFRY_TOKEN_FILE");
  }
  if (file.empty()) return std::string();
  std::ifstream in(file);
  if (!in) {
    return fail(Problem(Problem::Kind::kInvalid, "the key in `" + file + "` cannot be read", "",
                        "name a readable file with --token-file, or set BELFRY_TOKEN"));
  }
  using std::filesystem::perms;
  std::error_code none;
  const perms mode = std::filesystem::status(file, none).permissions();
  if (!none && (mode & (perms::group_all | perms::others_all)) != perms::none) {
    warn("others than its owner can read the key in `" + file + "`; run: chmod 600 " + file);
  }
  return trimmed(read_all(in));
}

// A node of one's own that has no keys yet: it has left a token where only its owner can read it.
std::string Session::owner_token(const std::string& server) const {
  const auto url = net::Url::parse(server);
  if (!url || !net::is_loopback(url->host)) return "";
  const auto environment = [this](const char* name) { return variable(name); };
  const std::string folder = variable("BELFRY_DATA_DIR");
  return config::read_owner_token(
      folder.empty() ? config::default_data_folder(environment) : folder, url->port);
}

Answer<client::ClientOptions> Session::client_options() const {
  client::ClientOptions options{.user_agent = config::version_line()};
  const auto choose = [&](std::string& to, const std::string& flag, const char* name) {
    const std::string value = flag.empty() ? variable(name) : flag;
    if (!value.empty()) to = value;
  };
  choose(options.server, globals_.server, "BELFRY_SERVER");
  choose(options.tenant, globals_.tenant, "BELFRY_TENANT");
  choose(options.ca_file, globals_.ca_file, "BELFRY_CA_FILE");
  choose(options.own.certificate, globals_.tls_cert, "BELFRY_CLIENT_CERT");
  choose(options.own.key, globals_.tls_key, "BELFRY_CLIENT_KEY");
  if (options.own.certificate.empty() != options.own.key.empty()) {
    return fail(Problem(Problem::Kind::kInvalid,
                        "a certificate needs its key, and a key needs its "
                        "certificate",
                        "", "give both --tls-cert and --tls-key"));
  }
  BELFRY_TRY(key, token());
  options.token = key.empty() ? owner_token(options.server) : key;
  return options;
}

Answer<client::Client*> Session::client() {
  if (!client_) {
    BELFRY_TRY(options, client_options());
    BELFRY_TRY(made, client::Client::make(std::move(options)));
    client_.emplace(std::move(made));
  }
  return &*client_;
}

bool Session::may_colour() const {
  return !globals_.no_color && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

Look Session::look() const {
  const bool terminal = terminal_.screen.out_is_terminal;
  return {.width = terminal ? terminal_.screen.width : 0, .colour = terminal && may_colour()};
}

Look Session::talk_look() const {
  const bool terminal = terminal_.screen.err_is_terminal;
  return {.width = terminal ? terminal_.screen.width : 0, .colour = terminal && may_colour()};
}

void Session::print(const Json& value) const {
  if (globals_.output == "yaml") {
    out() << to_yaml(value);
  } else {
    out() << visible_json(value.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
  }
}

void Session::say(const std::string& line) const {
  if (!globals_.quiet) terminal_.err << line << '\n';
}

void Session::warn(const std::string& line) const {
  terminal_.err << line << '\n';
}

Answer<bool> Session::confirm(const std::string& question) const {
  if (globals_.yes) return true;
  if (globals_.no_input || !terminal_.screen.in_is_terminal || !terminal_.screen.err_is_terminal) {
    return fail(Problem(Problem::Kind::kInvalid, question + " Nobody is here to answer", "",
                        "use --yes to do it without being asked"));
  }
  terminal_.err << clean(question) << " [y/N] " << std::flush;
  std::string answer;
  std::getline(terminal_.in, answer);
  if (answer == "y" || answer == "Y" || answer == "yes") return true;
  say("nothing was changed");
  return false;
}

int complain(const Problem& problem, const Session& session) {
  const Look look = session.talk_look();
  session.warn(painted("belfry:", Paint::kBad, look) + " " + clean(problem.what));
  for (const std::string& detail : problem.details) session.warn("  - " + clean(detail));
  if (!problem.why.empty() && problem.why != problem.what) {
    session.warn("  " + clean(problem.why));
  }
  if (!problem.fix.empty()) session.warn("  " + clean(problem.fix));
  if (session.globals().verbose && !problem.request_id.empty()) {
    session.warn("  request " + problem.request_id + "  " + problem.type);
  }
  return exit_code_of(problem.kind);
}

}  // namespace belfry::cli

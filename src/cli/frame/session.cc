#include "cli/frame/session.h"

#include "base/text/visible.h"
#include "cli/files/yaml.h"
#include "cli/text/text.h"
#include "cli/text/typed_words.h"
#include "config/data_folder.h"
#include "config/version.h"
#include "net/url.h"

#include <algorithm>
#include <chrono>
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

// Of several servers, the first that answers; if none does, the first.
std::string first_that_answers(const std::vector<std::string>& servers,
                               client::ClientOptions options) {
  options.timeout = std::chrono::seconds(2);
  options.patience = Duration::zero();
  options.token.clear();  // nobody needs a key to say that they are there
  for (const std::string& server : servers) {
    if (servers.size() == 1) break;
    options.server = server;
    auto client = client::Client::make(options);
    if (client && client->get("/healthz")) return server;
  }
  return servers.empty() ? options.server : servers.front();
}

// What a thing is called where a person would type it.
std::string name_of(const Json& item) {
  if (!item.is_object()) return item.is_string() ? item.get<std::string>() : write_json(item);
  for (const char* name :
       {"run_id", "job_name", "name", "key_id", "tenant_id", "bulk_id", "id", "worker"}) {
    if (std::string text = field(item, name); !text.empty()) return text;
  }
  return write_json(item);
}

Json to_json(const Problem& problem, int exit_code) {
  Json error{{"what", problem.what}, {"exit_code", exit_code}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) error[name] = text;
  };
  add("why", problem.why);
  add("fix", problem.fix);
  if (!problem.details.empty()) error["details"] = problem.details;
  add("code", problem.code);
  add("type", problem.type);
  add("request_id", problem.request_id);
  return {{"error", std::move(error)}};
}

Problem as_typed(Problem problem) {
  problem.what = in_typed_words(std::move(problem.what));
  problem.fix = in_typed_words(std::move(problem.fix));
  for (std::string& detail : problem.details) detail = in_typed_words(std::move(detail));
  return problem;
}

}  // namespace

std::string Session::variable(const char* name) const {
  return terminal_.environment ? terminal_.environment(name) : std::string();
}

// A secret is never a flag, because other users of the machine can see flags.
Answer<std::string> Session::token(const std::string& of_context) const {
  std::string file = globals_.token_file.empty() ? of_context : globals_.token_file;
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

// Whoever names a server means that one: the key of a context never goes elsewhere.
Answer<Context> Session::context() const {
  std::string name = globals_.context;
  const bool names_server = !globals_.server.empty() || !variable("BELFRY_SERVER").empty();
  if (name.empty() && names_server) return Context();
  if (name.empty()) name = variable("BELFRY_CONTEXT");
  BELFRY_TRY(contexts, read_contexts(contexts_file(terminal_.environment)));
  if (name.empty()) name = contexts.current;
  if (name.empty()) return Context();
  return find_context(contexts, name);
}

Answer<client::ClientOptions> Session::client_options() const {
  client::ClientOptions options{.user_agent = config::version_line()};
  BELFRY_TRY(known, context());
  const auto choose = [&](std::string& to, const std::string& flag, const char* name,
                          const std::string& of_context) {
    std::string value = flag.empty() ? variable(name) : flag;
    if (value.empty()) value = of_context;
    if (!value.empty()) to = value;
  };
  std::vector<std::string> servers = known.servers;
  if (servers.empty()) {
    choose(options.server, globals_.server, "BELFRY_SERVER", "");
    servers = split_servers(options.server);
  }
  choose(options.tenant, globals_.tenant, "BELFRY_TENANT", known.tenant);
  choose(options.ca_file, globals_.ca_file, "BELFRY_CA_FILE", known.ca_file);
  choose(options.own.certificate, globals_.tls_cert, "BELFRY_CLIENT_CERT", "");
  choose(options.own.key, globals_.tls_key, "BELFRY_CLIENT_KEY", "");
  if (options.own.certificate.empty() != options.own.key.empty()) {
    return fail(Problem(Problem::Kind::kInvalid,
                        "a certificate needs its key, and a key needs its "
                        "certificate",
                        "", "give both --tls-cert and --tls-key"));
  }
  BELFRY_TRY(key, token(known.token_file));
  options.server = first_that_answers(servers, options);
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
  const bool is_limited = terminal && globals_.output != "wide";
  return {.width = is_limited ? terminal_.screen.width : 0, .colour = terminal && may_colour()};
}

Look Session::talk_look() const {
  const bool terminal = terminal_.screen.err_is_terminal;
  return {.width = terminal ? terminal_.screen.width : 0, .colour = terminal && may_colour()};
}

int Session::help_width() const {
  constexpr int kReadable = 100;
  const int width = terminal_.screen.out_is_terminal ? terminal_.screen.width : 0;
  return width > 0 ? std::min(width, kReadable) : kReadable;
}

void Session::print(const Json& value) const {
  const bool is_name = globals_.output == "name";
  const auto line = [&](const Json& item) {
    out() << (is_name ? clean(name_of(item)) : visible_json(write_json(item))) << '\n';
  };
  if (is_name || globals_.output == "jsonl") {
    if (!value.is_array()) return line(value);
    for (const Json& item : value) line(item);
  } else if (globals_.output == "yaml") {
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

int complain(const Problem& original, const Session& session) {
  const Problem problem = as_typed(original);
  if (session.is_json()) {
    const int code = exit_code_of(problem.kind);
    session.warn(visible_json(write_json(to_json(problem, code))));
    return code;
  }
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

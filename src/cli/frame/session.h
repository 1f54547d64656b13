#pragma once

#include "cli/frame/command.h"
#include "cli/frame/exit_code.h"
#include "cli/frame/terminal.h"
#include "cli/text/table.h"
#include "client/client.h"

#include <optional>
#include <string>

namespace belfry::cli {

// The flags every command takes.
struct Globals {
  std::string server;
  std::string token_file;
  std::string tenant;
  std::string ca_file;
  std::string tls_cert;
  std::string tls_key;
  std::string output = "table";  // or json, yaml
  bool quiet = false;
  bool verbose = false;
  bool no_color = false;
  bool yes = false;
  bool no_input = false;
};

// One command being executed: the server it talks to, and how it talks to the person.
class Session {
 public:
  // Both must outlive it.
  Session(const Globals& globals, const Terminal& terminal)
      : globals_(globals), terminal_(terminal) {}

  // Made at the first call; a command that needs no server reads no token.
  Answer<client::Client*> client();
  // What the client is made with: flags, then environment, then defaults.
  Answer<client::ClientOptions> client_options() const;

  std::ostream& out() const { return terminal_.out; }
  std::istream& in() const { return terminal_.in; }
  const Terminal& terminal() const { return terminal_; }
  const Globals& globals() const { return globals_; }
  Instant now() const { return terminal_.clock.wall_now(); }

  bool is_table() const { return globals_.output == "table"; }
  // A person reads the output: relative times, local dates.
  bool is_for_person() const { return terminal_.screen.out_is_terminal; }
  Look look() const;
  Look talk_look() const;

  // A JSON value as data, in the chosen format (JSON if that is a table).
  void print(const Json& value) const;

  // A line of talk, on stderr; silent with --quiet.
  void say(const std::string& line) const;
  // The same even with --quiet, for what must be known.
  void warn(const std::string& line) const;

  // Before something larger is done: true with --yes or a person's consent. If nobody can be asked,
  // it is a problem that names --yes.
  Answer<bool> confirm(const std::string& question) const;

 private:
  bool may_colour() const;
  std::string variable(const char* name) const;
  Answer<std::string> token() const;
  std::string owner_token(const std::string& server) const;

  const Globals& globals_;
  const Terminal& terminal_;
  std::optional<client::Client> client_;
};

// Reports a problem to a person and returns its exit code.
int complain(const Problem& problem, const Session& session);

}  // namespace belfry::cli

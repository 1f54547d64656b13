#pragma once

#include "cli/frame/command.h"
#include "cli/frame/contexts.h"
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
  std::string context;
  std::string token_file;
  std::string tenant;
  std::string ca_file;
  std::string tls_cert;
  std::string tls_key;
  std::string output = "table";  // or wide, json, jsonl, yaml, name
  bool quiet = false;
  bool verbose = false;
  bool no_color = false;
  bool yes = false;
  bool no_input = false;
  bool version = false;
};

// One command being executed: the server it talks to, and how it talks to the person.
class Session {
 public:
  // Both must outlive it.
  Session(const Globals& globals, const Terminal& terminal)
      : globals_(globals), terminal_(terminal) {}

  // Made at the first call; a command that needs no server reads no token.
  Answer<client::Client*> client();
  // What the client is made with: flags, then environment, then the context in use, then defaults.
  // Of several servers it is the first that answers.
  Answer<client::ClientOptions> client_options() const;

  std::ostream& out() const { return terminal_.out; }
  std::istream& in() const { return terminal_.in; }
  const Terminal& terminal() const { return terminal_; }
  const Globals& globals() const { return globals_; }
  Instant now() const { return terminal_.clock.wall_now(); }

  bool is_table() const { return globals_.output == "table" || globals_.output == "wide"; }
  bool is_json() const { return globals_.output == "json" || globals_.output == "jsonl"; }
  // A person reads the output: relative times, local dates.
  bool is_for_person() const { return terminal_.screen.out_is_terminal; }
  Look look() const;
  Look talk_look() const;
  // How many columns a text for people may have.
  int help_width() const;

  // A JSON value as data, in the chosen format (JSON if that is a table). As lines of JSON, or as
  // names, each element of an array has a line.
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
  Answer<std::string> token(const std::string& of_context) const;
  Answer<Context> context() const;
  std::string owner_token(const std::string& server) const;

  const Globals& globals_;
  const Terminal& terminal_;
  std::optional<client::Client> client_;
};

// Reports a problem and returns its exit code: to a person in sentences, to a program that asked
// for JSON as one object. Both go to stderr.
int complain(const Problem& original, const Session& session);

}  // namespace belfry::cli

#include "cli/frame/contexts.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "net/url.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

struct AddAsk {
  std::string name;
  std::string servers;
};

std::string joined(const std::vector<std::string>& servers) {
  std::string text;
  for (const std::string& server : servers) text += (text.empty() ? "" : ", ") + server;
  return text;
}

Answer<int> list_contexts(Session& session) {
  BELFRY_TRY(contexts, read_contexts(contexts_file(session.terminal().environment)));
  Json all = Json::array();
  Table table({{""}, {"NAME", true}, {"SERVERS", true}, {"TENANT", true}, {"KEY", true}});
  for (const auto& [name, context] : contexts.by_name) {
    const bool is_current = name == contexts.current;
    all.push_back({{"name", name},
                   {"current", is_current},
                   {"servers", context.servers},
                   {"tenant", context.tenant},
                   {"token_file", context.token_file}});
    table.row({{is_current ? "*" : ""},
               {name, Paint::kBold},
               {joined(context.servers)},
               {context.tenant},
               {context.token_file, Paint::kDim}});
  }
  if (!session.is_table()) {
    session.print(all);
  } else if (table.is_empty()) {
    session.say("no contexts; for example:  belfry context add prod https://a,https://b");
  } else {
    table.print(session.out(), session.look());
  }
  return int{kOk};
}

// The flags of all commands say the rest: --token-file, --tenant, --ca-file.
Answer<int> add_context(const AddAsk& ask, Session& session) {
  const std::string file = contexts_file(session.terminal().environment);
  BELFRY_TRY(contexts, read_contexts(file));
  const Globals& globals = session.globals();
  Context context{.servers = split_servers(ask.servers),
                  .token_file = globals.token_file,
                  .tenant = globals.tenant,
                  .ca_file = globals.ca_file};
  for (const std::string& server : context.servers) {
    const auto url = net::Url::parse(server);
    if (server.starts_with("unix:") || url) continue;
    return fail(Problem(Problem::Kind::kInvalid, "`" + server + "` is not the address of a server",
                        to_string(url.error()), "write https://HOST:PORT, several with commas"));
  }
  if (context.servers.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "a context needs a server", "",
                        "write https://HOST:PORT, several with commas"));
  }
  contexts.by_name[ask.name] = std::move(context);
  if (contexts.current.empty()) contexts.current = ask.name;
  BELFRY_CHECK(write_contexts(file, contexts));
  session.say(contexts.current == ask.name ? "commands now go to `" + ask.name + "`"
                                           : "use it:  belfry context use " + ask.name);
  return int{kOk};
}

Answer<int> use_context(const std::string& name, Session& session) {
  const std::string file = contexts_file(session.terminal().environment);
  BELFRY_TRY(contexts, read_contexts(file));
  BELFRY_CHECK(find_context(contexts, name));
  contexts.current = name;
  BELFRY_CHECK(write_contexts(file, contexts));
  session.say("commands now go to `" + name + "`");
  return int{kOk};
}

Answer<int> remove_context(const std::string& name, Session& session) {
  const std::string file = contexts_file(session.terminal().environment);
  BELFRY_TRY(contexts, read_contexts(file));
  BELFRY_CHECK(find_context(contexts, name));
  contexts.by_name.erase(name);
  if (contexts.current == name) contexts.current.clear();
  BELFRY_CHECK(write_contexts(file, contexts));
  session.say("removed " + name);
  return int{kOk};
}

void add_named(const Program& program, Command& noun, const char* verb, const char* help,
               Answer<int> (*what)(const std::string&, Session&)) {
  const auto name = std::make_shared<std::string>();
  Command& command = program.verb(noun, verb, help,
                                  [name, what](Session& session) { return what(*name, session); });
  command.option("name", *name, "its name").required().proposes(Proposal::kContext);
  command.examples({command.path() + " prod"});
}

}  // namespace

void add_context_verbs(const Program& program) {
  Command& noun = program.noun("context", "servers by name: ls, add, use, rm");
  Command& listing = program.verb(noun, "ls", "list contexts; * is the one in use", list_contexts);
  listing.alias("list").examples({"belfry context ls"});
  noun.defaults_to(listing);
  const auto ask = std::make_shared<AddAsk>();
  Command& add = program.verb(noun, "add", "name a server, or the nodes of a cluster",
                              [ask](Session& session) { return add_context(*ask, session); });
  add.option("name", ask->name, "its name").required();
  add.option("url", ask->servers,
             "its address; several with commas: the next is tried if one is away")
      .required();
  add.alias("set");
  add.note("Keeps --token-file, --tenant and --ca-file as well, if they are given.");
  add.examples({"belfry context add prod https://a,https://b --token-file ~/.belfry-prod",
                "belfry context add here http://127.0.0.1:7070"});
  add_named(program, noun, "use", "send commands to it from now on", use_context);
  add_named(program, noun, "rm", "forget it", remove_context);
}

}  // namespace belfry::cli

#include "cli/files/source_files.h"
#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr int kMostRotationSteps = 1'000'000;  // each takes some thousand rows

// Never from a flag: those show in lists of processes, and stay in the shell's history.
Answer<std::string> read_value(const std::string& file, const Session& session) {
  BELFRY_TRY(files, read_files({file}, {}, session));
  std::string value = files.empty() ? "" : files.front().text;
  while (value.ends_with('\n') || value.ends_with('\r')) value.pop_back();
  if (!value.empty()) return value;
  return fail(Problem(Problem::Kind::kInvalid, "the secret is empty", "",
                      "write it to stdin, or to the file that --file names"));
}

Answer<int> put_secret(const std::string& name, const std::string& file, Session& session) {
  if (file == "-" && session.terminal().screen.in_is_terminal) {
    session.say("write the secret, then Ctrl-D; it shows as you type");
  }
  BELFRY_TRY(value, read_value(file, session));
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(reply, client->call({.method = "PUT",
                                  .path = client::path_of("secrets", name),
                                  .body = Json{{"value", value}}}));
  if (!session.is_table()) session.print(reply.body);
  session.say("kept " + name + "; jobs name it with --secret " + name);
  return int{kOk};
}

Answer<int> list_secrets(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(secrets, list(*client, "/api/v1/secrets", {}, kAll));
  if (!session.is_table()) {
    session.print(secrets.items);
    return int{kOk};
  }
  Table table({{"NAME", true}, {"CREATED"}, {"CHANGED"}, {"BY", true}});
  for (const Json& secret : secrets.items) {
    table.row({{field(secret, "name"), Paint::kBold},
               {when(session, secret, "created_at")},
               {when(session, secret, "updated_at")},
               {field(secret, "updated_by")}});
  }
  if (table.is_empty()) {
    session.say("no secrets");
  } else {
    table.print(session.out(), session.look());
  }
  return int{kOk};
}

Answer<int> remove_secret(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(client->call({.method = "DELETE", .path = client::path_of("secrets", name)}));
  session.say("removed " + name);
  return int{kOk};
}

struct Rotation {
  std::string key;
  std::int64_t resealed = 0;
};

// One pass over everything.
Answer<Rotation> pass(client::Client& client, bool fresh) {
  Rotation done;
  Json ask{{"new_key", fresh}};
  for (int i = 0; i < kMostRotationSteps; ++i) {
    BELFRY_TRY(step, client.post("/api/v1/secrets:rotate", ask));
    done.key = field(step, "key_id");
    done.resealed += step.value("resealed", std::int64_t{0});
    const std::string next = field(step, "next_cursor");
    if (next.empty()) break;
    ask = {{"cursor", next}};
  }
  return done;
}

// The pass after the last one that found something proves that nothing is left.
Answer<int> rotate_secrets(Session& session) {
  constexpr int kMostPasses = 10;
  BELFRY_TRY(client, session.client());
  Rotation all;
  for (int i = 0; i < kMostPasses; ++i) {
    BELFRY_TRY(done, pass(*client, i == 0));
    all.key = done.key;
    all.resealed += done.resealed;
    if (done.resealed == 0) break;
  }
  if (!session.is_table()) session.print({{"key_id", all.key}, {"resealed", all.resealed}});
  session.say("sealed " + counted(static_cast<std::uint64_t>(all.resealed), "secret") +
              " with the key " + all.key);
  return int{kOk};
}

}  // namespace

void add_secret_verbs(const Program& program) {
  Command& secrets = program.noun("secrets", "secrets that jobs name: put, ls, rm, rotate");
  const auto name = std::make_shared<std::string>();
  const auto file = std::make_shared<std::string>("-");
  Command& put =
      program.verb(secrets, "put", "keep a secret, read from stdin",
                   [name, file](Session& session) { return put_secret(*name, *file, session); });
  put.option("name", *name, "its name; `belfry add --url … --secret NAME` uses it").required();
  put.option("--file", *file, "read it from this file").type("FILE").proposes(Proposal::kFile);
  put.alias("set");
  put.examples({"belfry secrets put billing-hook < secret.txt",
                "belfry secrets put billing-hook --file secret.txt"});
  Command& listing =
      program.verb(secrets, "ls", "list secrets, without their values", list_secrets);
  listing.alias("list").examples({"belfry secrets ls"});
  secrets.defaults_to(listing);
  Command& remove =
      program.verb(secrets, "rm", "remove a secret that no job names",
                   [name](Session& session) { return remove_secret(*name, session); });
  remove.option("name", *name, "its name").required();
  remove.alias("delete").examples({"belfry secrets rm billing-hook"});
  program.verb(secrets, "rotate", "seal all secrets with a new key", rotate_secrets)
      .examples({"belfry secrets rotate"});
}

}  // namespace belfry::cli

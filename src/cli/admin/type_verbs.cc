#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"

#include <memory>
#include <optional>
#include <ostream>

namespace belfry::cli {
namespace {

std::string or_any(const Json& type, const char* name) {
  return type.contains(name) ? field(type, name) : "any";
}

void print_types(const Json& types, const Session& session) {
  Table table({{"TYPE", true},
               {"AT A TIME", false, true},
               {"RATE", false, true},
               {"BURST", false, true},
               {"DEFAULTS", true},
               {"CHANGED"}});
  for (const Json& type : types) {
    std::string defaults;
    for (const auto& [name, value] : type.at("defaults").items()) {
      defaults +=
          (defaults.empty() ? "" : ", ") + name + " " + field(type.at("defaults"), name.c_str());
    }
    table.row({{field(type, "job_type"), Paint::kBold},
               {or_any(type, "max_concurrent")},
               {or_any(type, "rate")},
               {type.contains("burst") ? field(type, "burst") : ""},
               {defaults},
               {when(session, type, "updated_at")}});
  }
  if (table.is_empty()) {
    session.say("no limits and no defaults: each type has what is usual");
  } else {
    table.print(session.out(), session.look());
  }
}

Answer<int> list_types(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(types, list(*client, "/api/v1/types", {}, kAll));
  if (session.is_table()) {
    print_types(types.items, session);
  } else {
    session.print(types.items);
  }
  return int{kOk};
}

struct TypeAsk {
  std::string name;
  std::optional<std::int64_t> max_concurrent;
  std::string rate;
  std::optional<std::int64_t> burst;
  std::optional<std::int64_t> max_attempts;
  std::string timeout;
  std::string start_within;
  std::string misfire_grace;
};

Json to_body(const TypeAsk& ask) {
  Json body = Json::object();
  Json defaults = Json::object();
  const auto number = [](Json& to, const char* name, std::optional<std::int64_t> value) {
    if (value) to[name] = *value;
  };
  const auto text = [](Json& to, const char* name, const std::string& value) {
    if (!value.empty()) to[name] = value;
  };
  number(body, "max_concurrent", ask.max_concurrent);
  text(body, "rate", ask.rate);
  number(body, "burst", ask.burst);
  number(defaults, "max_attempts", ask.max_attempts);
  text(defaults, "timeout", ask.timeout);
  text(defaults, "start_within", ask.start_within);
  text(defaults, "misfire_grace", ask.misfire_grace);
  if (!defaults.empty()) body["defaults"] = std::move(defaults);
  return body;
}

Answer<int> put_type(const TypeAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  const auto reply = client->call(
      {.method = "PUT", .path = client::path_of("types", ask.name), .body = to_body(ask)});
  if (!reply) return fail(with_options(reply.error()));
  if (session.is_table()) {
    print_types(Json::array({reply->body}), session);
  } else {
    session.print(reply->body);
  }
  return int{kOk};
}

Answer<int> remove_type(const std::string& name, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(client->call({.method = "DELETE", .path = client::path_of("types", name)}));
  session.say("type " + clean(name) + " has no limits and no defaults any more");
  return int{kOk};
}

void add_put_type(const Program& program, Command& types) {
  const auto ask = std::make_shared<TypeAsk>();
  Command& put =
      program.verb(types, "put", "say all limits and defaults of a type; what is left out is none",
                   [ask](Session& session) { return put_type(*ask, session); });
  put.option("type", ask->name, "the job type").required().proposes(Proposal::kType);
  put.option("--max-concurrent", ask->max_concurrent, "how many runs at a time, in the cluster")
      .range(1, 1'000'000)
      .type("N");
  put.option("--rate", ask->rate, "how many may start: 100/s, 5/m, 1/h").type("RATE");
  put.option("--burst", ask->burst,
             "how many may start at once after a rest (default: what a second brings)")
      .range(1, 1'000'000)
      .type("N");
  put.option("--max-attempts", ask->max_attempts, "for jobs that do not say")
      .range(1, 1'000)
      .type("N");
  put.option("--timeout", ask->timeout, "likewise").type("DURATION");
  put.option("--start-within", ask->start_within, "likewise").type("DURATION");
  put.option("--misfire-grace", ask->misfire_grace, "likewise").type("DURATION");
  put.examples({"belfry types put mail.send --max-concurrent 5 --rate 100/m",
                "belfry types put report --max-attempts 1 --timeout 2h"});
}

}  // namespace

void add_type_verbs(const Program& program) {
  Command& types = program.noun("types", "limits and defaults by type: list, put, rm");
  Command& listing =
      program.verb(types, "list", "list types that have limits or defaults", list_types);
  listing.alias("ls").examples({"belfry types list"});
  types.defaults_to(listing);
  add_put_type(program, types);
  const auto name = std::make_shared<std::string>();
  Command& remove = program.verb(types, "rm", "take the limits and defaults of a type away",
                                 [name](Session& session) { return remove_type(*name, session); });
  remove.option("type", *name, "the job type").required().proposes(Proposal::kType);
  remove.alias("delete").examples({"belfry types rm mail.send"});
}

}  // namespace belfry::cli

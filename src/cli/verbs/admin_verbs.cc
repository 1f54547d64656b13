#include "cli/frame/lookup.h"
#include "cli/frame/verbs.h"
#include "cli/text/text.h"
#include "cli/text/when.h"
#include "cli/verbs/job_flags.h"

#include <memory>
#include <ostream>

namespace belfry::cli {
namespace {

struct KeyAsk {
  std::string name;
  std::string scope = "operator";
  std::vector<std::string> permissions;
  std::string expires;
  std::string store;
};

// The owner of the store owns the server, even when no key is left that opens it.
Answer<int> create_in_store(const KeyAsk& ask, const Upkeep& upkeep) {
  const bool is_root = ask.scope == "root" || ask.scope == "admin";
  if (!is_root || !ask.expires.empty()) {
    return fail(Problem(Problem::Kind::kInvalid, "--store makes root keys only", "",
                        "use --scope root, and make the others with that key"));
  }
  return upkeep(
      {.task = config::UpkeepOptions::Task::kAdminKey, .store = ask.store, .subject = ask.name});
}

Answer<int> show_new_key(const Json& key, const Session& session) {
  if (!session.is_table()) {
    session.print(key);
    return int{kOk};
  }
  session.say("key " + field(key, "key_id") + " (" + field(key, "scope") +
              "); it is shown only once:");
  session.out() << field(key, "secret") << '\n';
  return int{kOk};
}

Answer<int> create_key(const KeyAsk& ask, const Upkeep& upkeep, Session& session) {
  if (!ask.store.empty()) return create_in_store(ask, upkeep);
  Json body{{"name", ask.name}, {"scope", ask.scope}};
  if (!ask.permissions.empty()) body["permissions"] = ask.permissions;
  if (!ask.expires.empty()) {
    BELFRY_TRY(at, to_instant(ask.expires, "--expires", "", session));
    body["expires_at"] = at;
  }
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(key, client->post("/api/v1/keys", body));
  return show_new_key(key, session);
}

std::string state_of(const Json& key, const Session& session) {
  if (!field(key, "revoked_at").empty()) return "revoked " + when(session, key, "revoked_at");
  if (!field(key, "replaced_at").empty()) {
    return "replaced, until " + when(session, key, "expires_at");
  }
  if (!field(key, "expires_at").empty()) return "expires " + when(session, key, "expires_at");
  return "valid";
}

Answer<int> list_keys(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(keys, client->get("/api/v1/keys"));
  if (!session.is_table()) {
    session.print(keys.at("items"));
    return int{kOk};
  }
  Table table({{"ID", false, true},
               {"NAME", true},
               {"SCOPE"},
               {"TENANT", true},
               {"STATE"},
               {"LAST USED", false, false, 1},
               {"CREATED", false, false, 3},
               {"BY", true, false, 2}});
  for (const Json& key : keys.at("items")) {
    const bool valid = field(key, "revoked_at").empty();
    table.row({{field(key, "key_id")},
               {field(key, "name"), Paint::kBold},
               {field(key, "scope") + (key.at("permissions").empty() ? "" : " +exec")},
               {field(key, "tenant_id")},
               {state_of(key, session), valid ? Paint::kGood : Paint::kDim},
               {when(session, key, "last_used_at")},
               {when(session, key, "created_at")},
               {field(key, "created_by")}});
  }
  if (table.is_empty()) {
    session.say("no keys: the server serves the user who runs it, and asks for none");
  } else {
    table.print(session.out(), session.look());
  }
  return int{kOk};
}

struct RotateAsk {
  std::string id;
  std::string overlap;
};

Answer<int> rotate_key(const RotateAsk& ask, Session& session) {
  Json body = Json::object();
  if (!ask.overlap.empty()) body["overlap"] = ask.overlap;
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(key, client->post(client::path_of("keys", ask.id) + "/rotate", body));
  return show_new_key(key, session);
}

Answer<int> revoke_key(const std::string& id, Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_CHECK(client->call({.method = "DELETE", .path = client::path_of("keys", id)}));
  session.say("revoked " + id + "; within five seconds no node accepts it");
  return int{kOk};
}

void add_keys(const Program& program, const Upkeep& upkeep) {
  Command& keys = program.noun("keys", "API keys: create, list, rotate, revoke");
  const auto ask = std::make_shared<KeyAsk>();
  Command& create =
      program.verb(keys, "create", "make a key; prints its secret, once",
                   [ask, &upkeep](Session& session) { return create_key(*ask, upkeep, session); });
  create.option("name", ask->name, "its name, for people and for the audit").required();
  create.option("--scope", ask->scope, "viewer, operator (default), admin, worker, metrics, root")
      .one_of({"viewer", "operator", "admin", "worker", "metrics", "root"})
      .type("SCOPE");
  create.option("--allow", ask->permissions, "`exec`: make and change jobs that run commands")
      .type("PERMISSION");
  create.option("--expires", ask->expires, "when it expires").type("TIME");
  create
      .option("--store", ask->store,
              "write to the store, without a server; for when no root key is left")
      .type("ADDRESS");
  create.alias("add");
  create.examples({"belfry keys create ci --scope operator",
                   "belfry keys create ops --scope operator --allow exec --expires +90d"});
  Command& listing = program.verb(keys, "list", "list keys, without their secrets", list_keys);
  listing.alias("ls").examples({"belfry keys list"});
  keys.defaults_to(listing);
  const auto rotation = std::make_shared<RotateAsk>();
  Command& rotate =
      program.verb(keys, "rotate", "make a new key in the place of an old one; prints its secret",
                   [rotation](Session& session) { return rotate_key(*rotation, session); });
  rotate.option("id", rotation->id, "its id, from `keys list`").required();
  rotate.option("--overlap", rotation->overlap, "how long the old one stays valid (default 1d)")
      .type("DURATION");
  rotate.examples({"belfry keys rotate 3 --overlap 1h"});
  const auto id = std::make_shared<std::string>();
  Command& revoke = program.verb(keys, "revoke", "revoke a key",
                                 [id](Session& session) { return revoke_key(*id, session); });
  revoke.option("id", *id, "its id, from `keys list`").required();
  revoke.alias("rm").examples({"belfry keys revoke 3"});
}

void print_tenants(const Json& tenants, const Session& session) {
  Table table({{"TENANT", true},
               {"WEIGHT", false, true},
               {"IN FLIGHT", false, true},
               {"JOBS", false, true},
               {"CALLS/S", false, true},
               {"CREATED"}});
  const auto limit = [](const Json& tenant, const char* name) {
    const std::string text = field(tenant, name);
    return text == "0" ? std::string("no limit") : text;
  };
  for (const Json& tenant : tenants) {
    table.row({{field(tenant, "tenant_id"), Paint::kBold},
               {field(tenant, "weight")},
               {limit(tenant, "max_in_flight")},
               {limit(tenant, "max_jobs")},
               {limit(tenant, "max_requests")},
               {when(session, tenant, "created_at")}});
  }
  table.print(session.out(), session.look());
}

Answer<int> show_tenant(const Json& tenant, const Session& session) {
  if (session.is_table()) {
    print_tenants(Json::array({tenant}), session);
  } else {
    session.print(tenant);
  }
  return int{kOk};
}

Answer<int> list_tenants(Session& session) {
  BELFRY_TRY(client, session.client());
  BELFRY_TRY(tenants, list(*client, "/api/v1/tenants", {}, kAll));
  if (session.is_table()) {
    print_tenants(tenants.items, session);
  } else {
    session.print(tenants.items);
  }
  return int{kOk};
}

// What is not given stays as it is, or is the default for a new tenant.
struct TenantAsk {
  std::string name;
  int weight = -1;
  int max_in_flight = -1;
  int max_jobs = -1;
  int max_requests = -1;
};

Answer<int> put_tenant(const TenantAsk& ask, Session& session) {
  BELFRY_TRY(client, session.client());
  const std::string path = client::path_of("tenants", ask.name);
  Json body = Json::object();
  const auto before = client->get(path);
  if (!before && before.error().kind != Problem::Kind::kNotFound) return fail(before.error());
  const auto set = [&](const char* name, int value) {
    if (value >= 0) {
      body[name] = value;
    } else if (before && before->contains(name)) {
      body[name] = before->at(name);
    }
  };
  set("weight", ask.weight);
  set("max_in_flight", ask.max_in_flight);
  set("max_jobs", ask.max_jobs);
  set("max_requests", ask.max_requests);
  BELFRY_TRY(reply, client->call({.method = "PUT", .path = path, .body = body}));
  return show_tenant(reply.body, session);
}

void add_tenants(const Program& program) {
  Command& tenants = program.noun("tenants", "tenants and their limits: list, get, put");
  Command& listing = program.verb(tenants, "list", "list tenants", list_tenants);
  listing.alias("ls").examples({"belfry tenants list"});
  tenants.defaults_to(listing);
  const auto name = std::make_shared<std::string>();
  Command& get =
      program.verb(tenants, "get", "show a tenant", [name](Session& session) -> Answer<int> {
        BELFRY_TRY(client, session.client());
        auto tenant = client->get(client::path_of("tenants", *name));
        if (!tenant && tenant.error().kind == Problem::Kind::kNotFound) {
          tenant.error().what = "there is no tenant `" + *name + "`";
        }
        BELFRY_CHECK(tenant);
        return show_tenant(*tenant, session);
      });
  get.option("name", *name, "its name").required().proposes(Proposal::kTenant);
  get.alias("show").examples({"belfry tenants get acme"});
  const auto ask = std::make_shared<TenantAsk>();
  Command& put = program.verb(tenants, "put", "create or change a tenant",
                              [ask](Session& session) { return put_tenant(*ask, session); });
  put.option("name", ask->name, "its name").required().proposes(Proposal::kTenant);
  put.examples({"belfry tenants put acme --weight 3 --max-jobs 5000"});
  const auto number = [&](const char* flag, int& to, const char* help) {
    put.option(flag, to, help).type("N").range(0, 100'000'000);
  };
  number("--weight", ask->weight, "its share when others want the same worker");
  number("--max-in-flight", ask->max_in_flight,
         "runs worked on at a time; 0: no limit; for a new tenant 10000");
  number("--max-jobs", ask->max_jobs, "how many jobs it may have; 0: no limit");
  number("--max-requests", ask->max_requests, "calls a second; 0: no limit; for a new tenant 1000");
}

}  // namespace

void add_admin_verbs(const Program& program, const Upkeep& upkeep) {
  add_keys(program, upkeep);
  add_tenants(program);
}

}  // namespace belfry::cli

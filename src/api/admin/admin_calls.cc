#include "api/admin/admin_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/paging.h"
#include "base/text/instant_text.h"
#include "base/text/visible.h"
#include "core/id_text.h"
#include "service/access/tenant_defaults.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace belfry::api {
namespace {

Json maybe(const std::optional<Instant>& instant) {
  return instant ? Json(format_instant(*instant)) : Json();
}

// ---- Tenants

Json write_tenant(const store::Tenant& tenant) {
  return {{"tenant_id", tenant.name},
          {"weight", tenant.weight},
          {"max_in_flight", tenant.max_in_flight},
          {"max_jobs", tenant.max_jobs},
          {"max_requests", tenant.max_requests},
          {"created_at", format_instant(tenant.created_at)}};
}

Outcome list_tenants(const Services& services, const Call& call,
                     std::vector<Complaint> complaints) {
  const Page page = read_page(call.request, "tenants", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(tenants, services.store.list_tenants(page.cursor, page.limit));
  Json items = Json::array();
  for (const store::Tenant& tenant : tenants) items.push_back(write_tenant(tenant));
  std::optional<std::string> next;
  if (tenants.size() == page.limit) next = tenants.back().name;
  return page_response(call.request, std::move(items), next, "tenants");
}

// An admin sees its own tenant; another's is answered like one that does not exist.
Outcome get_tenant(const Services& services, const Call& call) {
  const bool own = call.at("tenant") == call.principal.tenant_name;
  if (!own && call.principal.scope != store::Scope::kRoot) {
    return not_found("there is no tenant `" + call.at("tenant") + "`");
  }
  BELFRY_NEED(tenant, services.store.find_tenant(call.at("tenant")));
  return json_response(200, write_tenant(tenant));
}

void check_tenant_name(const std::string& name, std::vector<Complaint>& complaints) {
  const bool fine = !name.empty() && name.size() <= 100 &&
                    name.find_first_not_of(
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789._-") == std::string::npos;
  if (!fine) {
    complaints.push_back(
        {"", "invalid", "a tenant's name has up to 100 letters, digits, dots, dashes and _", ""});
  }
}

Outcome put_tenant(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  store::Tenant tenant = service::usual_tenant(call.at("tenant"));
  check_tenant_name(tenant.name, complaints);
  const auto number = [&](const char* name, std::int32_t& to, std::int64_t least,
                          std::int64_t most) {
    if (const auto value = body.integer(name, least, most)) to = static_cast<std::int32_t>(*value);
  };
  number("weight", tenant.weight, 1, 1'000);
  number("max_in_flight", tenant.max_in_flight, 0, 1'000'000);
  number("max_jobs", tenant.max_jobs, 0, 100'000'000);
  number("max_requests", tenant.max_requests, 0, 1'000'000);
  body.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto before = services.store.find_tenant(tenant.name);
  if (!before && before.error().code != Errc::kNotFound) return before.error();
  if (before) tenant.id = before->id;
  BELFRY_NEED(id, services.store.put_tenant(tenant, call.author()));
  services.keys.forget();
  BELFRY_NEED(now, services.store.find_tenant(id));
  return json_response(before ? 200 : 201, write_tenant(now));
}

// ---- Keys

Json write_key(const Services& services, const store::ApiKey& key) {
  return {{"key_id", std::to_string(key.id.value())},
          {"tenant_id", services.tenants.name_of(key.tenant)},
          {"name", key.name},
          {"scope", core::word_for(key.scope, store::kScopes)},
          {"permissions", key.may_exec ? Json::array({"exec"}) : Json::array()},
          {"created_at", format_instant(key.created_at)},
          {"expires_at", maybe(key.expires_at)},
          {"revoked_at", maybe(key.revoked_at)},
          {"replaced_at", maybe(key.replaced_at)},
          {"last_used_at", maybe(key.last_used_at)},
          {"created_by", key.created_by}};
}

Outcome list_keys(const Services& services, const Call& call) {
  BELFRY_NEED(keys, services.store.list_keys(call.principal.tenant));
  Json items = Json::array();
  for (const store::ApiKey& key : keys) items.push_back(write_key(services, key));
  return json_response(200, {{"items", std::move(items)}, {"next_cursor", nullptr}});
}

// Once there is a key nobody gets in without one, and somebody has to be able to make others.
Problem first_is_root() {
  return {.status = 409,
          .code = "first_key",
          .title = "The first key must be root's",
          .detail =
              "once there is a key, nobody gets in without one; make one with the scope `root` "
              "first, for whoever makes the others"};
}

Problem more_than_own(const Call& call, const std::string& what) {
  return {.status = 403,
          .code = "forbidden",
          .title = "The key does not allow this",
          .detail = call.principal.actor + " cannot give " + what + ", which it does not have"};
}

// Nobody gives more than they have.
std::optional<Problem> check_given(const Call& call, const store::AccessStore::NewKey& wanted) {
  const bool is_root = call.principal.scope == store::Scope::kRoot;
  if (wanted.scope == store::Scope::kRoot && !is_root)
    return more_than_own(call, "the scope `root`");
  if (wanted.may_exec && !call.principal.may_exec) {
    return more_than_own(call, "the permission `exec`");
  }
  return {};
}

void check_key_name(const std::string& name, ObjectReader& body) {
  if (!body.has("name")) return;
  if (name.empty()) body.complain("name", "invalid", "a name is needed");
  if (visible(name) != name) {
    body.complain("name", "invalid",
                  "a name has no control characters, nor any that reorder a line");
  }
}

void read_permissions(ObjectReader& body, store::AccessStore::NewKey& wanted) {
  for (const std::string& permission :
       body.texts("permissions", 10, 100).value_or(std::vector<std::string>())) {
    if (permission == "exec") {
      wanted.may_exec = true;
    } else {
      body.complain("permissions", "invalid",
                    "there is no permission `" + permission + "`, only `exec`");
    }
  }
}

store::AccessStore::NewKey read_new_key(const Services& services, const Call& call,
                                        ObjectReader& body) {
  body.require("name");
  body.require("scope", "viewer, operator, admin, worker, metrics or root");
  store::AccessStore::NewKey wanted{.tenant = call.principal.tenant};
  wanted.name = body.text("name", 200).value_or("");
  check_key_name(wanted.name, body);
  wanted.scope = body.word("scope", store::kScopes).value_or(store::Scope::kViewer);
  read_permissions(body, wanted);
  wanted.expires_at = body.instant("expires_at");
  if (wanted.expires_at && *wanted.expires_at <= services.now()) {
    body.complain("expires_at", "invalid", "this instant has passed already");
  }
  body.refuse_others();
  return wanted;
}

Outcome show_new_key(const Services& services, const store::ApiKey& key,
                     const service::FreshKey& fresh) {
  services.keys.forget();
  Json answer = write_key(services, key);
  answer["secret"] = fresh.secret;
  return json_response(201, answer);
}

Outcome create_key(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  store::AccessStore::NewKey wanted = read_new_key(services, call, body);
  if (!complaints.empty()) return invalid(std::move(complaints));
  if (!call.principal.has_key) {
    // Whoever asks for an admin as the first one means the one who may do everything.
    if (wanted.scope == store::Scope::kAdmin) wanted.scope = store::Scope::kRoot;
    if (wanted.scope != store::Scope::kRoot) return first_is_root();
    wanted.must_be_first = true;
  }
  if (auto problem = check_given(call, wanted)) return *std::move(problem);
  if (wanted.scope == store::Scope::kRoot) wanted.may_exec = true;
  const service::FreshKey fresh = service::draw_key();
  wanted.hash = fresh.hash;
  BELFRY_NEED(key, services.store.put_key(wanted, call.author()));
  return show_new_key(services, key, fresh);
}

std::optional<store::KeyId> read_key_id(const std::string& text) {
  std::uint64_t id = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool number = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() &&
                      id <= static_cast<std::uint64_t>(INT64_MAX);
  return number ? std::optional(store::KeyId(id)) : std::nullopt;
}

// The key that a call names. An admin finds those of root, but may neither take their place nor
// revoke them.
Result<store::ApiKey> find_key(const Services& services, const Call& call) {
  const auto id = read_key_id(call.at("key"));
  BELFRY_TRY(keys, services.store.list_keys(call.principal.tenant));
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const store::ApiKey& key) { return key.id == id; });
  if (found == keys.end()) {
    return fail({.code = Errc::kNotFound, .message = "there is no key `" + call.at("key") + "`"});
  }
  if (found->scope == store::Scope::kRoot && call.principal.scope != store::Scope::kRoot) {
    return fail({.code = Errc::kForbidden, .message = "only root changes root's keys"});
  }
  return *found;
}

Outcome rotate_key(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  constexpr Duration kMostOverlap = std::chrono::days(30);
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  const Duration overlap =
      body.duration("overlap", Duration::zero(), kMostOverlap).value_or(std::chrono::days(1));
  body.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(old, find_key(services, call));
  if (auto problem = check_given(call, {.scope = old.scope, .may_exec = old.may_exec})) {
    return *std::move(problem);
  }
  const service::FreshKey fresh = service::draw_key();
  BELFRY_NEED(key, services.store.replace_key(call.principal.tenant, old.id, fresh.hash, overlap,
                                              call.author()));
  return show_new_key(services, key, fresh);
}

Outcome revoke_key(const Services& services, const Call& call) {
  BELFRY_NEED(key, find_key(services, call));
  BELFRY_NEED(revoked, services.store.revoke_key(call.principal.tenant, key.id, call.author()));
  services.keys.forget();
  return net::Response{.status = 204};
}

// ---- Audit

Outcome list_audit(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const Page page = read_page(call.request, "audit", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  std::optional<std::uint64_t> before;
  if (!page.cursor.empty()) {
    std::uint64_t seq = 0;
    std::from_chars(page.cursor.data(), page.cursor.data() + page.cursor.size(), seq);
    before = seq;
  }
  std::optional<TenantId> tenant;
  if (!call.principal.all_tenants) tenant = call.principal.tenant;
  BELFRY_NEED(rows, services.store.list_audit(tenant, before, page.limit));
  Json items = Json::array();
  for (const auto& row : rows) {
    items.push_back({{"seq", row.seq},
                     {"at", format_instant(row.at)},
                     {"tenant_id", services.tenants.name_of(row.tenant)},
                     {"actor", row.actor},
                     {"action", row.action},
                     {"object", core::shown_object(row.object)},
                     {"detail", parse_json(row.detail).value_or(Json::object())}});
  }
  std::optional<std::string> next;
  if (rows.size() == page.limit) next = std::to_string(rows.back().seq);
  return page_response(call.request, std::move(items), next, "audit");
}

}  // namespace

std::vector<Route> admin_routes() {
  const std::string tenant = "/api/v1/tenants/{tenant}";
  return {
      {"GET", "/api/v1/tenants", Access::kRoot, at_once(list_tenants), {"cursor", "limit"}},
      {"GET", tenant, Access::kAdminister, at_once(get_tenant)},
      {"PUT", tenant, Access::kRoot, at_once(put_tenant)},
      {"GET", "/api/v1/keys", Access::kAdminister, at_once(list_keys)},
      {"POST", "/api/v1/keys", Access::kAdminister, at_once(create_key)},
      {"POST", "/api/v1/keys/{key}/rotate", Access::kAdminister, at_once(rotate_key)},
      {"DELETE", "/api/v1/keys/{key}", Access::kAdminister, at_once(revoke_key)},
      {"GET", "/api/v1/audit", Access::kAdminister, at_once(list_audit), {"cursor", "limit"}},
  };
}

}  // namespace belfry::api

#include "api/admin/admin_calls.h"

#include "api/admin/scope_words.h"
#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/paging.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "service/access/tenant_defaults.h"

#include <charconv>

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

Outcome list_tenants(const Services& services, const Call& call) {
  std::vector<Complaint> complaints;
  const Page page = read_page(call.request, "tenants", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(tenants, services.store.list_tenants(page.cursor, page.limit));
  Json items = Json::array();
  for (const store::Tenant& tenant : tenants) items.push_back(write_tenant(tenant));
  std::optional<std::string> next;
  if (tenants.size() == page.limit) next = tenants.back().name;
  return page_response(call.request, std::move(items), next, "tenants");
}

Outcome get_tenant(const Services& services, const Call& call) {
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

Outcome put_tenant(const Services& services, const Call& call) {
  BELFRY_NEED(json, read_body(call.request));
  std::vector<Complaint> complaints;
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
          {"scope", core::word_for(key.scope, kScopes)},
          {"created_at", format_instant(key.created_at)},
          {"expires_at", maybe(key.expires_at)},
          {"revoked_at", maybe(key.revoked_at)},
          {"created_by", key.created_by}};
}

Outcome list_keys(const Services& services, const Call& call) {
  BELFRY_NEED(keys, services.store.list_keys(call.principal.tenant));
  Json items = Json::array();
  for (const store::ApiKey& key : keys) items.push_back(write_key(services, key));
  return json_response(200, {{"items", std::move(items)}, {"next_cursor", nullptr}});
}

// Once there is a key nobody gets in without one, and only an admin's can make others.
Problem first_is_admin() {
  return {.status = 409,
          .code = "first_key",
          .title = "The first key must be an admin's",
          .detail =
              "once there is a key, only an admin's can make others; make one with the scope "
              "`admin` first"};
}

Outcome create_key(const Services& services, const Call& call) {
  BELFRY_NEED(json, read_body(call.request));
  std::vector<Complaint> complaints;
  ObjectReader body(json, "", complaints);
  body.require("name");
  body.require("scope", "viewer, operator, admin or worker");
  store::AccessStore::NewKey wanted{.tenant = call.principal.tenant};
  wanted.name = body.text("name", 200).value_or("");
  if (body.has("name") && wanted.name.empty()) body.complain("name", "invalid", "a name is needed");
  wanted.scope = body.word("scope", kScopes).value_or(store::Scope::kViewer);
  wanted.expires_at = body.instant("expires_at");
  if (wanted.expires_at && *wanted.expires_at <= services.now()) {
    body.complain("expires_at", "invalid", "this instant has passed already");
  }
  body.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  if (!call.principal.has_key && wanted.scope != store::Scope::kAdmin) return first_is_admin();
  const service::FreshKey fresh = service::draw_key();
  wanted.hash = fresh.hash;
  BELFRY_NEED(key, services.store.put_key(wanted, call.author()));
  services.keys.forget();
  Json answer = write_key(services, key);
  answer["secret"] = fresh.secret;
  return json_response(201, answer);
}

Outcome revoke_key(const Services& services, const Call& call) {
  const std::string& text = call.at("key");
  std::uint64_t id = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool number = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() &&
                      id <= static_cast<std::uint64_t>(INT64_MAX);
  if (!number) return not_found("there is no key `" + text + "`");
  BELFRY_NEED(revoked,
              services.store.revoke_key(call.principal.tenant, store::KeyId(id), call.author()));
  services.keys.forget();
  return net::Response{.status = 204};
}

// ---- Audit

Outcome list_audit(const Services& services, const Call& call) {
  std::vector<Complaint> complaints;
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
      {"GET", "/api/v1/tenants", Access::kAdminister, at_once(list_tenants), {"cursor", "limit"}},
      {"GET", tenant, Access::kAdminister, at_once(get_tenant)},
      {"PUT", tenant, Access::kAdminister, at_once(put_tenant)},
      {"GET", "/api/v1/keys", Access::kAdminister, at_once(list_keys)},
      {"POST", "/api/v1/keys", Access::kAdminister, at_once(create_key)},
      {"DELETE", "/api/v1/keys/{key}", Access::kAdminister, at_once(revoke_key)},
      {"GET", "/api/v1/audit", Access::kAdminister, at_once(list_audit), {"cursor", "limit"}},
  };
}

}  // namespace belfry::api

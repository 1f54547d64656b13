#include "api/admin/type_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/paging.h"
#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/job_type.h"

namespace belfry::api {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;

Json write_defaults(const core::TypeDefaults& defaults) {
  Json json = Json::object();
  const auto add = [&](const char* name, std::optional<Duration> value) {
    if (value) json[name] = format_duration(*value);
  };
  if (defaults.max_attempts) json["max_attempts"] = *defaults.max_attempts;
  add("timeout", defaults.timeout);
  add("start_within", defaults.start_within);
  add("misfire_grace", defaults.misfire_grace);
  return json;
}

// Limits that there are not are left out, so that what was read can be sent back.
Json write_type(const store::JobType& type) {
  Json json{{"job_type", type.name}, {"defaults", write_defaults(type.defaults)}};
  if (type.limits.max_concurrent > 0) json["max_concurrent"] = type.limits.max_concurrent;
  if (type.limits.starts > 0) {
    json["rate"] = core::write_rate(type.limits);
    json["burst"] = type.limits.burst;
  }
  json["updated_at"] = format_instant(type.updated_at);
  json["updated_by"] = type.updated_by;
  return json;
}

void read_limits(ObjectReader& body, core::TypeLimits& limits) {
  if (const auto most = body.integer("max_concurrent", 1, 1'000'000)) {
    limits.max_concurrent = static_cast<std::int32_t>(*most);
  }
  if (const auto rate = body.text("rate", 20)) {
    if (const auto read = core::read_rate(*rate, limits); !read) {
      body.complain("rate", "invalid", read.error().message, read.error().hint);
    }
  }
  const auto burst = body.integer("burst", 1, 1'000'000);
  if (!burst) return;
  if (!body.has("rate")) {
    return body.complain("burst", "invalid", "a burst belongs to a rate", "give a rate, too");
  }
  limits.burst = static_cast<std::int32_t>(*burst);
  const std::int32_t least = core::least_burst(limits);
  if (limits.burst < least) {
    body.complain(
        "burst", "invalid",
        "a burst is at least what a tenth of a second brings, here " + std::to_string(least));
  }
}

void read_defaults(ObjectReader& body, core::TypeDefaults& defaults,
                   std::vector<Complaint>& complaints) {
  const Json* given = body.object("defaults");
  if (given == nullptr) return;
  ObjectReader reader(*given, body.pointer("defaults"), complaints);
  if (const auto attempts = reader.integer("max_attempts", 1, 1'000)) {
    defaults.max_attempts = static_cast<std::int32_t>(*attempts);
  }
  defaults.timeout = reader.duration("timeout", milliseconds(100), days(30));
  defaults.start_within = reader.duration("start_within", seconds(1), days(3'660));
  defaults.misfire_grace = reader.duration("misfire_grace", Duration::zero(), days(3'660));
  reader.refuse_others();
}

Outcome list_types(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const Page page = read_page(call.request, "types", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found, services.store.list_types(call.principal.tenant, page.cursor, page.limit));
  Json items = Json::array();
  for (const store::JobType& type : found) items.push_back(write_type(type));
  std::optional<std::string> next;
  if (found.size() == page.limit) next = found.back().name;
  return page_response(call.request, std::move(items), next, "types");
}

Outcome get_type(const Services& services, const Call& call) {
  BELFRY_NEED(found, services.store.find_type(call.principal.tenant, call.at("type")));
  return json_response(200, write_type(found));
}

Outcome put_type(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  store::JobType type{.tenant = call.principal.tenant, .name = call.at("type")};
  for (const char* name : {"job_type", "updated_at", "updated_by"}) body.any(name);
  read_limits(body, type.limits);
  read_defaults(body, type.defaults, complaints);
  body.refuse_others();
  if (type.name.size() > 200 || type.name.find_first_of(" \r\n\t") != std::string::npos) {
    complaints.push_back({"", "invalid", "a type is one word of up to 200 bytes", ""});
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto before = services.store.find_type(type.tenant, type.name);
  if (!before && before.error().code != Errc::kNotFound) return before.error();
  BELFRY_NEED(now, services.store.put_type(type, call.author()));
  services.type_defaults.forget(type.tenant);
  return json_response(before ? 200 : 201, write_type(now));
}

Outcome delete_type(const Services& services, const Call& call) {
  const TenantId tenant = call.principal.tenant;
  const auto deleted = services.store.delete_type(tenant, call.at("type"), call.author());
  services.type_defaults.forget(tenant);
  if (!deleted) return deleted.error();
  return net::Response{.status = 204};
}

}  // namespace

std::vector<Route> type_routes() {
  const std::string type = "/api/v1/types/{type}";
  return {
      {"GET", "/api/v1/types", Access::kRead, at_once(list_types), {"cursor", "limit"}},
      {"GET", type, Access::kRead, at_once(get_type)},
      {"PUT", type, Access::kAdminister, at_once(put_type)},
      {"DELETE", type, Access::kAdminister, at_once(delete_type)},
  };
}

}  // namespace belfry::api

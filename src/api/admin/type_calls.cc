#include "api/admin/type_calls.h"

#include "api/admin/type_codec.h"
#include "api/frame/context.h"
#include "api/frame/paging.h"

namespace belfry::api {
namespace {

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
  store::JobType type{.tenant = call.principal.tenant, .name = call.at("type")};
  read_type(json, type, complaints);
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

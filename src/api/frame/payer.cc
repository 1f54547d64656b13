#include "api/frame/payer.h"

#include "api/frame/same_machine.h"

namespace belfry::api {

std::string payer_of(TenantId tenant) {
  return "tenant:" + std::to_string(tenant.value());
}

std::string payer_of(const service::Services& services, const net::Request& head) {
  const auto known = services.keys.recall(caller_of(head));
  return known && *known ? payer_of((*known)->tenant) : head.network;
}

}  // namespace belfry::api

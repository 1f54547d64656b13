#pragma once

#include "base/ids.h"
#include "net/http.h"
#include "service/services.h"

#include <string>

// Whose share a call takes of what is scarce: memory for bodies, turns at the work pool, places for
// those who wait. A tenant pays for all its keys; somebody unknown pays by address.
namespace belfry::api {

std::string payer_of(TenantId tenant);

// As far as the key ring remembers; does not wait.
std::string payer_of(const service::Services& services, const net::Request& head);

}  // namespace belfry::api

#pragma once

#include "api/frame/problem.h"
#include "net/http.h"

#include <optional>

namespace belfry::api {

// Where no key is needed, whoever reaches the server owns it; a web page that somebody opens on
// this machine reaches it too. Such a page gives itself away: by a Host that is no name of the
// loopback (a name of its own that it let point here), or by an Origin that is another site's. The
// problem, if it is one.
std::optional<Problem> check_same_machine(const net::Request& request);

}  // namespace belfry::api

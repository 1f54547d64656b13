#pragma once

#include "api/frame/problem.h"
#include "api/frame/session_cookie.h"
#include "net/http.h"
#include "service/access/caller.h"

#include <optional>

namespace belfry::api {

// Where a request comes from, and what it shows for itself.
service::Caller caller_of(const net::Request& request);

// Where no key is needed, whoever reaches the server owns it; a web page that somebody opens on
// this machine reaches it, too. Such a page gives itself away by a Host that is not a name of the
// loopback (it made a name of its own point here), or by the Origin of another site. Returns the
// problem, if there is one.
std::optional<Problem> check_same_machine(const net::Request& request);

}  // namespace belfry::api

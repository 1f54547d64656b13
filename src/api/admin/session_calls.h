#pragma once

#include "api/frame/router.h"
#include "service/access/sign_in_links.h"

#include <memory>
#include <vector>

namespace belfry::api {

// Where a browser goes with the code of a link: behind the `#`, so that neither the server nor
// anything between the two is sent it, or writes it to a log.
std::string sign_in_path(const std::string& code);

// Signing in and out of the web console, by a key or by a link, and who is signed in. Without
// `links` the routes can be listed, not called.
std::vector<Route> session_routes(std::shared_ptr<service::SignInLinks> links);

}  // namespace belfry::api

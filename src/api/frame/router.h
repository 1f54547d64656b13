#pragma once

#include "api/frame/call.h"
#include "api/frame/context.h"
#include "net/server/responder.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::api {

// Answers a call, now or later, once; on a thread of the pool, so it may ask the store.
using Handle = std::function<void(const Context&, Call, const net::Responder&)>;

struct Route {
  std::string method;
  std::string path;  // "/api/v1/jobs/{job}/pause"
  Access access = Access::kRead;
  Handle handle;
  std::vector<std::string> parameters = {};  // all that the query may have
  bool is_instant = false;  // does not wait: answered on the loop, even when all threads are busy
};

// A handler that answers at once.
Handle at_once(Outcome (*handler)(const Services&, const Call&));
// One that answers through the responder, now or later.
Handle deferred(void (*handler)(const Services&, Call, const net::Responder&));

// Finds the route of a request.
class Router {
 public:
  explicit Router(std::vector<Route> routes);

  struct Match {
    const Route* route = nullptr;  // none: no such path, or not with this method
    std::map<std::string, std::string, std::less<>> path;
    std::string allowed;  // the methods this path has; empty: there is no such path
  };
  Match match(const net::Request& request) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
  std::vector<std::vector<std::string>> segments_;  // of each route's path
};

}  // namespace belfry::api

#pragma once

#include "api/frame/call.h"
#include "api/frame/context.h"
#include "net/server/responder.h"

#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belfry::api {

// Answers a call, now or later, once; on a thread of the pool, so it may ask the store.
//
// A call whose query has wrong names is refused before most handlers see it. One that collects gets
// it with what is wrong so far (Call::complaints), adds what else is wrong with the request, and
// refuses it before anything is changed: so a caller is told everything at once.
class Handle {
 public:
  using Function = std::function<void(const Context&, Call, const net::Responder&)>;

  Handle() = default;
  template <std::invocable<const Context&, Call, const net::Responder&> F>
  Handle(F function) : function_(std::move(function)) {}  // NOLINT(google-explicit-constructor)
  static Handle collecting(Function function) {
    Handle handle(std::move(function));
    handle.collects_ = true;
    return handle;
  }

  bool collects() const { return collects_; }
  void operator()(const Context& context, Call call, const net::Responder& responder) const {
    function_(context, std::move(call), responder);
  }

 private:
  Function function_;
  bool collects_ = false;
};

constexpr std::size_t kOrdinaryBody = 1024 * 1024;
constexpr std::size_t kBatchBody = 16 * 1024 * 1024;

struct Route {
  std::string method;
  std::string path;  // "/api/v1/jobs/{job}/pause"
  Access access = Access::kRead;
  Handle handle;
  std::vector<std::string> parameters = {};  // all that the query may have
  bool is_instant = false;  // does not wait: answered on the loop, even when all threads are busy
  bool is_vital = false;    // a run is lost without it: has room of its own
  std::size_t body_bytes = kOrdinaryBody;  // more: 413
};

// A route that takes many things at once.
Route with_batch(Route route);
Route vital(Route route);

// A handler that answers at once; the second kind collects.
Handle at_once(Outcome (*handler)(const Services&, const Call&));
Handle at_once(Outcome (*handler)(const Services&, const Call&, std::vector<Complaint>));
// One that answers through the responder, now or later.
Handle deferred(void (*handler)(const Services&, Call, const net::Responder&));
Handle deferred(void (*handler)(const Services&, Call, std::vector<Complaint>,
                                const net::Responder&));

// Sends what a handler that collects has found, with all that is wrong with the query.
void send_all_wrong(const Call& call, const net::Responder& responder, Outcome outcome);

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

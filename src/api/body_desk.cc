#include "api/body_desk.h"

#include "api/frame/payer.h"
#include "api/frame/problem.h"
#include "api/frame/same_machine.h"
#include "api/frame/troubles.h"

#include <chrono>
#include <utility>

namespace belfry::api {
namespace {

using Room = net::BodyTerms::Room;

// For what needs no key, or leads nowhere.
net::BodyTerms strangers_terms() {
  return {.body_bytes = 64 * 1024, .body_time = std::chrono::seconds(5), .room = Room::kStrangers};
}

net::BodyTerms terms_for(const Route& route, const Principal& principal) {
  return {.body_bytes = route.body_bytes,
          .room = route.is_vital ? Room::kVital : Room::kOrdinary,
          .payer = payer_of(principal.tenant)};
}

net::BodyTerms refused(const Problem& problem, const std::string& request_id) {
  return {.refusal = to_response(problem, request_id)};
}

}  // namespace

void BodyDesk::look_at(const net::Request& head, const std::string& request_id,
                       const Decide& decide) {
  const Route* const route = router_.match(head).route;
  if (route == nullptr || route->access == Access::kPublic) return decide(strangers_terms());
  const auto known = services_.keys.recall(caller_of(head));
  if (known && *known && service::allows((*known)->scope, route->access)) {
    return decide(terms_for(*route, **known));
  }
  const bool taken = pool_.try_submit(
      [this, route, decide, request_id, head] { decide(ask(*route, head, request_id)); },
      {.payer = head.network, .is_vital = route->is_vital});
  if (!taken) decide(refused(busy(), request_id));
}

// Only who is refused goes through admission here: it counts calls, and this is not yet one.
net::BodyTerms BodyDesk::ask(const Route& route, const net::Request& head,
                             const std::string& request_id) const {
  const service::Caller caller = caller_of(head);
  if (const auto wait = services_.admission.slow_down(caller)) {
    return refused(problem_of(*wait), request_id);
  }
  const auto known = services_.keys.identify(caller);
  if (known && service::allows(known->scope, route.access)) return terms_for(route, *known);
  Call call{.request = head, .principal = {}, .request_id = request_id, .path = {}};
  const auto closed = services_.admission.admit(caller, route.access, call.principal);
  if (!closed) return terms_for(route, call.principal);
  const Problem problem = problem_of(*closed);
  on_refused_(route, call, problem);
  return refused(problem.status < 500 ? problem : with_cause(problem, services_.health.report()),
                 request_id);
}

}  // namespace belfry::api

#include "api/events/event_calls.h"

#include "api/events/event_hub.h"
#include "api/frame/context.h"
#include "api/frame/same_machine.h"

namespace belfry::api {
namespace {

void stream_events(const Context& context, const Call& call, const net::Responder& responder) {
  std::optional<store::EventId> after;
  if (const auto given = call.request.headers.find("Last-Event-ID")) {
    after = read_event_id(*given);
    if (!after) {
      Problem problem = invalid(
          {{"Last-Event-ID", "invalid", "`" + std::string(*given) + "` is not the id of an event",
            "send the `id` of an event, or leave the header out"}});
      responder.send(to_response(problem, call.request_id));
      return;
    }
  }
  if (context.events.is_full(call.principal.tenant)) {
    const Error full{.code = Errc::kUnavailable, .message = "the tenant has 2,000 streams already"};
    responder.send(to_response(problem_of(full), call.request_id));
    return;
  }
  const auto start = context.events.find_start(after);
  if (!start) {
    responder.send(to_response(problem_of(start.error()), call.request_id));
    return;
  }
  const net::Stream stream = responder.stream(
      {.headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}}});
  context.events.subscribe(call.principal.tenant, *start, stream);
  context.keys.add({.caller = caller_of(call.request),
                    .access = Access::kRead,
                    .has_left = [stream] { return stream.is_closed(); },
                    .show_out = [stream] { stream.close(); }});
}

}  // namespace

std::vector<Route> event_routes() {
  return {{"GET", "/api/v1/events", Access::kRead, stream_events}};
}

}  // namespace belfry::api

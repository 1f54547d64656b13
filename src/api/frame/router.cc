#include "api/frame/router.h"

#include <algorithm>
#include <utility>

namespace belfry::api {
namespace {

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::string_view segment = path.substr(0, path.find('/'));
    segments.emplace_back(segment);
    path.remove_prefix(segment.size());
  }
  return segments;
}

bool is_variable(const std::string& segment) {
  return segment.starts_with('{');
}

bool fits(const std::vector<std::string>& pattern, const std::vector<std::string>& segments) {
  return std::equal(pattern.begin(), pattern.end(), segments.begin(), segments.end(),
                    [](const std::string& wanted, const std::string& given) {
                      return is_variable(wanted) ? !given.empty() : wanted == given;
                    });
}

}  // namespace

Route with_batch(Route route) {
  route.body_bytes = kBatchBody;
  return route;
}

Route vital(Route route) {
  route.is_vital = true;
  return route;
}

Handle at_once(Outcome (*handler)(const Services&, const Call&)) {
  return [handler](const Context& context, const Call& call, const net::Responder& responder) {
    responder.send(handler(context.services, call).to_response(call.request_id));
  };
}

Handle at_once(Outcome (*handler)(const Services&, const Call&, std::vector<Complaint>)) {
  return Handle::collecting(
      [handler](const Context& context, const Call& call, const net::Responder& responder) {
        send_all_wrong(call, responder, handler(context.services, call, call.complaints));
      });
}

void send_all_wrong(const Call& call, const net::Responder& responder, Outcome outcome) {
  outcome.complain(call.complaints);
  responder.send(std::move(outcome).to_response(call.request_id));
}

Handle deferred(void (*handler)(const Services&, Call, std::vector<Complaint>,
                                const net::Responder&)) {
  return Handle::collecting(
      [handler](const Context& context, Call call, const net::Responder& responder) {
        std::vector<Complaint> complaints = call.complaints;
        handler(context.services, std::move(call), std::move(complaints), responder);
      });
}

Handle deferred(void (*handler)(const Services&, Call, const net::Responder&)) {
  return [handler](const Context& context, Call call, const net::Responder& responder) {
    handler(context.services, std::move(call), responder);
  };
}

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
  for (const Route& route : routes_) segments_.push_back(split(route.path));
}

Router::Match Router::match(const net::Request& request) const {
  Match match;
  const std::string& method = request.method == "HEAD" ? "GET" : request.method;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    if (!fits(segments_[i], request.segments)) continue;
    match.allowed += (match.allowed.empty() ? "" : ", ") + routes_[i].method;
    if (routes_[i].method == "GET") match.allowed += ", HEAD";
    if (routes_[i].method != method || match.route != nullptr) continue;
    match.route = &routes_[i];
    for (std::size_t k = 0; k < segments_[i].size(); ++k) {
      const std::string& name = segments_[i][k];
      if (is_variable(name)) match.path[name.substr(1, name.size() - 2)] = request.segments[k];
    }
  }
  return match;
}

}  // namespace belfry::api

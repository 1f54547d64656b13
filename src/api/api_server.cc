#include "api/api_server.h"

#include "api/admin/admin_calls.h"
#include "api/admin/audit_calls.h"
#include "api/admin/cluster_calls.h"
#include "api/admin/health_calls.h"
#include "api/admin/secret_calls.h"
#include "api/admin/session_calls.h"
#include "api/admin/type_calls.h"
#include "api/alerts/alert_calls.h"
#include "api/alerts/silence_calls.h"
#include "api/bulk/bulk_calls.h"
#include "api/events/event_calls.h"
#include "api/frame/compression.h"
#include "api/frame/payer.h"
#include "api/frame/request_form.h"
#include "api/frame/same_machine.h"
#include "api/frame/session_cookie.h"
#include "api/frame/troubles.h"
#include "api/jobs/batch_calls.h"
#include "api/jobs/job_calls.h"
#include "api/jobs/job_list.h"
#include "api/jobs/registration_calls.h"
#include "api/jobs/revision_calls.h"
#include "api/proof/proof_calls.h"
#include "api/proof/verify_calls.h"
#include "api/runs/explain_calls.h"
#include "api/runs/run_calls.h"
#include "api/schedules/calendar_calls.h"
#include "api/schedules/schedule_calls.h"
#include "api/workers/checkin_calls.h"
#include "api/workers/worker_calls.h"
#include "api/workers/worker_list.h"
#include "base/digest.h"
#include "console/pages.h"

#include <chrono>
#include <exception>
#include <utility>

namespace belfry::api {
namespace {

Problem no_route(const net::Request& request, const std::string& allowed) {
  if (allowed.empty()) return not_found("there is nothing at " + request.path);
  return {.status = 405,
          .code = "method_not_allowed",
          .title = "This path does not support that method",
          .detail = request.method + " is not one of " + allowed,
          .headers = {{"Allow", allowed}}};
}

// Headers of draft-ietf-httpapi-ratelimit-headers; only where there is a limit.
void tell_rate(const Principal& principal, const net::Responder& responder) {
  const std::uint32_t limit = principal.max_requests;
  if (limit == 0) return;
  const service::RateLimiter::Verdict& rate = principal.rate;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(rate.reset).count();
  // A tenant's name cannot contain quotes, so it needs no escaping.
  const std::string name = '"' + principal.tenant_name + '"';
  responder.set_header("RateLimit-Policy", name + ";q=" + std::to_string(limit) + ";w=1");
  responder.set_header(
      "RateLimit", name + ";r=" + std::to_string(rate.remaining) + ";t=" + std::to_string(seconds));
}

net::Response render_error(int status, std::string_view detail) {
  Problem problem{.status = status,
                  .code = status == 413   ? "too_large"
                          : status == 408 ? "too_slow"
                          : status >= 500 ? "unavailable"
                                          : "malformed",
                  .title = net::reason_phrase(status),
                  .detail = std::string(detail)};
  if (status == 503) problem.headers.set("Retry-After", "1");
  return to_response(problem, "");
}

}  // namespace

std::vector<Route> all_routes(Duration retention,
                              const std::shared_ptr<service::SignInLinks>& links) {
  std::vector<Route> routes;
  for (const auto& part : {health_routes(),          job_list_routes(), registration_routes(),
                           batch_routes(),           bulk_routes(),     job_routes(),
                           revision_routes(),        run_routes(),      worker_routes(),
                           checkin_routes(),         schedule_routes(), explain_routes(),
                           cluster_routes(),         event_routes(),    admin_routes(),
                           calendar_routes(),        alert_routes(),    silence_routes(),
                           secret_routes(),          audit_routes(),    session_routes(links),
                           verify_routes(retention), proof_routes(),    type_routes(),
                           worker_list_routes()}) {
    routes.insert(routes.end(), part.begin(), part.end());
  }
  return routes;
}

ApiServer::ApiServer(const ApiOptions& options, const Services& services)
    : events_(services.store, services.clock,
              {.submit =
                   [this](std::function<void()> work) { return pool_.try_submit(std::move(work)); },
               .later =
                   [this](Duration delay, std::function<void()> work) {
                     http_->post_after(delay, std::move(work));
                   }}),
      keys_(services.keys),
      services_(services),
      context_{services, events_, keys_,
               [this](std::function<void()> work) { return pool_.try_submit(std::move(work)); }},
      links_(std::make_shared<service::SignInLinks>(services.clock, options.owner_token)),
      router_(all_routes(options.retention, links_)),
      pool_(options.threads, options.queue),
      desk_(router_, services, pool_,
            [this](const Route& route, const Call& call, const Problem& problem) {
              note_refusal(route, call, problem);
            }),
      id_prefix_(random_token(6)),
      refusals_(services.clock) {}

Result<std::unique_ptr<ApiServer>> ApiServer::start(ApiOptions options, const Services& services) {
  auto server = std::unique_ptr<ApiServer>(new ApiServer(options, services));
  options.http.render_error = render_error;
  ApiServer* self = server.get();
  options.http.on_head = [self](const net::Request& head, const BodyDesk::Decide& decide) {
    self->desk_.look_at(head, self->next_request_id(), decide);
  };
  BELFRY_TRY(http, net::HttpServer::start(std::move(options.http),
                                          [self](net::Request request, net::Responder to) {
                                            self->take(std::move(request), to);
                                          }));
  server->http_ = std::move(http);
  server->ready_ = true;
  server->watch_keys();
  server->follow_early_reports();
  return server;
}

std::optional<std::string> ApiServer::draw_sign_in_path() {
  const auto code = links_->draw({});
  return code ? std::optional(sign_in_path(*code)) : std::nullopt;
}

void ApiServer::stop() {
  if (http_) http_->stop(std::chrono::seconds(5));
  pool_.stop();
}

void ApiServer::work_later(Duration delay, std::function<void()> work) {
  http_->post_after(delay, [this, work = std::move(work)] {
    if (!pool_.try_submit(work)) work_later(std::chrono::milliseconds(100), work);
  });
}

void ApiServer::watch_keys() {
  work_later(service::kBetweenKeyChecks, [this] {
    keys_.check();
    watch_keys();
  });
}

void ApiServer::follow_early_reports() {
  work_later(std::chrono::seconds(1), [this] {
    const auto followed = services_.check_ins.follow_early();
    if (!followed) services_.log.warn("early_reports", {{"reason", to_string(followed.error())}});
    follow_early_reports();
  });
}

std::string ApiServer::next_request_id() {
  return id_prefix_ + "-" + std::to_string(requests_.fetch_add(1) + 1);
}

// On the loop thread: nothing here waits.
void ApiServer::take(net::Request request, const net::Responder& responder) {
  Router::Match match = router_.match(request);
  Call call{.request = std::move(request),
            .principal = {},
            .request_id = next_request_id(),
            .path = std::move(match.path)};
  responder.finish_with(
      [encoding = choose_encoding(call.request.headers.find("Accept-Encoding").value_or(""))](
          net::Response& response) { compress(response, encoding); });
  if (match.route == nullptr) {
    if (match.allowed.empty()) {
      if (auto page = console::answer(call.request))
        return static_cast<void>(responder.send(std::move(*page)));
    }
    responder.send(to_response(no_route(call.request, match.allowed), call.request_id));
    return;
  }
  const std::string id = call.request_id;
  if (!ready_) return static_cast<void>(responder.send(to_response(busy(), id)));
  if (match.route->is_instant) {
    return match.route->handle(context_, std::move(call), responder);
  }
  const net::WorkTurn turn{.payer = payer_of(services_, call.request),
                           .is_vital = match.route->is_vital};
  const bool taken = pool_.try_submit(
      [this, route = match.route, responder, shared = std::make_shared<Call>(std::move(call))] {
        if (responder.is_gone()) return;  // it gave up while it waited
        answer_or_apologise(*route, std::move(*shared), responder);
      },
      turn);
  if (!taken) responder.send(to_response(busy(), id));
}

// Our code throws nothing on purpose, but a mistake in one handler must not end the node.
void ApiServer::answer_or_apologise(const Route& route, Call call,
                                    const net::Responder& responder) {
  const std::string id = call.request_id;
  try {
    answer(route, std::move(call), responder);
  } catch (const std::exception& error) {
    services_.log.error("handler_failed",
                        {{"route", route.path}, {"request", id}, {"reason", error.what()}});
    responder.send(to_response(
        problem_of(Error{.code = Errc::kInternal, .message = "the call could not be answered"}),
        id));
  }
}

// Who asks for what only an admin may do leaves a trace; once a second, so that nobody fills the
// store with it.
void ApiServer::note_refusal(const Route& route, const Call& call, const Problem& problem) {
  const bool is_admins = route.access == Access::kAdminister || route.access == Access::kRoot;
  if (!is_admins || problem.status != 403) return;
  if (!refusals_.take(call.principal.actor, 1).allowed) return;
  const store::AuditStore::Refusal refusal{.tenant = call.principal.tenant,
                                           .call = route.method + " " + call.request.path,
                                           .reason = problem.code};
  const auto noted = services_.store.note_refusal(refusal, call.author());
  if (!noted) services_.log.warn("refusal_not_noted", {{"reason", to_string(noted.error())}});
}

void ApiServer::answer(const Route& route, Call call, const net::Responder& responder) {
  if (route.access != Access::kPublic) {
    const net::Headers& headers = call.request.headers;
    const auto refuse = [&](const Problem& problem) {
      responder.send(to_response(problem, call.request_id));
    };
    const Credentials credentials = credentials_of(call.request);
    const auto closed =
        services_.admission.admit(caller_of(call.request), route.access, call.principal);
    tell_rate(call.principal, responder);
    if (closed) {
      Problem problem = problem_of(*closed);
      note_refusal(route, call, problem);
      // A cookie that is good for nothing any more must not stand in the way of who needs none.
      if (problem.status == 401 && credentials.is_cookie) {
        problem.headers.add("Set-Cookie", forgotten_cookie());
      }
      return refuse(problem.status < 500 ? problem
                                         : with_cause(problem, services_.health.report()));
    }
    if (const auto problem = check_csrf(call.request, credentials)) return refuse(*problem);
    if (!call.principal.has_key) {
      if (const auto problem = check_same_machine(call.request)) return refuse(*problem);
    }
    if (const auto problem = check_form(call.request)) return refuse(*problem);
    call.complaints = wrong_parameters(call.request.query, route.parameters);
    if (!call.complaints.empty() && !route.handle.collects()) {
      return refuse(invalid(call.complaints));
    }
    if (const auto refused =
            services_.admission.choose_tenant(headers.find("Belfry-Tenant"), call.principal)) {
      tell_rate(call.principal, responder);
      return refuse(problem_of(*refused));
    }
    tell_rate(call.principal, responder);
    responder.charge_to(payer_of(call.principal.tenant));
  }
  route.handle(context_, std::move(call), responder);
}

}  // namespace belfry::api

#include "api/admin/session_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/request_form.h"
#include "api/frame/same_machine.h"
#include "api/frame/session_cookie.h"
#include "base/text/instant_text.h"

#include <utility>

namespace belfry::api {
namespace {

Json write_session(const Principal& principal, const Credentials& credentials) {
  return {{"actor", principal.actor},
          {"tenant_id", principal.tenant_name},
          {"scope", core::word_for(principal.scope, store::kScopes)},
          {"permissions", principal.may_exec ? Json::array({"exec"}) : Json::array()},
          {"has_key", principal.has_key},
          {"csrf_token", csrf_token(credentials)}};
}

net::Response answer_with(const Call& call, const Principal& principal,
                          const Credentials& credentials, bool keep) {
  net::Response response = json_response(200, write_session(principal, credentials));
  response.headers.set("Cache-Control", "no-store");
  if (keep) response.headers.add("Set-Cookie", session_cookie(call.request, credentials));
  return response;
}

// A session that is used stays; one that is not ends after half a day.
Outcome get_session(const Services& /*services*/, const Call& call) {
  const Credentials credentials = credentials_of(call.request);
  return answer_with(call, call.principal, credentials, credentials.is_cookie);
}

Outcome sign_in(const Services& /*services*/, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader(json, "", complaints).refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  return answer_with(call, call.principal, credentials_of(call.request), call.principal.has_key);
}

Outcome sign_out(const Services& /*services*/, const Call& /*call*/) {
  return net::Response{.status = 204, .headers = {{"Set-Cookie", forgotten_cookie()}}};
}

// ---- Links: who may call lets a browser in, without typing a key.

Problem link_void() {
  return {.status = 401,
          .code = "link_void",
          .title = "The link does not sign in",
          .detail =
              "the link was used, is older than five minutes, or is another node's; get a new one "
              "with `belfry open`",
          .headers = {{"WWW-Authenticate", "Bearer"}}};
}

Outcome draw_link(service::SignInLinks& links, const Services& services, const Call& call) {
  BELFRY_NEED(json, read_body(call.request));
  std::vector<Complaint> complaints = call.complaints;
  ObjectReader(json, "", complaints).refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto code = links.draw(credentials_of(call.request).authorization);
  if (!code) return link_void();  // only an owner has no key, and an owner has a token
  const Instant until = services.now() + service::SignInLinks::kGoodFor;
  net::Response response =
      json_response(201, {{"path", sign_in_path(*code)}, {"expires_at", format_instant(until)}});
  response.headers.set("Cache-Control", "no-store");
  return response;
}

// The code is all that the caller has to show. Who tries codes that are none gets slower, like one
// who tries keys.
Outcome redeem_link(service::SignInLinks& links, const Services& services, const Call& call) {
  if (const auto problem = check_form(call.request)) return *problem;
  service::Caller caller = caller_of(call.request);
  if (const auto wait = services.admission.slow_down_guess(caller)) return problem_of(*wait);
  BELFRY_NEED(json, read_body(call.request));
  std::vector<Complaint> complaints = wrong_parameters(call.request.query, {});
  ObjectReader body(json, "", complaints);
  const auto code = body.text("code", 200);
  if (!code) body.require("code");
  body.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  const Credentials credentials{.authorization = links.redeem(*code), .is_cookie = true};
  if (!credentials.authorization) {
    services.admission.note_wrong_guess(caller);
    return link_void();
  }
  // What it passes on may be void by now: a key that was revoked, an owner since the first key.
  caller.authorization = credentials.authorization;
  Principal principal;
  if (const auto refusal = services.admission.admit(caller, Access::kRead, principal)) {
    return problem_of(*refusal);
  }
  if (!principal.has_key) {
    if (const auto problem = check_same_machine(call.request)) return *problem;
  }
  return answer_with(call, principal, credentials, true);
}

using LinkCall = Outcome (*)(service::SignInLinks&, const Services&, const Call&);

Handle with_links(std::shared_ptr<service::SignInLinks> links, LinkCall handler) {
  return Handle::collecting([links = std::move(links), handler](const Context& context, Call call,
                                                                const net::Responder& responder) {
    send_all_wrong(call, responder, handler(*links, context.services, call));
  });
}

}  // namespace

std::string sign_in_path(const std::string& code) {
  return "/#sign-in=" + code;
}

std::vector<Route> session_routes(std::shared_ptr<service::SignInLinks> links) {
  return {{"POST", "/api/v1/session/links", Access::kRead, with_links(links, draw_link)},
          {"POST", "/api/v1/session:redeem", Access::kPublic,
           with_links(std::move(links), redeem_link)},
          {"GET", "/api/v1/session", Access::kRead, at_once(get_session)},
          {"POST", "/api/v1/session", Access::kRead, at_once(sign_in)},
          {"DELETE", "/api/v1/session", Access::kRead, at_once(sign_out)}};
}

}  // namespace belfry::api

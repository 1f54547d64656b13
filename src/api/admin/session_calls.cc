#include "api/admin/session_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/session_cookie.h"
#include "service/access/scope_words.h"

namespace belfry::api {
namespace {

Json write_session(const Call& call, const Credentials& credentials) {
  return {{"actor", call.principal.actor},
          {"tenant_id", call.principal.tenant_name},
          {"scope", core::word_for(call.principal.scope, service::kScopes)},
          {"permissions", call.principal.may_exec ? Json::array({"exec"}) : Json::array()},
          {"has_key", call.principal.has_key},
          {"csrf_token", call.principal.has_key ? csrf_token(credentials) : ""}};
}

net::Response answer_with(const Call& call, const Credentials& credentials, bool keep) {
  net::Response response = json_response(200, write_session(call, credentials));
  response.headers.set("Cache-Control", "no-store");
  if (keep) response.headers.add("Set-Cookie", session_cookie(call.request, credentials));
  return response;
}

// A session that is used stays; one that is not ends after half a day.
Outcome get_session(const Services& /*services*/, const Call& call) {
  const Credentials credentials = credentials_of(call.request);
  return answer_with(call, credentials, credentials.is_cookie);
}

Outcome sign_in(const Services& /*services*/, const Call& call) {
  BELFRY_NEED(json, read_body(call.request));
  std::vector<Complaint> complaints;
  ObjectReader(json, "", complaints).refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  return answer_with(call, credentials_of(call.request), call.principal.has_key);
}

Outcome sign_out(const Services& /*services*/, const Call& /*call*/) {
  return net::Response{.status = 204, .headers = {{"Set-Cookie", forgotten_cookie()}}};
}

}  // namespace

std::vector<Route> session_routes() {
  return {{"GET", "/api/v1/session", Access::kRead, at_once(get_session)},
          {"POST", "/api/v1/session", Access::kRead, at_once(sign_in)},
          {"DELETE", "/api/v1/session", Access::kRead, at_once(sign_out)}};
}

}  // namespace belfry::api

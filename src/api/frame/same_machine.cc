#include "api/frame/same_machine.h"

#include "net/url.h"

#include <string>
#include <utility>

namespace belfry::api {
namespace {

Problem not_from_here(std::string detail) {
  return {.status = 403,
          .code = "forbidden",
          .title = "Without a key only this machine is served",
          .detail = std::move(detail) +
                    "; call http://127.0.0.1 or http://localhost, or make a key with `belfry keys "
                    "create NAME --scope root` and send it"};
}

}  // namespace

service::Caller caller_of(const net::Request& request) {
  service::Caller caller{.authorization = credentials_of(request).authorization,
                         .remote = request.remote,
                         .network = request.network,
                         .user = request.user};
  for (const char* name : {"X-Forwarded-For", "Forwarded", "Via"}) {
    if (request.headers.find(name)) caller.is_passed_on = true;
  }
  return caller;
}

std::optional<Problem> check_same_machine(const net::Request& request) {
  const std::string host(request.headers.find("Host").value_or(""));
  const auto asked = net::Url::parse("http://" + host);
  if (!asked || !net::is_loopback(asked->host)) {
    return not_from_here("the header `Host: " + host + "` is not a name of this machine");
  }
  const auto origin = request.headers.find("Origin");
  if (!origin) return {};
  const auto site = net::Url::parse(*origin);
  const auto own = site ? net::Url::parse(site->scheme + "://" + host) : site;
  if (own && own->authority() == site->authority()) return {};
  return not_from_here("the call comes from a page of another site, `" + std::string(*origin) +
                       "`");
}

}  // namespace belfry::api

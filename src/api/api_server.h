#pragma once

#include "api/body_desk.h"
#include "api/events/event_hub.h"
#include "api/frame/context.h"
#include "api/frame/router.h"
#include "base/result.h"
#include "net/server/server.h"
#include "net/server/work_pool.h"
#include "service/access/sign_in_links.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace belfry::api {

struct ApiOptions {
  net::ServerOptions http;
  // For work on the store. Some threads wait for it while others work; more than that only get in
  // each other's way.
  std::size_t threads = std::max(4U, 2 * std::thread::hardware_concurrency());
  std::size_t queue = 2'400;                   // calls that wait for a thread; beyond that: 503
  Duration retention = std::chrono::days(90);  // of history: for what can still be proven
  std::string owner_token;                     // what links pass on that the owner draws
};

// Every route there is, with the access it asks for; the OpenAPI document lists the same. Without
// `links` they can be listed, not called.
std::vector<Route> all_routes(Duration retention = {},
                              const std::shared_ptr<service::SignInLinks>& links = {});

// REST over HTTP: finds the route, checks key, scope and rate, and lets a thread of the pool do the
// rest. The store's connections for it are its own, so that API load never delays a tick.
class ApiServer {
 public:
  static Result<std::unique_ptr<ApiServer>> start(ApiOptions options, const Services& services);
  ~ApiServer() { stop(); }
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  std::uint16_t port() const { return http_->port(); }
  // Reads the certificate again; see HttpServer.
  Status reload_tls() { return http_->reload_tls(); }
  // Call it when the store has events; from any thread.
  void poke_events() { events_.poke(); }
  // Where a browser signs in as the node's owner, once; none: the node has no such owner.
  std::optional<std::string> draw_sign_in_path();

  // Runs `work` on a thread of the pool after `delay`, or a little later if all are busy: it must
  // not get lost. From any thread.
  void work_later(Duration delay, std::function<void()> work);

  // Answers what is in flight, ends long polls and streams. Safe to call twice.
  void stop();

 private:
  ApiServer(const ApiOptions& options, const Services& services);

  void take(net::Request request, const net::Responder& responder);
  void answer_or_apologise(const Route& route, Call call, const net::Responder& responder);
  void answer(const Route& route, Call call, const net::Responder& responder);
  void note_refusal(const Route& route, const Call& call, const Problem& problem);
  std::string next_request_id();

  void watch_keys();
  void follow_early_reports();

  EventHub events_;
  service::KeyWatch keys_;
  const Services& services_;
  const Context context_;
  const std::shared_ptr<service::SignInLinks> links_;
  const Router router_;
  net::WorkPool pool_;
  BodyDesk desk_;
  std::atomic<std::uint64_t> requests_{0};
  const std::string id_prefix_;
  service::RateLimiter refusals_;  // that are noted
  std::unique_ptr<net::HttpServer> http_;
  std::atomic<bool> ready_{false};  // its loop runs before we have it
};

}  // namespace belfry::api

#pragma once

#include "base/clock.h"
#include "base/log/log.h"
#include "base/result.h"
#include "config/serve_options.h"
#include "deliver/topic/broker.h"
#include "deliver/topic/topics.h"
#include "deliver/webhook/address_guard.h"
#include "deliver/webhook/webhooks.h"
#include "engine/dispatch/dispatch.h"
#include "server/couriers/courier_line.h"
#include "store/access.h"
#include "trace/exporter.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace belfry::server {

// Which addresses webhooks may call, and the brokers, as a node was told.
// Loopback is open on the embedded store as long as there are no keys: then all jobs are the
// owner's, and so are the services of the machine.
Result<deliver::AddressGuard> make_guard(const config::ServeOptions& options,
                                         store::AccessStore& keys);
Result<std::vector<deliver::BrokerAddress>> brokers_of(const config::ServeOptions& options);

// What a node delivers itself: webhooks, and messages to its configured brokers. Each has its own
// queue, threads and limits, so that none waits for another.
class Deliveries {
 public:
  struct World {
    engine::Dispatch& dispatch;
    store::AccessStore& keys;
    Incarnation node;
    RegionNo region;
    const Clock& clock;
    std::function<Instant()> now;  // the database's time
    Logger& log;
    deliver::OpenTarget open;  // puts the secrets into a target
    double trace_ratio = 1;
    trace::Exporter* exporter = nullptr;  // none: nothing is traced
  };
  static Result<std::unique_ptr<Deliveries>> start(const config::ServeOptions& options,
                                                   World world);
  ~Deliveries();
  Deliveries(const Deliveries&) = delete;
  Deliveries& operator=(const Deliveries&) = delete;

  // Call it before the engine stops, so that what ends meanwhile is still reported. The object must
  // outlive the engine's threads.
  void stop();

  // Those that it delivers to and that do not answer; and the brokers it has.
  struct Trouble {
    struct Broker {
      std::string name;
      Duration away_for{};
      std::string error;
    };
    std::vector<Broker> brokers;
    std::vector<deliver::CircuitBreaker::Silent> endpoints;
  };
  Trouble trouble() const;
  const std::vector<std::string>& brokers() const { return brokers_; }
  // Whether webhooks could call this URL; see deliver::Webhooks::check.
  void check_url(const net::Url& url, TenantId tenant,
                 std::function<void(Status)> on_answer) const {
    webhooks_->check(url, tenant, std::move(on_answer));
  }

 private:
  explicit Deliveries(World world);
  void add_line(const std::string& worker, deliver::CourierConfig config, trace::Kind kind,
                std::unique_ptr<deliver::Carrier> carrier);
  void add_webhooks(deliver::AddressGuard guard);
  void add_broker(const deliver::BrokerAddress& address);

  const World world_;
  std::vector<std::unique_ptr<CourierLine>> lines_;
  // Of the lines, which own them.
  deliver::Webhooks* webhooks_ = nullptr;
  std::vector<const deliver::Topics*> topics_;
  std::vector<std::string> brokers_;  // in step with the topics
};

}  // namespace belfry::server

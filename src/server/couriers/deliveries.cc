#include "server/couriers/deliveries.h"

#include "core/queue.h"
#include "server/couriers/node_run_source.h"
#include "server/trace/traced_carrier.h"

#include <atomic>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

namespace belfry::server {
namespace {

// A single node on somebody's machine: calling that machine is what it is for.
bool is_embedded(const config::ServeOptions& options) {
  return options.store.starts_with("sqlite:");
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

}  // namespace

Result<deliver::AddressGuard> make_guard(const config::ServeOptions& options,
                                         store::AccessStore& keys) {
  auto allowed = deliver::parse_networks(options.allow_private_webhooks);
  if (!allowed) {
    Error error = allowed.error();
    error.field = "--allow-private-webhooks";
    return fail(std::move(error));
  }
  std::function<bool()> opens_loopback;
  if (is_embedded(options)) {
    // A key was made once and for all, so that is asked no more.
    opens_loopback = [&keys, closed = std::make_shared<std::atomic<bool>>(false)] {
      if (*closed) return false;
      const auto any = keys.any_keys();
      if (any) *closed = *any;
      return any && !*any;
    };
  }
  return deliver::AddressGuard(*std::move(allowed), deliver::own_addresses(),
                               std::move(opens_loopback));
}

Result<std::vector<deliver::BrokerAddress>> brokers_of(const config::ServeOptions& options) {
  std::vector<deliver::BrokerAddress> brokers;
  for (const std::string& broker : words_of(options.broker)) {
    BELFRY_TRY(address, deliver::BrokerAddress::parse(broker));
    brokers.push_back(std::move(address));
  }
  return brokers;
}

namespace {

// Places for eight tenants whose endpoints all hang: fewer tenants cannot take every place.
deliver::CourierConfig webhook_courier() {
  return {.queue = core::http_queue(),
          .most_at_once = 8 * deliver::CircuitBreakerConfig().most_per_tenant};
}

}  // namespace

Result<std::unique_ptr<Deliveries>> Deliveries::start(const config::ServeOptions& options,
                                                      World world) {
  // First everything that can be refused: a line that was started is the engine's until it stops.
  BELFRY_TRY(guard, make_guard(options, world.keys));
  BELFRY_TRY(brokers, brokers_of(options));
  auto deliveries = std::unique_ptr<Deliveries>(new Deliveries(std::move(world)));
  deliveries->add_webhooks(std::move(guard));
  for (const deliver::BrokerAddress& broker : brokers) deliveries->add_broker(broker);
  return deliveries;
}

Deliveries::Deliveries(World world) : world_(std::move(world)) {}

// Each may wait some seconds for its broker, so all wait at once.
Deliveries::~Deliveries() {
  std::vector<std::thread> ends;
  for (auto& line : lines_) ends.emplace_back([&line] { line.reset(); });
  for (std::thread& end : ends) end.join();
}

void Deliveries::add_webhooks(deliver::AddressGuard guard) {
  auto webhooks = std::make_unique<deliver::Webhooks>(deliver::WebhooksConfig{.open = world_.open},
                                                      std::move(guard), world_.clock, world_.now);
  webhooks_ = webhooks.get();
  add_line("webhooks", webhook_courier(), trace::Kind::kClient, std::move(webhooks));
}

void Deliveries::add_broker(const deliver::BrokerAddress& address) {
  auto topics = std::make_unique<deliver::Topics>(
      address.name, deliver::make_broker(address, world_.clock), world_.clock, world_.log);
  topics_.push_back(topics.get());
  brokers_.push_back(address.name);
  add_line("broker " + address.name, {.queue = core::topic_queue(address.name)},
           trace::Kind::kProducer, std::move(topics));
}

void Deliveries::add_line(const std::string& worker, deliver::CourierConfig config,
                          trace::Kind kind, std::unique_ptr<deliver::Carrier> carrier) {
  if (world_.exporter != nullptr) {
    carrier =
        std::make_unique<TracedCarrier>(std::move(carrier), kind, *world_.exporter, world_.now);
  }
  const NodeRunSource::Place place{
      .node = world_.node, .region = world_.region, .trace_ratio = world_.trace_ratio};
  auto source = std::make_unique<NodeRunSource>(world_.dispatch, place, world_.clock, world_.now,
                                                worker, world_.log);
  lines_.push_back(std::make_unique<CourierLine>(std::move(config), std::move(source),
                                                 std::move(carrier), world_.clock, world_.log));
}

Deliveries::Trouble Deliveries::trouble() const {
  const BootInstant now = world_.clock.boot_now();
  Trouble trouble{.endpoints = webhooks_->silent()};
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    const auto absence = topics_[i]->absence();
    if (absence) trouble.brokers.push_back({brokers_[i], now - absence->since, absence->error});
  }
  return trouble;
}

void Deliveries::stop() {
  for (const auto& line : lines_) line->begin_stop();
  for (const auto& line : lines_) line->stop();
}

}  // namespace belfry::server

#include "server/couriers/alert_duty.h"

#include "core/queue.h"
#include "deliver/mail/mails.h"
#include "deliver/topic/topics.h"
#include "server/couriers/deliveries.h"

#include <utility>

namespace belfry::server {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(2);
constexpr Duration kLease = std::chrono::seconds(30);  // of the leader
constexpr Duration kAskEvery = std::chrono::seconds(10);
constexpr Duration kPruneEvery = std::chrono::minutes(10);

// Few mails are in hand, so that other nodes may have the rest; if all of them hang and are of one
// tenant, the last waits for four rounds of 15 seconds.
constexpr std::size_t kMailsInHand = 2 * deliver::Mails::kAtOnce;
constexpr Duration kLongestMail = std::chrono::seconds(75);

}  // namespace

Result<std::unique_ptr<AlertDuty>> AlertDuty::start(const config::ServeOptions& options,
                                                    World world) {
  BELFRY_TRY(guard, make_guard(options, world.store));
  BELFRY_TRY(brokers, brokers_of(options));
  std::optional<deliver::SmtpAddress> smtp;
  if (!options.smtp.empty()) {
    BELFRY_TRY(address, deliver::SmtpAddress::parse(options.smtp));
    smtp = std::move(address);
  }
  auto duty =
      std::unique_ptr<AlertDuty>(new AlertDuty(std::move(world), options.history_retention));
  const World& its = duty->world_;
  duty->add_line(core::http_queue(),
                 std::make_unique<deliver::Webhooks>(deliver::WebhooksConfig{.open = its.open},
                                                     std::move(guard), its.clock, its.now),
                 {});
  if (smtp) {
    duty->add_line("mail", std::make_unique<deliver::Mails>(*std::move(smtp), its.now),
                   {.most_at_once = kMailsInHand, .longest = kLongestMail});
  }
  for (const deliver::BrokerAddress& broker : brokers) {
    duty->add_line(core::topic_queue(broker.name),
                   std::make_unique<deliver::Topics>(
                       broker.name, deliver::make_broker(broker, its.clock), its.clock, its.log),
                   {});
  }
  duty->thread_ = std::thread([raw = duty.get()] { raw->loop(); });
  return duty;
}

AlertDuty::AlertDuty(World world, Duration retention)
    : world_(std::move(world)),
      retention_(retention),
      watch_({world_.store, world_.store, world_.store}, world_.zones),
      notes_(world_.store) {}

void AlertDuty::add_line(std::string queue, std::unique_ptr<deliver::Carrier> carrier,
                         const Pace& pace) {
  auto source = std::make_unique<AlertSource>(world_.store, world_.clock, world_.log, pace.longest);
  sources_.push_back(source.get());
  lines_.push_back(std::make_unique<CourierLine>(
      deliver::CourierConfig{.queue = std::move(queue),
                             .most_at_once = pace.most_at_once,
                             .most_per_ask = pace.most_at_once},
      std::move(source), std::move(carrier), world_.clock, world_.log));
}

AlertDuty::~AlertDuty() {
  stop();
}

void AlertDuty::stop() {
  {
    const MutexLock lock(mutex_);
    if (std::exchange(stopping_, true)) return;
  }
  bell_.notify_all();
  for (const auto& line : lines_) line->begin_stop();
  for (const auto& line : lines_) line->stop();
  if (thread_.joinable()) thread_.join();
}

void AlertDuty::loop() {
  while (true) {
    {
      const MutexLock lock(mutex_);
      if (!stopping_) bell_.wait_for(mutex_, kLookEvery);
      if (stopping_) return;
    }
    tell();
    look();
  }
}

void AlertDuty::tell() {
  const auto told = notes_.run_once(world_.note(), world_.clock.boot_now());
  if (!told) world_.log.warn("note_not_told", {{"reason", to_string(told.error())}});
}

// Any node may look; the lease only keeps all but one from doing so for nothing.
bool AlertDuty::leads() {
  const BootInstant now = world_.clock.boot_now();
  if (asked_at_ != BootInstant::min() && now - asked_at_ < kAskEvery) return leads_;
  asked_at_ = now;
  leads_ = world_.store.lead(world_.node, kLease).has_value();
  return leads_;
}

void AlertDuty::look() {
  if (!leads()) return;
  const auto seen = watch_.run_once();
  if (!seen && seen.error().code != Errc::kConflict) {
    world_.log.warn("alerts_not_looked_at", {{"reason", to_string(seen.error())}});
  }
  if (seen && seen->messages > 0) {
    for (AlertSource* source : sources_) source->poke();
  }
  const BootInstant now = world_.clock.boot_now();
  const bool pruned_lately = pruned_at_ != BootInstant::min() && now - pruned_at_ < kPruneEvery;
  if (!seen || pruned_lately) return;
  pruned_at_ = now;
  const auto pruned = world_.store.prune_alerts(retention_);
  if (!pruned) world_.log.warn("alerts_not_pruned", {{"reason", to_string(pruned.error())}});
}

}  // namespace belfry::server

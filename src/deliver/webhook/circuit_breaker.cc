#include "deliver/webhook/circuit_breaker.h"

#include <algorithm>

namespace belfry::deliver {
namespace {

constexpr std::size_t kManyCircuits = 10'000;

std::string name_of(std::uint64_t tenant) {
  return std::to_string(tenant);
}

}  // namespace

CircuitBreaker::Answer CircuitBreaker::ask(const std::string& host, std::uint64_t tenant,
                                           BootInstant now) {
  const auto circuit = circuits_.find({tenant, host});
  const bool open = circuit != circuits_.end() && circuit->second.pause > Duration::zero();
  if (open && now < circuit->second.open_until) {
    const Duration left = std::max(circuit->second.open_until - now, config_.first_pause);
    return {.say = Say::kOpen, .wait = left, .silent_for = now - circuit->second.silent_since};
  }
  const auto under_way = tenants_.find(tenant);
  if (under_way != tenants_.end() && under_way->second >= config_.most_per_tenant) {
    return {.say = Say::kFull};
  }
  const auto at_host = hosts_.try_emplace(host, config_.most_per_host).first;
  if (!at_host->second.take(name_of(tenant))) return {.say = Say::kFull};
  if (open) {  // a single probe, until it is back or another pause is over
    Circuit& broken = circuit->second;
    broken.pause = std::min(broken.pause * 2, config_.longest_pause);
    broken.open_until = now + broken.pause;
  }
  ++tenants_[tenant];
  return {.say = Say::kGo};
}

void CircuitBreaker::end(const std::string& host, std::uint64_t tenant, Seen seen,
                         BootInstant now) {
  // Counts of zero are removed: the maps must not grow with every host that was ever called.
  const auto at_host = hosts_.find(host);
  if (at_host != hosts_.end()) {
    at_host->second.give_back(name_of(tenant));
    if (at_host->second.used() == 0) hosts_.erase(at_host);
  }
  const auto under_way = tenants_.find(tenant);
  if (under_way != tenants_.end() && --under_way->second == 0) tenants_.erase(under_way);
  if (seen == Seen::kReached) circuits_.erase({tenant, host});
  if (seen == Seen::kFailed) fail(host, tenant, now);
}

std::vector<CircuitBreaker::Silent> CircuitBreaker::silent(BootInstant now) const {
  std::vector<Silent> silent;
  for (const auto& [place, circuit] : circuits_) {
    if (circuit.pause == Duration::zero()) continue;
    silent.push_back({place.second, place.first, now - circuit.silent_since});
  }
  return silent;
}

void CircuitBreaker::fail(const std::string& host, std::uint64_t tenant, BootInstant now) {
  if (circuits_.size() >= kManyCircuits) {
    std::erase_if(circuits_, [&](const auto& each) {
      return std::max(each.second.open_until, each.second.silent_since) + config_.longest_pause <
             now;
    });
  }
  Circuit& circuit = circuits_[{tenant, host}];
  if (circuit.failures++ == 0) circuit.silent_since = now;
  if (circuit.failures < config_.failures_to_open || circuit.pause > Duration::zero()) return;
  circuit.pause = config_.first_pause;
  circuit.open_until = now + circuit.pause;
}

}  // namespace belfry::deliver

#include "deliver/webhook/circuit_breaker.h"

#include <algorithm>

namespace belfry::deliver {
namespace {

constexpr std::size_t kManyCircuits = 10'000;

template <typename Key>
std::size_t count_of(const std::map<Key, std::size_t>& counts, const Key& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

// Counts of zero are removed: the map must not grow with every host that was ever called.
template <typename Key>
void count_down(std::map<Key, std::size_t>& counts, const Key& key) {
  const auto found = counts.find(key);
  if (found != counts.end() && --found->second == 0) counts.erase(found);
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
  if (count_of(hosts_, host) >= config_.most_per_host ||
      count_of(tenants_, tenant) >= config_.most_per_tenant) {
    return {.say = Say::kFull};
  }
  if (open) {  // a single probe, until it is back or another pause is over
    Circuit& broken = circuit->second;
    broken.pause = std::min(broken.pause * 2, config_.longest_pause);
    broken.open_until = now + broken.pause;
  }
  ++hosts_[host];
  ++tenants_[tenant];
  return {.say = Say::kGo};
}

void CircuitBreaker::end(const std::string& host, std::uint64_t tenant, Seen seen,
                         BootInstant now) {
  count_down(hosts_, host);
  count_down(tenants_, tenant);
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

#include "deliver/host_gate.h"

#include <algorithm>

namespace belfry::deliver {

HostGate::Answer HostGate::ask(const std::string& name, std::uint64_t tenant, BootInstant now) {
  Host& host = hosts_[name];
  const bool open = host.pause > Duration::zero();
  if (open && (now < host.open_until || host.under_way > 0)) {
    const Duration left = std::max(host.open_until - now, config_.first_pause);
    return {.say = Say::kOpen, .wait = left, .silent_for = now - host.silent_since};
  }
  std::size_t& of_tenant = tenants_[tenant];
  if (host.under_way >= config_.most_per_host || of_tenant >= config_.most_per_tenant) {
    return {.say = Say::kFull};
  }
  ++host.under_way;
  ++of_tenant;
  return {.say = Say::kGo};
}

void HostGate::end(const std::string& name, std::uint64_t tenant, Seen seen, BootInstant now) {
  const auto found = hosts_.find(name);
  if (found == hosts_.end()) return;
  Host& host = found->second;
  if (host.under_way > 0) --host.under_way;
  if (auto& of_tenant = tenants_[tenant]; of_tenant <= 1) {
    tenants_.erase(tenant);
  } else {
    --of_tenant;
  }
  if (seen == Seen::kReached) {
    host.failures = 0;
    host.pause = {};
  } else if (seen == Seen::kFailed) {
    if (host.failures++ == 0) host.silent_since = now;
    if (host.failures >= config_.failures_to_open && now >= host.open_until) {
      host.pause = host.pause == Duration::zero() ? config_.first_pause
                                                  : std::min(host.pause * 2, config_.longest_pause);
      host.open_until = now + host.pause;
    }
  }
  forget_if_calm(found, now);
}

// The book must not grow with every host that was ever called.
void HostGate::forget_if_calm(std::map<std::string, Host>::iterator host, BootInstant now) {
  const bool calm = host->second.under_way == 0 && host->second.failures == 0;
  if (calm) hosts_.erase(host);
  if (hosts_.size() < 10'000) return;
  std::erase_if(hosts_, [&](const auto& each) {
    return each.second.under_way == 0 && each.second.open_until + config_.longest_pause < now;
  });
}

}  // namespace belfry::deliver

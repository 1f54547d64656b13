#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace belfry::deliver {

struct HostGateConfig {
  std::size_t most_per_host = 32;     // requests at once
  std::size_t most_per_tenant = 256;  // over all hosts
  std::uint32_t failures_to_open = 5;
  Duration first_pause = std::chrono::seconds(1);  // doubled with each failed probe
  Duration longest_pause = std::chrono::seconds(30);
};

// Which host may be called now. A host that does not answer, or too slowly, must not take up the
// deliverer: only so many calls go there at once, and after some failures in a row none at all for
// a while (a circuit breaker), then one to see. Pure: time is handed in. Not thread-safe.
class HostGate {
 public:
  explicit HostGate(HostGateConfig config = {}) : config_(config) {}

  enum class Say : std::uint8_t {
    kGo,    // it counts from now on; end() has to follow
    kFull,  // as many as allowed are under way
    kOpen,  // it failed too often: not before `wait` is over
  };
  struct Answer {
    Say say{};
    Duration wait{};
    Duration silent_for{};  // with kOpen: since when it does not answer
  };
  Answer ask(const std::string& host, std::uint64_t tenant, BootInstant now);

  // `reached`: it answered, whatever it said. Not reached: no connection, no answer in time, or
  // 503. Nothing: the call was broken off by us.
  enum class Seen : std::uint8_t { kReached, kFailed, kNothing };
  void end(const std::string& host, std::uint64_t tenant, Seen seen, BootInstant now);

  std::size_t hosts() const { return hosts_.size(); }

 private:
  struct Host {
    std::size_t under_way = 0;
    std::uint32_t failures = 0;  // in a row
    Duration pause{};            // the breaker is open
    BootInstant open_until = BootInstant::min();
    BootInstant silent_since = BootInstant::min();
  };
  void forget_if_calm(std::map<std::string, Host>::iterator host, BootInstant now);

  const HostGateConfig config_;
  std::map<std::string, Host> hosts_;  // only those under way or in trouble
  std::map<std::uint64_t, std::size_t> tenants_;
};

}  // namespace belfry::deliver

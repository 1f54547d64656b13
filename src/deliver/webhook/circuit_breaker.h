#pragma once

#include "base/fair_share.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace belfry::deliver {

struct CircuitBreakerConfig {
  std::size_t most_per_host = 38;     // requests at once; one tenant alone may have 32 of them
  std::size_t most_per_tenant = 256;  // over all hosts
  std::uint32_t failures_to_open = 5;
  Duration first_pause = std::chrono::seconds(1);  // doubled with each failed probe
  Duration longest_pause = std::chrono::seconds(30);
};

// Which host may be called now. A host that does not answer, or too slowly, must not take up the
// deliverer: the calls there at one time are limited, and after some failures in a row there are
// none for a while (a circuit breaker), then one as a probe. Each tenant has its own breaker: what
// one sees at a host, at a path or with a timeout of its own, says nothing about another's calls.
// Pure: time is handed in. Not thread-safe.
class CircuitBreaker {
 public:
  explicit CircuitBreaker(CircuitBreakerConfig config = {}) : config_(config) {}

  enum class Say : std::uint8_t {
    kGo,    // it counts from now on; end() must follow
    kFull,  // as many as allowed are under way, or as many of this tenant
    kOpen,  // it failed too often: not before `wait` is over
  };
  struct Answer {
    Say say{};
    Duration wait{};
    Duration silent_for{};  // with kOpen: how long it has not answered
  };
  Answer ask(const std::string& host, std::uint64_t tenant, BootInstant now);

  // kReached: it answered, whatever it said. kFailed: no connection, no answer in time, or 503.
  // kNothing: we broke the call off.
  enum class Seen : std::uint8_t { kReached, kFailed, kNothing };
  void end(const std::string& host, std::uint64_t tenant, Seen seen, BootInstant now);

  // Hosts that are not called for a while.
  struct Silent {
    std::string host;
    std::uint64_t tenant = 0;
    Duration silent_for{};
  };
  std::vector<Silent> silent(BootInstant now) const;

  // Hosts that calls are under way to, or that are in trouble.
  std::size_t remembered() const { return hosts_.size() + circuits_.size(); }

 private:
  struct Circuit {               // there is one only if something failed
    std::uint32_t failures = 0;  // in a row
    Duration pause{};            // zero: closed
    BootInstant open_until = BootInstant::min();
    BootInstant silent_since = BootInstant::min();
  };
  void fail(const std::string& host, std::uint64_t tenant, BootInstant now);

  const CircuitBreakerConfig config_;
  std::map<std::string, FairShare> hosts_;        // calls under way
  std::map<std::uint64_t, std::size_t> tenants_;  // likewise, over all hosts
  std::map<std::pair<std::uint64_t, std::string>, Circuit> circuits_;
};

}  // namespace belfry::deliver

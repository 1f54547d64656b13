#pragma once

#include "base/time.h"

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace belfry::store::postgres {

// The servers that a database's address names, for whoever tries them one by one.
//
// libpq would try them by itself. But it ends a try only when the server refuses or the connection
// breaks: its `connect_timeout` counts for calls that block, and ours do not. A server that takes
// connections and says nothing, because it is frozen or cut off, would keep us from the others for
// ever. Thread-safe.
class Hosts {
 public:
  struct Host {
    std::string name;     // each empty where the address does not say: then libpq knows
    std::string address;  // `hostaddr`
    std::string port;
  };

  // A URL, or libpq's key=value pairs. What libpq cannot read counts as one server, and libpq says
  // so when it is tried.
  explicit Hosts(const std::string& address);

  std::size_t size() const { return hosts_.size(); }  // at least one
  const Host& at(std::size_t i) const { return hosts_.at(i); }

  // The one to try first: that which last let somebody in.
  std::size_t first() const { return first_.load(std::memory_order_relaxed); }
  void let_in(std::size_t i) { first_.store(i, std::memory_order_relaxed); }

  // How long a server may take to greet; none: as long as the caller waits.
  std::optional<Duration> patience() const { return patience_; }

 private:
  std::vector<Host> hosts_;
  std::optional<Duration> patience_;
  std::atomic<std::size_t> first_ = 0;
};

}  // namespace belfry::store::postgres

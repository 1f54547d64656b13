#pragma once

#include <string>
#include <string_view>

namespace belfry::server {

// Tells the service manager that started us how we are: systemd's protocol of NOTIFY_SOCKET, a
// datagram with a word in it (sd_notify(3)). Without such a manager, or if it does not listen,
// nothing happens: a node never waits for it.
class ServiceManager {
 public:
  // Takes the variables out of the environment, so that commands we run do not speak for us.
  static ServiceManager from_environment();

  void ready(std::string_view status) const;
  void stopping() const;
  // To be said more often than the unit's WatchdogSec; a node that falls silent is started anew.
  void alive() const;

 private:
  void say(std::string_view words) const;

  std::string socket_;  // a path, or an abstract name after an @; empty: nobody listens
};

}  // namespace belfry::server

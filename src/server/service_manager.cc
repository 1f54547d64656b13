#include "server/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace belfry::server {

ServiceManager ServiceManager::from_environment() {
  ServiceManager manager;
  if (const char* const socket = std::getenv("NOTIFY_SOCKET")) manager.socket_ = socket;
  ::unsetenv("NOTIFY_SOCKET");
  ::unsetenv("WATCHDOG_PID");
  ::unsetenv("WATCHDOG_USEC");
  return manager;
}

void ServiceManager::ready(std::string_view status) const {
  say("READY=1\nSTATUS=" + std::string(status));
}

void ServiceManager::stopping() const {
  say("STOPPING=1");
}

void ServiceManager::alive() const {
  say("WATCHDOG=1");
}

void ServiceManager::say(std::string_view words) const {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_.front() == '@') address.sun_path[0] = '\0';
  const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  ::sendto(descriptor, words.data(), words.size(), MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address), length);
  ::close(descriptor);
}

}  // namespace belfry::server

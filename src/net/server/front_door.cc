#include "net/server/front_door.h"

#include "net/server/listener.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace belfry::net {
namespace {

constexpr int kPauseMillis = 20;  // when there are no descriptors left

bool watch(int events, int descriptor, std::uint32_t what) {
  epoll_event event{};
  event.events = what;
  event.data.fd = descriptor;
  return epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

}  // namespace

Result<std::unique_ptr<FrontDoor>> FrontDoor::open(const HostPort& address,
                                                   std::size_t connections) {
  BELFRY_TRY(listener, open_listener(address));
  return std::unique_ptr<FrontDoor>(new FrontDoor(listener.descriptor, listener.port, connections));
}

FrontDoor::FrontDoor(int listener, std::uint16_t port, std::size_t connections)
    : listener_(listener),
      port_(port),
      events_(epoll_create1(EPOLL_CLOEXEC)),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      places_(connections) {}

FrontDoor::~FrontDoor() {
  stop();
  for (const auto& [watched, network] : guests_) ::close(watched);
  for (const int each : {listener_, events_, bell_}) ::close(each);
}

void FrontDoor::start(Take take) {
  take_ = std::move(take);
  watch(events_, listener_, EPOLLIN);
  watch(events_, bell_, EPOLLIN);
  thread_ = std::thread([this] { loop(); });
}

void FrontDoor::stop() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto rung = ::write(bell_, &one, sizeof one);
  thread_.join();
}

void FrontDoor::loop() {
  std::array<epoll_event, 64> happened{};
  for (;;) {
    const int count = epoll_wait(events_, happened.data(), static_cast<int>(happened.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int descriptor = happened.at(static_cast<std::size_t>(i)).data.fd;
      if (descriptor == bell_) return;
      if (descriptor == listener_) {
        accept_all();
      } else {
        let_go(descriptor);
      }
    }
  }
}

void FrontDoor::accept_all() {
  for (;;) {
    AcceptTrouble trouble{};
    const auto accepted = accept_one(listener_, trouble);
    if (accepted) {
      take_in(accepted->descriptor, accepted->network);
    } else if (trouble != AcceptTrouble::kGaveUp) {
      if (trouble == AcceptTrouble::kExhausted) ::poll(nullptr, 0, kPauseMillis);
      return;
    }
  }
}

void FrontDoor::take_in(int connection, const std::string& network) {
  const bool has_place = places_.take(network);
  const int watched = has_place ? ::fcntl(connection, F_DUPFD_CLOEXEC, 0) : -1;
  // Either side's end shows here: the server shuts a connection down before it closes it.
  if (watched >= 0 && watch(events_, watched, EPOLLRDHUP | EPOLLET)) {
    guests_.emplace(watched, network);
    return take_(connection, listener_);
  }
  if (watched >= 0) ::close(watched);
  if (has_place) places_.give_back(network);
  ::close(connection);
}

void FrontDoor::let_go(int watched) {
  const auto guest = guests_.find(watched);
  if (guest == guests_.end()) return;
  places_.give_back(guest->second);
  guests_.erase(guest);
  ::close(watched);  // epoll forgets it, too
}

}  // namespace belfry::net

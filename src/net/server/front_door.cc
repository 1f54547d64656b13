#include "net/server/front_door.h"

#include "net/server/listener.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace belfry::net {
namespace {

using namespace std::chrono_literals;

constexpr int kPauseMillis = 20;  // when there are no descriptors left
constexpr int kBetweenRoundsMillis = 50;
constexpr Duration kBetweenRounds = std::chrono::milliseconds(kBetweenRoundsMillis);
constexpr std::uint64_t kRoundsOfTrust = 8;  // who has called is asked for bytes less often

// What nobody has to explain: a handshake, headers and what fits into the first window of a
// message, before the caller is let in; and later the questions of balancers.
constexpr std::int64_t kFree = 96 * 1024;
constexpr std::int64_t kFreePerSecond = 2 * 1024;
constexpr std::uint64_t kMostGivenUp = 3'000;
constexpr std::int64_t kMostOpen = 2'000;  // twice the streams that a connection may have
constexpr Duration kGivenUpWithin = 10s;

constexpr Duration kPatience = 60s;  // every wait has a limit
constexpr Duration kSuspectFor = 10s;
constexpr Duration kBetweenSuspects = 1s;
constexpr std::size_t kMostSuspects = 10'000;

bool watch(int events, int descriptor, std::uint32_t what) {
  epoll_event event{};
  event.events = what;
  event.data.fd = descriptor;
  return epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

// What the kernel tells beyond what the library's header knows.
struct TcpInfo {
  tcp_info known{};
  std::uint64_t pacing_rate = 0;
  std::uint64_t most_pacing_rate = 0;
  std::uint64_t bytes_acknowledged = 0;
  std::uint64_t bytes_received = 0;
};
static_assert(offsetof(TcpInfo, bytes_received) == 128);

// How many bytes have come, also those that nobody has read yet.
std::int64_t bytes_of(int connection) {
  TcpInfo info;
  socklen_t size = sizeof info;
  if (::getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return static_cast<std::int64_t>(info.bytes_received);
}

// Both sides write the addresses of IPv6 in their own way: with the name or the number of a link,
// and IPv4 in it or bare.
std::string name_of_peer(const std::string& peer) {
  constexpr std::string_view kMapped = "::ffff:";
  const std::size_t colon = peer.rfind(':');
  if (colon == std::string::npos) return peer;
  std::string host = peer.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  host = host.substr(0, host.find('%'));
  if (host.starts_with(kMapped)) host.erase(0, kMapped.size());
  return host + peer.substr(colon);
}

}  // namespace

Result<std::unique_ptr<FrontDoor>> FrontDoor::open(const HostPort& address, Options options) {
  BELFRY_TRY(listener, open_listener(address));
  return std::unique_ptr<FrontDoor>(
      new FrontDoor(listener.descriptor, listener.port, std::move(options)));
}

FrontDoor::FrontDoor(int listener, std::uint16_t port, Options options)
    : listener_(listener),
      port_(port),
      events_(epoll_create1(EPOLL_CLOEXEC)),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      options_(std::move(options)),
      places_(options_.connections) {}

FrontDoor::~FrontDoor() {
  stop();
  for (const auto& [watched, guest] : guests_) ::close(watched);
  for (const int each : {listener_, events_, bell_}) ::close(each);
}

void FrontDoor::start(Take take) {
  take_ = std::move(take);
  watch(events_, listener_, EPOLLIN);
  watch(events_, bell_, EPOLLIN);
  thread_ = std::thread([this] { loop(); });
  usher_ = std::thread([this] { hand_over(); });
}

void FrontDoor::stop() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto rung = ::write(bell_, &one, sizeof one);
  thread_.join();
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  arrived_.notify_all();
  usher_.join();
}

void FrontDoor::hand_over() {
  for (;;) {
    int connection = -1;
    {
      const MutexLock lock(mutex_);
      while (arrivals_.empty() && !stopping_) {
        arrived_.wait_for(mutex_, kPatience);
      }
      if (arrivals_.empty()) return;
      connection = arrivals_.front();
      arrivals_.pop_front();
    }
    take_(connection, listener_);
  }
}

void FrontDoor::loop() {
  std::array<epoll_event, 64> happened{};
  for (;;) {
    const int count = epoll_wait(events_, happened.data(), static_cast<int>(happened.size()),
                                 guests_.empty() ? -1 : kBetweenRoundsMillis);
    for (int i = 0; i < count; ++i) {
      const int descriptor = happened.at(static_cast<std::size_t>(i)).data.fd;
      if (descriptor == bell_) return;
      if (descriptor == listener_) {
        accept_all();
      } else {
        let_go(descriptor);
      }
    }
    look_round();
  }
}

void FrontDoor::accept_all() {
  for (;;) {
    AcceptTrouble trouble{};
    const auto accepted = accept_one(listener_, trouble);
    if (accepted) {
      take_in(accepted->descriptor, accepted->network, accepted->address);
    } else if (trouble != AcceptTrouble::kGaveUp) {
      if (trouble == AcceptTrouble::kExhausted) ::poll(nullptr, 0, kPauseMillis);
      return;
    }
  }
}

void FrontDoor::take_in(int connection, const std::string& network, const std::string& peer) {
  const bool has_place = !must_wait(network) && places_.take(network);
  const int watched = has_place ? ::fcntl(connection, F_DUPFD_CLOEXEC, 0) : -1;
  // Either side's end shows here: the server shuts a connection down before it closes it.
  if (watched >= 0 && watch(events_, watched, EPOLLRDHUP | EPOLLET)) {
    const BootInstant now = options_.clock.boot_now();
    Guest guest{.network = network,
                .peer = name_of_peer(peer),
                .visit = std::make_shared<Visit>(),
                .since = now,
                .counted_since = now};
    {
      const MutexLock lock(mutex_);
      visits_[guest.peer] = guest.visit;
      arrivals_.push_back(connection);
    }
    guests_.emplace(watched, std::move(guest));
    arrived_.notify_one();
    return;
  }
  if (watched >= 0) ::close(watched);
  if (has_place) places_.give_back(network);
  ::close(connection);
}

void FrontDoor::let_go(int watched) {
  const auto found = guests_.find(watched);
  if (found == guests_.end()) return;
  const Guest guest = std::move(found->second);
  guests_.erase(found);
  // The server may hold the connection for a while. Until it closes it, epoll would go on telling
  // of it, by a number that is another guest's by then.
  ::epoll_ctl(events_, EPOLL_CTL_DEL, watched, nullptr);
  ::close(watched);
  places_.give_back(guest.network);
  const MutexLock lock(mutex_);
  const auto visit = visits_.find(guest.peer);  // another may have come from the same port
  if (visit != visits_.end() && visit->second == guest.visit) visits_.erase(visit);
}

std::shared_ptr<Visit> FrontDoor::visit_of(const std::string& peer) const {
  const std::string name = name_of_peer(peer);
  const MutexLock lock(mutex_);
  const auto found = visits_.find(name);
  return found == visits_.end() ? std::make_shared<Visit>() : found->second;
}

void FrontDoor::look_round() {
  const BootInstant now = options_.clock.boot_now();
  if (now - looked_at_ < kBetweenRounds) return;
  looked_at_ = now;
  const bool with_all = ++rounds_ % kRoundsOfTrust == 0;
  std::vector<std::pair<int, std::string_view>> wrong;
  for (auto& [watched, guest] : guests_) {
    const auto why = wrong_with(watched, guest, now, with_all || !guest.visit->has_called());
    if (!why.empty()) wrong.emplace_back(watched, why);
  }
  for (const auto& [watched, why] : wrong) cut(watched, why);
}

std::string_view FrontDoor::wrong_with(int watched, Guest& guest, BootInstant now,
                                       bool with_bytes) const {
  const Visit& visit = *guest.visit;
  if (visit.open_calls() > kMostOpen) return "calls at once";
  if (visit.given_up() - guest.given_up > kMostGivenUp) return "calls given up";
  if (now - guest.counted_since >= kGivenUpWithin) {
    guest.given_up = visit.given_up();
    guest.counted_since = now;
  }
  if (!with_bytes) return {};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now - guest.since).count();
  const std::int64_t most = kFree + kFreePerSecond * seconds + visit.explained();
  return bytes_of(watched) > most ? "bytes without a call" : std::string_view();
}

void FrontDoor::cut(int watched, std::string_view why) {
  const auto found = guests_.find(watched);
  if (found == guests_.end()) return;
  const BootInstant now = options_.clock.boot_now();
  if (suspects_.size() >= kMostSuspects) suspects_.clear();
  suspects_[found->second.network] = {.until = now + kSuspectFor, .next = now + kBetweenSuspects};
  const std::string peer = found->second.peer;
  // Drops what has come and was not read yet, which a shutdown leaves to be read.
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  if (::connect(watched, &nobody, sizeof nobody) != 0) ::shutdown(watched, SHUT_RDWR);
  let_go(watched);
  options_.on_cut(peer, why);
}

bool FrontDoor::must_wait(const std::string& network) {
  const auto found = suspects_.find(network);
  if (found == suspects_.end()) return false;
  const BootInstant now = options_.clock.boot_now();
  Suspect& suspect = found->second;
  if (now >= suspect.until) {
    suspects_.erase(found);
    return false;
  }
  if (now < suspect.next) return true;
  suspect.next = now + kBetweenSuspects;
  return false;
}

}  // namespace belfry::net

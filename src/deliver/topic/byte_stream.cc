#include "deliver/topic/byte_stream.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace belfry::deliver {
namespace {

constexpr std::size_t kLongestLine = 1 << 20;

Error lost(std::string what) {
  return {.code = Errc::kUnavailable, .message = std::move(what)};
}
Error lost_by(int number) {
  return lost(std::strerror(number));
}

}  // namespace

Status ByteStream::open(const std::string& host, const std::string& port, BootInstant deadline) {
  close();
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int problem = getaddrinfo(host.c_str(), port.c_str(), &wanted, &list);
  if (problem != 0) return fail(lost("`" + host + "`: " + gai_strerror(problem)));
  Status status = fail(lost("`" + host + "` has no address"));
  std::int64_t left = 0;
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) ++left;
  for (const addrinfo* each = list; each != nullptr && !status; each = each->ai_next, --left) {
    close();
    // Each has its share of the time: an address that swallows everything must not use up
    // the others'.
    const BootInstant now = clock_.boot_now();
    const BootInstant share = now + (deadline - now) / left;
    socket_ = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool done = ::connect(socket_, each->ai_addr, each->ai_addrlen) == 0;
    if (!done && errno != EINPROGRESS) {
      status = fail(lost_by(errno));
      continue;
    }
    status = wait(POLLOUT, share);
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
    if (status && error != 0) status = fail(lost_by(error));
  }
  freeaddrinfo(list);
  const int one = 1;
  if (status) ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (status) transport_ = net::make_plain_transport(socket_);
  if (!status) close();
  return status;
}

Status ByteStream::secure(const std::string& host, const std::string& ca_file,
                          const net::TlsFiles& own) {
  // What came in the clear must not be taken for something that came under TLS.
  if (used_ != buffer_.size()) return fail(lost("more was said before TLS than is good"));
  BELFRY_TRY(tls, net::TlsContext::for_client(ca_file, true, own));
  transport_ = tls->connect(socket_, host);
  return {};
}

void ByteStream::close() {
  if (transport_) transport_->finish_writing();
  transport_.reset();
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  buffer_.clear();
  used_ = 0;
}

Status ByteStream::wait(short events, BootInstant deadline) const {
  if (socket_ < 0) return fail(lost("not connected"));
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock_.boot_now());
    pollfd wanted{.fd = socket_, .events = events, .revents = 0};
    const int count =
        ::poll(&wanted, 1, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000)));
    if (count > 0) return {};
    if (count == 0) return fail(lost("no answer in time"));
    if (errno != EINTR) return fail(lost_by(errno));
  }
}

Status ByteStream::go_on(net::IoResult::Next next, BootInstant deadline) const {
  switch (next) {
    case net::IoResult::kGoOn: return {};
    case net::IoResult::kWaitRead: return wait(POLLIN, deadline);
    case net::IoResult::kWaitWrite: return wait(POLLOUT, deadline);
    case net::IoResult::kEnd: return fail(lost("the broker closed the connection"));
    case net::IoResult::kBroken: break;
  }
  const std::string why = transport_->trouble();
  return fail(lost(why.empty() ? "the connection broke" : why));
}

Status ByteStream::send(std::string_view bytes, BootInstant deadline) {
  if (!transport_) return fail(lost("not connected"));
  while (!bytes.empty()) {
    const net::IoResult put = transport_->write(bytes.data(), bytes.size());
    bytes.remove_prefix(put.bytes);
    BELFRY_CHECK(go_on(put.next, deadline));
  }
  return {};
}

Status ByteStream::fill(BootInstant deadline) {
  if (used_ > 0) buffer_.erase(0, used_);
  used_ = 0;
  if (!transport_) return fail(lost("not connected"));
  for (;;) {
    char chunk[16 * 1024];
    const net::IoResult got = transport_->read(chunk, sizeof chunk);
    buffer_.append(chunk, got.bytes);
    if (got.bytes > 0) return {};
    BELFRY_CHECK(go_on(got.next, deadline));
  }
}

Result<std::string> ByteStream::line(BootInstant deadline) {
  for (;;) {
    const auto end = buffer_.find("\r\n", used_);
    if (end != std::string::npos) {
      std::string text = buffer_.substr(used_, end - used_);
      used_ = end + 2;
      return text;
    }
    if (buffer_.size() - used_ > kLongestLine) return fail(lost("a line without an end"));
    BELFRY_CHECK(fill(deadline));
  }
}

Result<std::string> ByteStream::block(std::size_t count, BootInstant deadline) {
  if (count > kLongestLine) return fail(lost("an answer that is too long"));
  while (buffer_.size() - used_ < count + 2) BELFRY_CHECK(fill(deadline));
  std::string text = buffer_.substr(used_, count);
  used_ += count + 2;
  return text;
}

}  // namespace belfry::deliver

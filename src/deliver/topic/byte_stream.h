#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/transport.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::deliver {

// A TCP connection for text protocols: sending and receiving wait until a deadline at most.
// Not thread-safe.
class ByteStream {
 public:
  explicit ByteStream(const Clock& clock) : clock_(clock) {}
  ~ByteStream() { close(); }
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  Status open(const std::string& host, const std::string& port, BootInstant deadline);
  // Speaks TLS from now on, with a server whose certificate bears this name; the handshake comes
  // with the next bytes. What came before must have been read.
  Status secure(const std::string& host, const std::string& ca_file, const net::TlsFiles& own);
  void close();

  Status send(std::string_view bytes, BootInstant deadline);
  // Up to a CR LF, which is not returned.
  Result<std::string> line(BootInstant deadline);
  // This many bytes, and a CR LF after them, which is not returned.
  Result<std::string> block(std::size_t count, BootInstant deadline);

 private:
  Status fill(BootInstant deadline);
  Status wait(short events, BootInstant deadline) const;
  Status go_on(net::IoResult::Next next, BootInstant deadline) const;

  const Clock& clock_;
  int socket_ = -1;
  std::unique_ptr<net::Transport> transport_;
  std::string buffer_;
  std::size_t used_ = 0;
};

}  // namespace belfry::deliver

#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <cstddef>
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
  void close();

  Status send(std::string_view bytes, BootInstant deadline);
  // Up to "\r
  // ", which is not returned.
  Result<std::string> line(BootInstant deadline);
  // This many bytes, and a "\r
  // " after them, which is not returned.
  Result<std::string> block(std::size_t count, BootInstant deadline);

 private:
  Status fill(BootInstant deadline);
  Status wait(short events, BootInstant deadline) const;

  const Clock& clock_;
  int socket_ = -1;
  std::string buffer_;
  std::size_t used_ = 0;
};

}  // namespace belfry::deliver

#pragma once

#include "base/real_clock.h"
#include "base/result.h"
#include "base/time.h"
#include "net/transport.h"
#include "net/url.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::net {

// The bell that ends waits from another thread; private to net.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  void ring() const;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

enum class Trouble { kNone, kTimedOut, kInterrupted, kBroken };

// The client's end of one connection: bytes out, bytes in, each with a deadline. Private to net.
class ClientSocket {
 public:
  // `tls` for https. Tries all addresses of the host until the deadline.
  static Result<std::unique_ptr<ClientSocket>> open(const Url& url, const TlsContext* tls,
                                                    const Interrupt& interrupt,
                                                    BootInstant deadline);
  ~ClientSocket();
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;

  // Nothing arrived and nobody closed since the last answer: fit for another request.
  bool is_quiet() const;

  struct Sent {
    Trouble trouble = Trouble::kNone;
    bool some = false;  // at least one byte has left
  };
  Sent send(std::string_view bytes, BootInstant deadline);

  struct Received {
    Trouble trouble = Trouble::kNone;
    std::size_t bytes = 0;  // 0 without trouble: the end
  };
  // Waits for bytes and appends them.
  Received receive(std::string& to, BootInstant deadline);

  std::string trouble() const { return transport_->trouble(); }

 private:
  ClientSocket(int descriptor, const Interrupt& interrupt)
      : socket_(descriptor), interrupt_(interrupt) {}
  Trouble wait(IoResult::Next next, BootInstant deadline) const;

  const int socket_;
  const Interrupt& interrupt_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace belfry::net

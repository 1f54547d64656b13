#pragma once

#include "base/result.h"
#include "net/tls_files.h"

#include <cstddef>
#include <memory>
#include <string>

// Bytes in and out of a connected socket that never blocks, in the clear or under TLS. Private to
// net; neither knows of a loop, so the server and the blocking client share them.
namespace belfry::net {

struct IoResult {
  enum Next {
    kGoOn,       // `bytes` were moved; there may be more
    kWaitRead,   // nothing moved: wait until the socket is readable
    kWaitWrite,  // nothing moved: wait until it is writable
    kEnd,        // the other side has finished writing (reads only)
    kBroken,     // the connection is lost
  };
  Next next = kGoOn;
  std::size_t bytes = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  virtual IoResult read(char* to, std::size_t size) = 0;
  virtual IoResult write(const char* from, std::size_t size) = 0;
  // Bytes have been taken from the socket but not yet by read(): waiting for the socket would
  // be wrong.
  virtual bool has_unread() const = 0;
  // Says goodbye, as far as that is possible without waiting.
  virtual void finish_writing() = 0;
  // Why it is broken, in words, if more is known; for the client.
  virtual std::string trouble() const { return {}; }
};

// The descriptor stays the caller's.
std::unique_ptr<Transport> make_plain_transport(int descriptor);

// OpenSSL's settings and certificates for one side: TLS 1.2 with forward secrecy and AEAD ciphers,
// or 1.3. Thread-safe once made; what was made from it stays as it is when it is gone.
class TlsContext {
 public:
  // With `client_ca`, only who has a certificate of these authorities gets through the handshake.
  static Result<std::shared_ptr<TlsContext>> for_server(const TlsFiles& files);
  // `ca_file` empty: the system's authorities. `own` is shown to servers that ask; none if empty.
  static Result<std::shared_ptr<TlsContext>> for_client(const std::string& ca_file, bool verify,
                                                        const TlsFiles& own = {});
  ~TlsContext();

  // The handshake happens with the first read or write.
  std::unique_ptr<Transport> accept(int descriptor) const;
  std::unique_ptr<Transport> connect(int descriptor, const std::string& host) const;

 private:
  struct Impl;
  explicit TlsContext(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace belfry::net

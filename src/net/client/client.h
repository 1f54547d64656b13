#pragma once

#include "base/result.h"
#include "base/time.h"
#include "net/http.h"
#include "net/tls_files.h"
#include "net/url.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::net {

struct ClientOptions {
  std::string ca_file;  // PEM; empty: the system's authorities
  TlsFiles own;         // shown to servers that ask for a certificate; empty: none
  bool verify = true;   // false takes any certificate: for tests and first steps only
  std::string user_agent = "belfry";
  std::size_t body_bytes = 64 * 1024 * 1024;  // a longer answer is an error
};

// What to ask. Host, Content-Length and Connection are added by the client.
struct Call {
  std::string method = "GET";
  Url url;
  Headers headers;
  std::string body;
};

// A blocking HTTP client with one connection, kept alive for the next call to the same server. One
// thread at a time; only interrupt() may come from another. Costs nothing until the first call, and
// knows of TLS only for https.
//
// An answer of any status is a Response. The errors tell what a caller can do:
//   kInvalid         the URL, a header or the CA file; the same call will fail again
//   kUnavailable     not reached (refused, unknown host, bad certificate, no connection in time, or
//                    interrupted before sending): nothing was sent, so nothing was changed
//   kUnknownOutcome  sent, but the answer did not come in time or the connection broke
//   kInternal        the answer was not HTTP, or did not end
class HttpClient {
 public:
  explicit HttpClient(ClientOptions options = {});
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;

  // `timeout` covers the whole call except resolving the name, which the system bounds. A call that
  // finds its kept connection closed is repeated on a new one if the server certainly saw nothing,
  // or if the method may be repeated (GET, HEAD, PUT, DELETE).
  Result<Response> request(const Call& call, Duration timeout);

  // Reads an answer line by line as it arrives (SSE, NDJSON), without the line ends; `on_line`
  // returns false to stop. `silence` bounds connecting and each wait for more bytes. An answer that
  // is not 2xx is read whole and returned, and on_line is never called; otherwise the returned body
  // is empty. That the answer ends is not an error. Leaves no connection open.
  Result<Response> stream(const Call& call, Duration silence,
                          const std::function<bool(std::string_view line)>& on_line);

  // From any thread: the call under way, and every later one, ends at once with an error. For a
  // worker that is told to stop in the middle of a long poll.
  void interrupt();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace belfry::net

#pragma once

#include "base/time.h"
#include "deliver/webhook/ip_address.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace belfry::deliver {

struct HttpCall {
  std::string method;
  std::string url;
  std::string host;  // as in the URL
  std::uint16_t port = 0;
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
  std::vector<IpAddress> addresses;  // of the host, already resolved
  // Called with the address that is really dialled, whatever the URL or a resolver said.
  std::function<bool(const IpAddress&)> may_dial;
  Duration timeout{};
};

// Why no answer came, or why it was not taken.
enum class HttpTrouble : std::uint8_t {
  kNone,
  kAddress,  // it led to an address that may not be dialled
  kConnect,
  kTls,
  kTimeout,
  kBroken,    // the connection ended too early
  kProtocol,  // the answer was not HTTP
  kTooLarge,
  kTooManyHeaders,
};

struct HttpAnswer {
  HttpTrouble trouble = HttpTrouble::kNone;
  std::string detail;
  int status = 0;
  std::string body;
  Duration retry_after{};
  bool asynchronous = false;  // said "Belfry-Async: true"
};

struct HttpLimits {
  std::size_t body = 64 * 1024;
  std::size_t headers = 200;
  std::size_t header_bytes = 64 * 1024;
  Duration connect = std::chrono::seconds(10);
};

// Many HTTP calls at once on one thread. Does not follow redirects, use proxies from the
// environment, or unpack bodies. Thread-safe.
class HttpCaller {
 public:
  using CallId = std::uint64_t;
  using OnAnswer = std::function<void(HttpAnswer)>;

  explicit HttpCaller(HttpLimits limits = {});
  ~HttpCaller();  // drops what is under way
  HttpCaller(const HttpCaller&) = delete;
  HttpCaller& operator=(const HttpCaller&) = delete;

  // Answered once, from the caller's own thread, unless it is dropped before.
  CallId start(HttpCall call, OnAnswer on_answer);
  void drop(CallId call);

  // Called from the same thread whenever something happens, and a few times a second if nothing
  // does: for those with deadlines. Set it first.
  void on_tick(std::function<void()> tick);

 private:
  class Engine;
  const std::unique_ptr<Engine> engine_;
};

}  // namespace belfry::deliver

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "net/http.h"
#include "net/server/responder.h"
#include "net/tls_files.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::net {

// What one client, or all of them, may use, and what happens beyond it.
struct ServerLimits {
  std::size_t header_bytes = 16 * 1024;       // more: 431
  std::size_t body_bytes = 16 * 1024 * 1024;  // more: 413
  // In all unfinished requests, shared fairly among payers; more: 503. By BodyTerms::Room.
  std::size_t all_bodies_bytes = 160 * 1024 * 1024;
  std::size_t vital_bodies_bytes = 64 * 1024 * 1024;
  std::size_t stranger_bodies_bytes = 16 * 1024 * 1024;
  Duration header_time = std::chrono::seconds(10);  // longer: 408
  Duration read_time = std::chrono::seconds(30);    // for a whole request; longer: 408
  Duration write_time = std::chrono::seconds(30);   // without any progress; longer: closed
  Duration idle_time = std::chrono::seconds(75);    // between requests; longer: closed
  std::size_t connections = 12'000;      // more, or an address has its share: 503 and closed
  std::size_t parked = 12'000;           // long polls and streams together; shared among payers
  std::size_t stream_bytes = 64 * 1024;  // waiting in one stream; more: dropped
};

// What becomes of a request of which only the header is there.
struct BodyTerms {
  // Bodies of one room take no memory from another's.
  enum class Room : std::uint8_t { kOrdinary, kVital, kStrangers };

  std::size_t body_bytes = 16 * 1024 * 1024;      // more: 413
  Duration body_time = std::chrono::seconds(30);  // for the rest of it; longer: 408
  Room room = Room::kOrdinary;
  std::string payer;                // whose share of the room it takes; empty: the address's
  std::optional<Response> refusal;  // sent instead of reading it; then the connection is closed
};

// Called on the loop thread with the header of a request that has a body, before the body is read.
// Must not block; `decide` may be called later, from any thread, once. Until then nothing more is
// read than what fits into a buffer.
using OnHead = std::function<void(const Request& head, std::function<void(BodyTerms)> decide)>;

struct ServerOptions {
  std::string listen = "127.0.0.1:0";  // port 0: the system picks one; see HttpServer::port
  std::string socket = {};             // a Unix socket, beside that, without TLS; empty: none
  std::optional<TlsFiles> tls;
  ServerLimits limits;
  OnHead on_head;  // none: every body is taken, up to ServerLimits::body_bytes
  // Renders the answers that the server gives by itself (400, 408, 413, 417, 431, 500,
  // 503): `detail` says in a sentence what was wrong. Called on the loop thread. The
  // default is problem+json.
  std::function<Response(int status, std::string_view detail)> render_error;
};

// How much is going on; for metrics. Read from any thread.
struct ServerStats {
  std::size_t connections = 0;
  std::size_t parked = 0;  // streams included
  std::uint64_t requests = 0;
  std::uint64_t refused = 0;          // connections beyond the limit
  std::uint64_t dropped_streams = 0;  // their readers were too slow
};

// Called on the loop thread. Must not block, least of all on a store: it answers at once, or keeps
// the responder and hands the work to a WorkPool.
using Handler = std::function<void(Request, Responder)>;

// An HTTP/1.1 server. Owns exactly one thread, the loop, which does all the reading, writing and
// waiting for all connections, and calls the handler.
//
//   auto server = HttpServer::start(options, [&](Request request, Responder to) {
//     if (!pool.try_submit([=] { to.send(answer(request)); })) to.send(busy());
//   });
//
// Requests of one connection are handled one after the other, so pipelined answers keep their
// order. A HEAD reaches the handler as such; its answer is sent without the body.
class HttpServer {
 public:
  // Listens and starts the loop; from then on the handler is called.
  static Result<std::unique_ptr<HttpServer>> start(ServerOptions options, Handler handler);

  ~HttpServer();  // stop(0)
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  ServerStats stats() const;

  // Runs `work` on the loop thread, soon or after `delay`; from any thread. What is still waiting
  // when the server stops is dropped without being called. Cheap enough for thousands at a time.
  void post(std::function<void()> work);
  void post_after(Duration delay, std::function<void()> work);

  // Reads the files of TLS again, for connections from now on; those that are open stay as they
  // are. If the files cannot be used, the old ones stay in use and the error says why.
  Status reload_tls();

  // Stops accepting, closes idle connections and streams, tells parked requests (kStopping), waits
  // until everything in flight is answered, but no longer than `grace`, then closes the rest
  // (parked ones that are left are told kGone) and ends the thread. Not from the loop thread. Safe
  // to call twice.
  void stop(Duration grace);

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace belfry::net

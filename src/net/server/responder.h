#pragma once

#include "base/time.h"
#include "net/http.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::net {

class Exchange;

// Why a request is no longer parked.
enum class ParkEnd {
  kTimeUp,    // the time asked for is over: answer that there was nothing
  kStopping,  // the server stops: answer the same, at once
  kGone,      // the client has left: give back what was meant for it; an answer goes nowhere
};

// The open end of an event stream (SSE) or of any answer that is written bit by bit. A cheap
// handle; copies are the same stream. All calls from any thread. The stream ends when it is closed,
// when the client leaves, when the server stops, when the client reads too slowly (more than
// ServerLimits::stream_bytes wait to be sent), or when the last copy is gone.
class Stream {
 public:
  explicit Stream(std::shared_ptr<Exchange> exchange);

  // Queues a chunk; it is sent as soon as the client takes it. False: the stream has ended.
  bool write(std::string_view chunk) const;
  // Sends what is queued, then ends the answer properly.
  void close() const;
  bool is_closed() const;
  // Called once, on the loop thread, when the stream has ended for whatever reason; soon, if it
  // has ended already. One callback per stream: a second replaces the first.
  void on_closed(std::function<void()> callback) const;

 private:
  class Owner;
  std::shared_ptr<Owner> owner_;
};

// How a handler answers: at once or much later, from any thread, exactly once. A cheap handle;
// copies stand for the same request. If the last copy goes without an answer, the client gets a
// 500. It may outlive the client, the connection and the server; then answers go nowhere.
class Responder {
 public:
  explicit Responder(std::shared_ptr<Exchange> exchange);

  // Goes with the answer, whatever it will be, unless the server makes that answer itself.
  void set_header(std::string name, std::string value) const;

  // Called with the answer, whatever it will be, by the thread that sends it; not with a stream.
  // To be set before anybody answers.
  void finish_with(std::function<void(Response&)> finish) const;

  // Whose share of the places for those who wait it takes; before park() or stream(). Otherwise it
  // is the share of the caller's address.
  void charge_to(std::string payer) const;

  // The first answer counts. False: it was answered before, or nobody is there to read it.
  bool send(Response response) const;

  // Keeps the request waiting for `longest`, for a long poll. `on_end` is called on the loop
  // thread, at most once, and not when an answer was sent first; it must be quick and should send
  // one. False, and nothing changes: the payer has its share of the places (ServerLimits::parked),
  // or this one was already answered, parked or left by its client; then answer at once.
  bool park(Duration longest, std::function<void(ParkEnd)> on_end) const;

  // Turns the answer into a stream: sends status and headers (the body is ignored) now. Counts as
  // parked; when there are too many, or the client is gone, the stream is born closed, and the
  // client gets a 503. To a HEAD it is closed at once.
  Stream stream(Response head) const;

  // The client has left, as far as we know: a reason to spare the work, not a promise.
  bool is_gone() const;

 private:
  class Owner;
  std::shared_ptr<Owner> owner_;
};

}  // namespace belfry::net

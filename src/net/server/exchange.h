#pragma once

#include "base/mutex.h"
#include "base/time.h"
#include "net/http.h"
#include "net/server/responder.h"
#include "net/server/server_state.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::net {

class Connection;

// One request and its answer: where the threads of handlers and the loop thread meet. Handlers hold
// it through Responder and Stream, the connection through a plain pointer. Its states:
//
//   open <-> parked      nobody has answered; parked ones have a deadline and a callback
//   answered             by the first to answer; the connection will pick it up
//   streaming, closing   the header is on its way; chunks go through `waiting_`
//   over                 sent, or there is nobody to send to
//
// Callbacks run on the loop thread, with no lock held.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  // `payer`: whose share of places it takes when it waits, unless it is charged to another.
  Exchange(std::shared_ptr<ServerState> server, std::weak_ptr<Connection> connection,
           std::string payer);

  // For handlers, from any thread; Responder and Stream document them.
  bool send(Response response);
  void charge_to(std::string payer);
  void set_header(std::string name, std::string value);
  void finish_with(std::function<void(Response&)> finish);
  bool park(Duration longest, std::function<void(ParkEnd)> on_end);
  bool start_stream(Response head);
  bool write(std::string_view chunk);
  void close_stream();
  void on_closed(std::function<void()> callback);
  bool is_gone() const;
  bool is_stream_closed() const;
  void abandon();  // the last responder is gone

  // For the connection, on the loop thread.
  struct Answer {
    std::optional<Response> response;  // none: render `error` instead
    int error = 500;
    bool is_stream = false;
  };
  std::optional<Answer> take_answer();
  // While the handler runs nobody has to be told of an answer: the connection looks afterwards.
  void set_in_handler(bool in_handler) { in_handler_ = in_handler; }
  // How long it may stay parked, counted by the caller; none: it is not parked.
  std::optional<Duration> parked_for() const;
  void end_park(ParkEnd why);  // if it is parked
  void stop();                 // the server stops: ends parking, closes a stream
  void end();  // sent, or the client is gone; tells those who wait. Safe to call twice

  struct Chunks {
    std::string data;
    bool is_last = false;  // nothing will follow
  };
  // What waits to be sent, and counts as unsent until the next call.
  Chunks take_chunks();
  bool is_dropped() const;  // the reader was too slow
  void note_gone();         // the client has left, but an answer may still reach it

 private:
  enum class State { kOpen, kParked, kAnswered, kStreaming, kClosing, kOver };

  bool is_unanswered() const BELFRY_REQUIRES(mutex_) {
    return state_ == State::kOpen || state_ == State::kParked;
  }
  void leave_place() BELFRY_REQUIRES(mutex_);
  void tell_connection();

  const std::shared_ptr<ServerState> server_;
  const std::weak_ptr<Connection> connection_;
  bool in_handler_ = false;  // loop thread only

  mutable Mutex mutex_;
  State state_ BELFRY_GUARDED_BY(mutex_) = State::kOpen;
  std::string payer_ BELFRY_GUARDED_BY(mutex_);
  bool has_place_ BELFRY_GUARDED_BY(mutex_) = false;
  bool is_gone_ BELFRY_GUARDED_BY(mutex_) = false;
  bool is_dropped_ BELFRY_GUARDED_BY(mutex_) = false;
  bool is_told_ BELFRY_GUARDED_BY(mutex_) = false;  // the connection will look for chunks
  Headers extra_ BELFRY_GUARDED_BY(mutex_);         // for whatever answer is sent
  std::function<void(Response&)> finish_ BELFRY_GUARDED_BY(mutex_);
  std::optional<Answer> answer_ BELFRY_GUARDED_BY(mutex_);
  Duration longest_ BELFRY_GUARDED_BY(mutex_){};
  std::function<void(ParkEnd)> on_end_ BELFRY_GUARDED_BY(mutex_);
  std::function<void()> on_closed_ BELFRY_GUARDED_BY(mutex_);
  std::string waiting_ BELFRY_GUARDED_BY(mutex_);
  std::size_t unsent_ BELFRY_GUARDED_BY(mutex_) = 0;  // taken by the connection, not yet sent
};

}  // namespace belfry::net

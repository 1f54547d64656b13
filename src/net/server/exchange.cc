#include "net/server/exchange.h"

#include "net/server/connection.h"

#include <utility>

namespace belfry::net {

Exchange::Exchange(std::shared_ptr<ServerState> server, std::weak_ptr<Connection> connection,
                   std::string payer)
    : server_(std::move(server)), connection_(std::move(connection)), payer_(std::move(payer)) {}

// Never calls the connection itself, even on the loop thread: the caller may hold locks that the
// next request's handler wants.
void Exchange::tell_connection() {
  if (server_->loop.is_here() && in_handler_) return;
  server_->loop.post([self = shared_from_this()] {
    if (const auto connection = self->connection_.lock()) connection->look_at(*self);
  });
}

void Exchange::leave_place() {
  if (std::exchange(has_place_, false)) server_->free_place(payer_);
}

void Exchange::set_header(std::string name, std::string value) {
  const MutexLock lock(mutex_);
  extra_.set(name, std::move(value));
}

void Exchange::charge_to(std::string payer) {
  const MutexLock lock(mutex_);
  if (!has_place_) payer_ = std::move(payer);
}

void Exchange::finish_with(std::function<void(Response&)> finish) {
  const MutexLock lock(mutex_);
  finish_ = std::move(finish);
}

bool Exchange::send(Response response) {
  std::function<void(Response&)> finish;
  {
    const MutexLock lock(mutex_);
    if (!is_unanswered()) return false;
    finish = std::exchange(finish_, nullptr);
  }
  if (finish) finish(response);
  std::function<void(ParkEnd)> dropped;  // may hold the last reference to what locks us
  {
    const MutexLock lock(mutex_);
    if (!is_unanswered()) return false;
    state_ = State::kAnswered;
    answer_ = Answer{.response = std::move(response)};
    dropped = std::exchange(on_end_, nullptr);
    leave_place();
  }
  tell_connection();
  return true;
}

void Exchange::abandon() {
  std::function<void(ParkEnd)> dropped;
  {
    const MutexLock lock(mutex_);
    if (!is_unanswered()) return;
    state_ = State::kAnswered;
    answer_ = Answer{.error = 500};
    dropped = std::exchange(on_end_, nullptr);
    leave_place();
  }
  tell_connection();
}

bool Exchange::park(Duration longest, std::function<void(ParkEnd)> on_end) {
  {
    const MutexLock lock(mutex_);
    if (state_ != State::kOpen || !server_->take_place(payer_)) return false;
    has_place_ = true;
    state_ = State::kParked;
    longest_ = longest;
    on_end_ = std::move(on_end);
  }
  tell_connection();
  return true;
}

bool Exchange::start_stream(Response head) {
  std::function<void(ParkEnd)> dropped;
  bool started = false;
  {
    const MutexLock lock(mutex_);
    if (!is_unanswered()) return false;
    dropped = std::exchange(on_end_, nullptr);
    started = has_place_ || server_->take_place(payer_);
    has_place_ = started;
    state_ = started ? State::kStreaming : State::kAnswered;
    answer_ =
        started ? Answer{.response = std::move(head), .is_stream = true} : Answer{.error = 503};
  }
  tell_connection();
  return started;
}

bool Exchange::write(std::string_view chunk) {
  {
    const MutexLock lock(mutex_);
    if (state_ != State::kStreaming || is_dropped_) return false;
    if (waiting_.size() + unsent_ + chunk.size() > server_->limits.stream_bytes) {
      is_dropped_ = true;
      server_->dropped_streams.fetch_add(1);
    } else {
      waiting_ += chunk;
      if (std::exchange(is_told_, true)) return true;
    }
  }
  tell_connection();
  return !is_stream_closed();
}

void Exchange::close_stream() {
  {
    const MutexLock lock(mutex_);
    if (state_ != State::kStreaming) return;
    state_ = State::kClosing;
  }
  tell_connection();
}

void Exchange::on_closed(std::function<void()> callback) {
  std::function<void()> replaced;
  {
    const MutexLock lock(mutex_);
    if (state_ == State::kStreaming || state_ == State::kClosing) {
      replaced = std::exchange(on_closed_, std::move(callback));
      return;
    }
  }
  server_->loop.post(std::move(callback));
}

bool Exchange::is_gone() const {
  const MutexLock lock(mutex_);
  return is_gone_ || state_ == State::kOver;
}

bool Exchange::is_stream_closed() const {
  const MutexLock lock(mutex_);
  return state_ != State::kStreaming || is_dropped_;
}

std::optional<Exchange::Answer> Exchange::take_answer() {
  const MutexLock lock(mutex_);
  if (answer_ && answer_->response) {
    for (const Header& header : extra_) answer_->response->headers.set(header.name, header.value);
  }
  return std::exchange(answer_, std::nullopt);
}

std::optional<Duration> Exchange::parked_for() const {
  const MutexLock lock(mutex_);
  if (state_ != State::kParked) return std::nullopt;
  return longest_;
}

void Exchange::end_park(ParkEnd why) {
  std::function<void(ParkEnd)> on_end;
  {
    const MutexLock lock(mutex_);
    if (state_ != State::kParked) return;
    state_ = why == ParkEnd::kGone ? State::kOver : State::kOpen;
    on_end = std::exchange(on_end_, nullptr);
    leave_place();
  }
  if (on_end) on_end(why);
}

void Exchange::stop() {
  end_park(ParkEnd::kStopping);
  close_stream();
}

void Exchange::end() {
  end_park(ParkEnd::kGone);
  std::function<void()> on_closed;
  {
    const MutexLock lock(mutex_);
    state_ = State::kOver;
    on_closed = std::exchange(on_closed_, nullptr);
    leave_place();
    waiting_ = {};
  }
  if (on_closed) on_closed();
}

Exchange::Chunks Exchange::take_chunks() {
  const MutexLock lock(mutex_);
  is_told_ = false;
  unsent_ = waiting_.size();
  return {.data = std::exchange(waiting_, {}), .is_last = state_ != State::kStreaming};
}

bool Exchange::is_dropped() const {
  const MutexLock lock(mutex_);
  return is_dropped_;
}

void Exchange::note_gone() {
  const MutexLock lock(mutex_);
  is_gone_ = true;
}

}  // namespace belfry::net

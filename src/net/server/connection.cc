#include "net/server/connection.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::net {
namespace {

constexpr std::size_t kInputAhead = 16 * 1024;   // pipelined requests that may wait in memory
constexpr std::size_t kOutputAhead = 64 * 1024;  // answers to them that may be written together
constexpr std::size_t kKeptBuffer = 1024;        // capacity an idle connection may hold on to
constexpr Duration kLingerTime = std::chrono::seconds(2);

constexpr std::string_view kTooMany = "too many connections; try again later";

void empty(std::string& buffer) {
  buffer.clear();
  if (buffer.capacity() > kKeptBuffer) buffer = {};
}

}  // namespace

Connection::Connection(ServerCore& core, int descriptor, std::unique_ptr<Transport> transport,
                       Peer peer)
    : core_(core),
      watch_(core.state->loop, descriptor),
      timer_(core.state->loop),
      transport_(std::move(transport)),
      peer_(std::move(peer)),
      reader_({.header_bytes = core.state->limits.header_bytes,
               .body_bytes = core.state->limits.body_bytes}) {}

void Connection::look_at(const Exchange& exchange) {
  if (exchange_.get() == &exchange) pump();
}

void Connection::begin_stopping() {
  if (closed_) return;
  keep_alive_ = false;
  if (exchange_) {
    exchange_->stop();
  } else if (output_.empty() && (finishing_ || !reader_.has_begun())) {
    close();
  } else if (!reader_.has_begun()) {
    finishing_ = true;
  }
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  const auto self = shared_from_this();
  watch_.close();
  timer_.cancel();
  forget_bodies();
  if (!peer_.surplus) core_.places.give_back(peer_.network);
  if (auto exchange = std::exchange(exchange_, nullptr)) exchange->end();
  core_.connections.erase(self);
  core_.state->connections.fetch_sub(1);
  if (core_.connections.empty() && core_.on_empty) core_.on_empty();
}

void Connection::pump() {
  while (!closed_ && step()) {
  }
  if (!closed_) wait();
}

bool Connection::step() {
  if (exchange_ && advance_exchange()) return true;
  if (!exchange_ && !finishing_ && output_.size() < kOutputAhead && take_request()) return true;
  return !closed_ && flush();
}

// ---- reading ------------------------------------------------------------------------------------

void Connection::on_ready() {
  if (closed_) return;
  read();
  if (!closed_) pump();
}

// How much may be read now: a bufferful of what is taken up at once, little of what has to wait.
std::size_t Connection::room_to_read() const {
  if (peer_done_) return 0;
  const std::size_t most = core_.state->limits.header_bytes + kInputAhead;
  const std::size_t waiting = input_.size() - input_at_;
  if (finishing_ || (!exchange_ && !is_undecided_ && waiting < most)) return core_.scratch.size();
  return waiting < most ? std::min(most - waiting, core_.scratch.size()) : 0;
}

void Connection::read() {
  read_needs_write_ = false;
  if (!may_read()) return;
  do {
    const IoResult got = transport_->read(core_.scratch.data(), room_to_read());
    switch (got.next) {
      case IoResult::kGoOn:
        if (!finishing_) input_.append(core_.scratch.data(), got.bytes);
        has_news_ = true;
        break;
      case IoResult::kWaitRead: return;
      case IoResult::kWaitWrite: read_needs_write_ = true; return;
      case IoResult::kEnd: return on_peer_done();
      case IoResult::kBroken: return close();
    }
  } while (transport_->has_unread() && may_read());
}

// The client may have closed only its half and still wait for the answer. Nobody waits like that
// for an answer that takes long, so streams and long polls are given up.
void Connection::on_peer_done() {
  peer_done_ = true;
  if (!exchange_) return;
  exchange_->note_gone();
  if (streaming_) close();
}

// ---- requests -----------------------------------------------------------------------------------

bool Connection::take_request() {
  if (is_undecided_ || !std::exchange(has_news_, false)) return false;
  feed();
  if (!count_bodies(reader_.body_bytes())) {
    refuse(503, "too many large requests are being read; try again later");
    return true;
  }
  switch (reader_.state()) {
    case RequestReader::State::kMore:
      if (reader_.wants_continue()) output_ += "HTTP/1.1 100 Continue\r\n\r\n";
      return false;
    case RequestReader::State::kHead: ask_about_body(); return !is_undecided_;
    case RequestReader::State::kComplete: dispatch(); return true;
    case RequestReader::State::kRefused:
      refuse(reader_.refusal().status, reader_.refusal().detail);
      return true;
  }
  return false;
}

void Connection::feed() {
  input_at_ += reader_.feed(std::string_view(input_).substr(input_at_));
  if (input_at_ == input_.size()) {
    empty(input_);
    input_at_ = 0;
  } else if (input_at_ >= kInputAhead) {
    input_.erase(0, std::exchange(input_at_, 0));
  }
}

// The answer is taken up by a later turn of the loop, or at once if it comes at once.
void Connection::ask_about_body() {
  if (peer_.surplus) return refuse(503, kTooMany);
  if (!core_.on_head) {
    return take_terms(
        {.body_bytes = core_.state->limits.body_bytes, .body_time = core_.state->limits.read_time});
  }
  struct Answer {
    bool is_asking = true;  // loop thread only, like the rest
    std::optional<BodyTerms> terms;
  };
  const auto answer = std::make_shared<Answer>();
  is_undecided_ = true;
  sign(reader_.head());
  core_.on_head(reader_.head(),
                [answer, weak = weak_from_this(), state = core_.state](BodyTerms terms) {
                  if (state->loop.is_here() && answer->is_asking) {
                    answer->terms = std::move(terms);
                    return;
                  }
                  state->loop.post([weak, terms = std::move(terms)] {
                    const auto self = weak.lock();
                    if (!self || self->closed_ || self->finishing_) return;
                    self->take_terms(terms);
                    self->pump();
                  });
                });
  answer->is_asking = false;
  if (answer->terms) take_terms(*std::move(answer->terms));
}

void Connection::take_terms(BodyTerms terms) {
  is_undecided_ = false;
  has_news_ = true;
  if (terms.payer.empty()) terms.payer = peer_.network;
  terms_ = std::move(terms);
  if (terms_.refusal) return refuse(*terms_.refusal);
  reader_.take_body(std::min(terms_.body_bytes, core_.state->limits.body_bytes));
}

bool Connection::count_bodies(std::size_t held) {
  if (held <= counted_bodies_) return true;
  FairShare& room = core_.bodies.at(static_cast<std::size_t>(terms_.room));
  if (!room.take(terms_.payer, held - counted_bodies_)) return false;
  counted_bodies_ = held;
  return true;
}

void Connection::forget_bodies() {
  const std::size_t held = std::exchange(counted_bodies_, 0);
  if (held > 0)
    core_.bodies.at(static_cast<std::size_t>(terms_.room)).give_back(terms_.payer, held);
}

void Connection::sign(Request& request) const {
  request.remote = peer_.address;
  request.network = peer_.network;
  request.user = peer_.user;
  request.secure = peer_.secure;
}

void Connection::dispatch() {
  if (peer_.surplus) return refuse(503, kTooMany);
  deadline_kind_ = DeadlineKind::kNone;
  served_ = true;
  http_1_0_ = reader_.is_http_1_0();
  is_head_ = reader_.is_head();
  keep_alive_ = reader_.keep_alive() && !http_1_0_ && !core_.stopping;
  core_.state->requests.fetch_add(1, std::memory_order_relaxed);
  Request request = reader_.take();
  sign(request);
  exchange_ = std::make_shared<Exchange>(core_.state, weak_from_this(), peer_.network);
  exchange_->set_in_handler(true);
  core_.handler(std::move(request), Responder(exchange_));
  exchange_->set_in_handler(false);
}

void Connection::refuse(int status, std::string_view detail) {
  refuse(rendered(status, detail));
}

void Connection::refuse(const Response& answer) {
  const auto body = reader_.is_head() ? BodyFraming::kHead : BodyFraming::kLength;
  append_response(output_, answer, {.body = body, .keep_alive = false}, core_.clock.wall_now());
  finishing_ = true;
  forget_bodies();
  input_ = {};
  input_at_ = 0;
}

// ---- answers ------------------------------------------------------------------------------------

Response Connection::rendered(int status, std::string_view detail) const {
  Response response = core_.render_error(status, detail);
  return is_sendable(response) ? response : default_error(status, detail);
}

bool Connection::advance_exchange() {
  if (auto answer = exchange_->take_answer()) {
    begin_answer(std::move(*answer));
    return true;
  }
  if (streaming_) return advance_stream();
  if (!peer_done_ || !exchange_->parked_for()) return false;
  close();
  return true;
}

bool Connection::advance_stream() {
  if (exchange_->is_dropped()) {
    close();
    return true;
  }
  if (!output_.empty()) return false;
  const auto chunks = exchange_->take_chunks();
  if (!chunks.data.empty()) {
    if (framing_ == BodyFraming::kChunked) {
      append_chunk(output_, chunks.data);
    } else {
      output_ += chunks.data;
    }
  }
  if (chunks.is_last) {
    if (framing_ == BodyFraming::kChunked) append_last_chunk(output_);
    finish_exchange();
  }
  return !output_.empty() || chunks.is_last;
}

void Connection::begin_answer(Exchange::Answer answer) {
  if (!answer.response || !is_sendable(*answer.response)) {
    const auto* const detail = answer.error == 503 ? "too many are waiting; try again later"
                                                   : "the request was left without an answer";
    answer = {.response = rendered(answer.error, detail), .is_stream = false};
  }
  framing_ = is_head_ ? BodyFraming::kHead : BodyFraming::kLength;
  if (answer.is_stream && !is_head_) {
    framing_ = http_1_0_ ? BodyFraming::kUntilClosed : BodyFraming::kChunked;
    if (http_1_0_) keep_alive_ = false;
    streaming_ = true;
  } else if (answer.is_stream) {
    framing_ = BodyFraming::kHeadOfStream;
  }
  append_response(output_, *answer.response, {.body = framing_, .keep_alive = keep_alive_},
                  core_.clock.wall_now());
  if (!streaming_) finish_exchange();
}

void Connection::finish_exchange() {
  const auto exchange = std::exchange(exchange_, nullptr);
  streaming_ = false;
  forget_bodies();  // until now the handler may have held it in memory
  has_news_ = input_at_ < input_.size();
  if (!keep_alive_ || core_.stopping) finishing_ = true;
  exchange->end();
}

// ---- writing ------------------------------------------------------------------------------------

bool Connection::flush() {
  if (output_.empty()) return false;
  while (output_at_ < output_.size()) {
    const IoResult put =
        transport_->write(output_.data() + output_at_, output_.size() - output_at_);
    if (put.next == IoResult::kWaitRead || put.next == IoResult::kWaitWrite) return false;
    if (put.next != IoResult::kGoOn) {
      close();
      return false;
    }
    output_at_ += put.bytes;
    if (deadline_kind_ == DeadlineKind::kWrite) deadline_kind_ = DeadlineKind::kNone;
  }
  empty(output_);
  output_at_ = 0;
  return true;
}

// ---- waiting ------------------------------------------------------------------------------------

void Connection::wait() {
  if (output_.empty() && !exchange_ && !is_undecided_) {
    if (peer_done_ && reader_.has_begun() && !finishing_) {
      refuse(400, "the request ends in the middle");
      return pump();
    }
    if (peer_done_) return close();
    if (finishing_ && !std::exchange(lingering_, true)) {
      transport_->finish_writing();
      if (core_.stopping) return close();
    }
  }
  if (may_read() && !std::exchange(waits_read_, true)) {
    watch_.when_readable([self = shared_from_this()] {
      self->waits_read_ = false;
      self->on_ready();
    });
  }
  if ((!output_.empty() || read_needs_write_) && !std::exchange(waits_write_, true)) {
    watch_.when_writable([self = shared_from_this()] {
      self->waits_write_ = false;
      self->on_ready();
    });
  }
  const Deadline wanted = wanted_deadline();
  if (wanted.kind != deadline_kind_) set_deadline(wanted);
}

Connection::Deadline Connection::wanted_deadline() const {
  const ServerLimits& limits = core_.state->limits;
  if (lingering_) return {DeadlineKind::kLinger, kLingerTime};
  if (!output_.empty()) return {DeadlineKind::kWrite, limits.write_time};
  if (exchange_) {
    const auto longest = exchange_->parked_for();
    return longest ? Deadline{DeadlineKind::kPark, *longest} : Deadline{};
  }
  if (reader_.has_head() && !is_undecided_) return {DeadlineKind::kBody, terms_.body_time};
  if (reader_.has_begun()) return {DeadlineKind::kHeader, limits.header_time};
  return {DeadlineKind::kIdle, served_ ? limits.idle_time : limits.read_time};
}

void Connection::set_deadline(Deadline deadline) {
  deadline_kind_ = deadline.kind;
  if (deadline.kind == DeadlineKind::kNone) return;
  due_ = core_.clock.boot_now() + deadline.after;
  if (due_ < timer_due_) arm_timer(deadline.after);
}

void Connection::arm_timer(Duration after) {
  timer_due_ = due_;
  timer_.start(after, [self = shared_from_this()] { self->on_timer(); });
}

void Connection::on_timer() {
  timer_due_ = BootInstant::max();
  if (closed_ || deadline_kind_ == DeadlineKind::kNone) return;
  const Duration left = due_ - core_.clock.boot_now();
  if (left > Duration::zero()) return arm_timer(left);
  on_deadline();
}

void Connection::on_deadline() {
  switch (std::exchange(deadline_kind_, DeadlineKind::kNone)) {
    case DeadlineKind::kHeader:
    case DeadlineKind::kBody: refuse(408, "the request took too long to arrive"); break;
    case DeadlineKind::kPark:
      if (exchange_) exchange_->end_park(ParkEnd::kTimeUp);
      break;
    case DeadlineKind::kIdle:
    case DeadlineKind::kWrite:
    case DeadlineKind::kLinger: return close();
    case DeadlineKind::kNone: return;
  }
  pump();
}

}  // namespace belfry::net

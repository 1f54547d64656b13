#pragma once

#include "base/time.h"
#include "net/loop.h"
#include "net/server/exchange.h"
#include "net/server/request_reader.h"
#include "net/server/response_text.h"
#include "net/server/server_core.h"
#include "net/transport.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::net {

// One client's connection, from accept to close: reads requests, hands them to the handler one at a
// time, writes the answers. Loop thread only; private to net.
//
// Everything that happens (bytes, room to write, an answer, a deadline) changes a field and calls
// pump(), which makes all the progress that is possible and then waits for the next thing.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  struct Peer {
    std::string address;
    std::optional<uid_t> user = {};
    std::string network;  // whose share it takes
    bool secure = false;
    bool surplus = false;  // beyond the limit: its first request is answered with 503
  };

  // Owns the descriptor; `transport` uses it.
  Connection(ServerCore& core, int descriptor, std::unique_ptr<Transport> transport, Peer peer);

  void start() { watch_.works() ? pump() : close(); }
  // An exchange has news: an answer, a chunk, a deadline.
  void look_at(const Exchange& exchange);
  // Ends as soon as what is in flight is answered.
  void begin_stopping();
  // Ends now. Safe to call twice.
  void close();

 private:
  enum class DeadlineKind : std::uint8_t { kNone, kIdle, kHeader, kBody, kPark, kWrite, kLinger };
  struct Deadline {
    DeadlineKind kind = DeadlineKind::kNone;
    Duration after{};
  };

  void pump();
  bool step();  // true: something moved, call again

  void on_ready();
  void read();
  std::size_t room_to_read() const;
  bool may_read() const { return room_to_read() > 0; }
  void on_peer_done();

  bool take_request();
  void feed();
  void ask_about_body();
  void take_terms(BodyTerms terms);
  bool count_bodies(std::size_t held);
  void forget_bodies();
  void sign(Request& request) const;
  void dispatch();
  void refuse(int status, std::string_view detail);
  void refuse(const Response& answer);

  bool advance_exchange();
  bool advance_stream();
  void begin_answer(Exchange::Answer answer);
  void finish_exchange();
  Response rendered(int status, std::string_view detail) const;

  bool flush();
  void wait();
  Deadline wanted_deadline() const;
  void set_deadline(Deadline deadline);
  void arm_timer(Duration after);
  void on_timer();
  void on_deadline();

  ServerCore& core_;
  Watch watch_;
  Timer timer_;
  const std::unique_ptr<Transport> transport_;
  const Peer peer_;
  RequestReader reader_;

  std::string input_;  // read, not yet parsed: [input_at_, end)
  std::size_t input_at_ = 0;
  std::string output_;  // not yet written: [output_at_, end)
  std::size_t output_at_ = 0;
  BodyTerms terms_;  // of the request being read
  std::size_t counted_bodies_ = 0;

  std::shared_ptr<Exchange> exchange_;  // the request being handled
  BodyFraming framing_ = BodyFraming::kLength;
  bool http_1_0_ = false;
  bool keep_alive_ = true;
  bool is_head_ = false;

  bool is_undecided_ = false;  // somebody thinks about the header
  bool has_news_ = false;      // input_ holds something the reader has not seen
  bool streaming_ = false;     // the header of a stream is written
  bool served_ = false;        // at least one request
  bool finishing_ = false;     // no more requests: write what there is, then close
  bool lingering_ = false;     // our side is closed; wait for theirs, or they may lose our answer
  bool peer_done_ = false;     // they will send no more
  bool read_needs_write_ = false;  // TLS
  bool waits_read_ = false;
  bool waits_write_ = false;
  bool closed_ = false;

  DeadlineKind deadline_kind_ = DeadlineKind::kNone;
  BootInstant due_ = BootInstant::max();
  BootInstant timer_due_ = BootInstant::max();  // at or before due_; moved lazily, since most
                                                // deadlines never come
};

}  // namespace belfry::net

#include "net/server/responder.h"

#include "net/server/exchange.h"

#include <utility>

namespace belfry::net {

// The copies of a handle share one of these; its end is the end of the last copy.
class Responder::Owner {
 public:
  explicit Owner(std::shared_ptr<Exchange> the_exchange) : exchange(std::move(the_exchange)) {}
  ~Owner() { exchange->abandon(); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  const std::shared_ptr<Exchange> exchange;
};

class Stream::Owner {
 public:
  explicit Owner(std::shared_ptr<Exchange> the_exchange) : exchange(std::move(the_exchange)) {}
  ~Owner() { exchange->close_stream(); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  const std::shared_ptr<Exchange> exchange;
};

Responder::Responder(std::shared_ptr<Exchange> exchange)
    : owner_(std::make_shared<Owner>(std::move(exchange))) {}

void Responder::set_header(std::string name, std::string value) const {
  owner_->exchange->set_header(std::move(name), std::move(value));
}

void Responder::finish_with(std::function<void(Response&)> finish) const {
  owner_->exchange->finish_with(std::move(finish));
}

void Responder::charge_to(std::string payer) const {
  owner_->exchange->charge_to(std::move(payer));
}

bool Responder::send(Response response) const {
  return owner_->exchange->send(std::move(response));
}

bool Responder::park(Duration longest, std::function<void(ParkEnd)> on_end) const {
  return owner_->exchange->park(longest, std::move(on_end));
}

Stream Responder::stream(Response head) const {
  owner_->exchange->start_stream(std::move(head));
  return Stream(owner_->exchange);
}

bool Responder::is_gone() const {
  return owner_->exchange->is_gone();
}

Stream::Stream(std::shared_ptr<Exchange> exchange)
    : owner_(std::make_shared<Owner>(std::move(exchange))) {}

bool Stream::write(std::string_view chunk) const {
  return owner_->exchange->write(chunk);
}

void Stream::close() const {
  owner_->exchange->close_stream();
}

bool Stream::is_closed() const {
  return owner_->exchange->is_stream_closed();
}

void Stream::on_closed(std::function<void()> callback) const {
  owner_->exchange->on_closed(std::move(callback));
}

}  // namespace belfry::net

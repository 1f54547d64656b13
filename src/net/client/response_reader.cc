#include "net/client/response_reader.h"

#include "net/chunk_edge.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <optional>
#include <utility>

namespace belfry::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using View = boost::beast::string_view;

constexpr std::uint32_t kHeaderLimit = 64 * 1024;

std::string_view as_std(View text) {
  return {text.data(), text.size()};
}

class Parser final : public http::basic_parser<false> {
 public:
  Parser(bool to_head, std::size_t body_limit_bytes) {
    eager(true);
    header_limit(kHeaderLimit);
    body_limit(body_limit_bytes);
    skip(to_head);
  }

  Response response;
  ChunkEdge edge;

  bool must_wait(std::size_t bytes) {
    return is_header_done() && chunked() && edge.must_wait(bytes);
  }

 private:
  void on_response_impl(int code, View /*reason*/, int /*version*/,
                        error_code& /*error*/) override {
    response.status = code;
  }

  void on_field_impl(http::field /*field*/, View name, View value, error_code& /*error*/) override {
    if (header_done_) return;  // a trailer
    response.headers.add(std::string(as_std(name)), std::string(as_std(value)));
  }

  void on_header_impl(error_code& /*error*/) override { header_done_ = true; }

  std::size_t on_body_impl(View body, error_code& /*error*/) override {
    response.body += as_std(body);
    return body.size();
  }

  std::size_t on_chunk_body_impl(std::uint64_t /*remain*/, View body,
                                 error_code& /*error*/) override {
    edge.take(body.size());
    response.body += as_std(body);
    return body.size();
  }

  void on_request_impl(http::verb /*verb*/, View /*method*/, View /*target*/, int /*version*/,
                       error_code& /*error*/) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/,
                         error_code& /*error*/) override {}
  void on_chunk_header_impl(std::uint64_t size, View /*extensions*/,
                            error_code& /*error*/) override {
    edge.begin(size);
  }
  void on_finish_impl(error_code& /*error*/) override {}

  bool header_done_ = false;
};

}  // namespace

struct ResponseReader::Impl {
  Impl(bool the_to_head, std::size_t the_body_limit)
      : to_head(the_to_head), body_limit(the_body_limit) {
    parser.emplace(to_head, body_limit);
  }

  const bool to_head;
  const std::size_t body_limit;
  std::optional<Parser> parser;
  State state = State::kMore;
  std::string trouble;

  void settle(error_code error) {
    if (error && error != http::error::need_more) {
      state = State::kRefused;
      trouble = error.message();
    } else if (parser->is_done()) {
      state = State::kComplete;
    }
  }

  // "100 Continue" and its like come before the answer and mean nothing to us.
  bool skip_interim() {
    const int status = parser->response.status;
    if (state != State::kComplete || status < 100 || status > 199) return false;
    parser.emplace(to_head, body_limit);
    state = State::kMore;
    return true;
  }
};

ResponseReader::ResponseReader(bool to_head, std::size_t body_limit)
    : impl_(std::make_unique<Impl>(to_head, body_limit)) {}

ResponseReader::~ResponseReader() = default;

std::size_t ResponseReader::feed(std::string_view input) {
  std::size_t taken = 0;
  do {
    if (impl_->state != State::kMore || taken == input.size()) return taken;
    error_code error;
    const auto rest = input.substr(taken);
    if (impl_->parser->must_wait(rest.size())) return taken;
    const std::size_t now =
        impl_->parser->put(boost::asio::const_buffer(rest.data(), rest.size()), error);
    taken += now;
    impl_->settle(error);
    if (impl_->state == State::kMore && rest.size() - now > kHeaderLimit) {
      impl_->settle(http::error::header_limit);
    }
  } while (impl_->skip_interim());
  return taken;
}

void ResponseReader::feed_end() {
  if (impl_->state != State::kMore) return;
  error_code error;
  if (impl_->parser->got_some()) impl_->parser->put_eof(error);
  if (!error && !impl_->parser->is_done()) error = http::error::partial_message;
  impl_->settle(error);
}

ResponseReader::State ResponseReader::state() const {
  return impl_->state;
}

bool ResponseReader::has_header() const {
  return impl_->parser->is_header_done();
}

const std::string& ResponseReader::trouble() const {
  return impl_->trouble;
}

bool ResponseReader::keep_alive() const {
  return impl_->state == State::kComplete && impl_->parser->keep_alive();
}

Response& ResponseReader::response() {
  return impl_->parser->response;
}

void ResponseReader::allow_endless_body() {
  impl_->parser->body_limit(boost::none);
}

}  // namespace belfry::net

#include "net/server/request_reader.h"

#include "net/chunk_edge.h"
#include "net/url.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace belfry::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using View = boost::beast::string_view;

constexpr std::size_t kReserveAtMost = 1024 * 1024;  // a promised length is not yet a body
constexpr std::size_t kMostParameters = 256;         // each that is wrong is compared with the rest

std::string_view as_std(View text) {
  return {text.data(), text.size()};
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether a line goes on in the next. Beast joins such lines, as was once allowed; others see two.
bool has_folded_line(std::string_view head) {
  return head.find("\r\n ") != std::string_view::npos ||
         head.find("\r\n\t") != std::string_view::npos;
}

// Beast knows the grammar; what a request has to mean beyond that is checked here.
class Parser final : public http::basic_parser<true> {
 public:
  explicit Parser(RequestReader::Limits limits) {
    eager(false);  // stops behind the header, where somebody decides about the body
    header_limit(static_cast<std::uint32_t>(limits.header_bytes));
    body_limit(limits.body_bytes);
  }

  Request request;
  RequestReader::Refusal refusal;
  bool expects_continue = false;
  bool http_1_0 = false;
  ChunkEdge edge;

  bool must_wait(std::size_t bytes) {
    return is_header_done() && chunked() && edge.must_wait(bytes);
  }

 private:
  void on_request_impl(http::verb /*verb*/, View method, View target, int version,
                       error_code& error) override {
    request.method = as_std(method);
    http_1_0 = version == 10;
    if (!set_target(as_std(target))) refuse("the request target is malformed", error);
  }

  bool set_target(std::string_view target) {
    if (target == "*" && request.method == "OPTIONS") {
      request.path = "*";
      return true;
    }
    if (!target.starts_with('/')) {  // a proxy's way: the whole URL
      const auto url = Url::parse(target);
      if (url) host_ = url->authority();
      return url && set_target(url->target());
    }
    if (target.find('#') != std::string_view::npos) return false;
    const auto question = std::min(target.find('?'), target.size());
    request.path = target.substr(0, question);
    auto segments = split_path(request.path);
    auto query = parse_query(question < target.size() ? target.substr(question + 1) : "");
    if (!segments || !query || query->size() > kMostParameters) return false;
    request.segments = std::move(*segments);
    request.query = std::move(*query);
    return true;
  }

  void on_field_impl(http::field field, View name, View value, error_code& error) override {
    if (header_done_) return;  // a trailer, which no handler reads
    if (field == http::field::host) ++hosts_;
    // One number, once: a proxy in front of us may take another of them.
    if (field == http::field::content_length && (++lengths_ > 1 || !is_number(as_std(value)))) {
      return refuse("the body's length must be one number", error);
    }
    if (field == http::field::transfer_encoding &&
        (!equal_ignoring_case(as_std(value), "chunked") || http_1_0)) {
      return refuse("the only transfer encoding is chunked, in HTTP/1.1", error);
    }
    if (field == http::field::expect) {
      expects_continue = equal_ignoring_case(as_std(value), "100-continue");
      if (!expects_continue) {
        refusal.status = 417;
        return refuse("the only expectation is 100-continue", error);
      }
    }
    request.headers.add(std::string(as_std(name)), std::string(as_std(value)));
  }

  void on_header_impl(error_code& error) override {
    header_done_ = true;
    if (hosts_ > 1 || (hosts_ == 0 && !http_1_0)) refuse("exactly one Host is needed", error);
    if (!host_.empty()) request.headers.set("Host", host_);
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& length,
                         error_code& /*error*/) override {
    if (length) request.body.reserve(std::min<std::size_t>(*length, kReserveAtMost));
  }

  std::size_t on_body_impl(View body, error_code& /*error*/) override {
    request.body += as_std(body);
    return body.size();
  }

  std::size_t on_chunk_body_impl(std::uint64_t /*remain*/, View body,
                                 error_code& /*error*/) override {
    edge.take(body.size());
    request.body += as_std(body);
    return body.size();
  }

  void on_chunk_header_impl(std::uint64_t size, View /*extensions*/,
                            error_code& /*error*/) override {
    edge.begin(size);
  }
  void on_response_impl(int /*code*/, View /*reason*/, int /*version*/,
                        error_code& /*error*/) override {}
  void on_finish_impl(error_code& /*error*/) override {}

  void refuse(std::string detail, error_code& error) {
    refusal.detail = std::move(detail);
    error = http::error::bad_value;
  }

  bool header_done_ = false;
  int hosts_ = 0;
  int lengths_ = 0;
  std::string host_;  // of the whole URL, which counts and not the header; empty: only a path came
};

}  // namespace

struct RequestReader::Impl {
  explicit Impl(Limits the_limits) : limits(the_limits) { parser.emplace(limits); }

  const Limits limits;
  std::optional<Parser> parser;
  State state = State::kMore;
  std::size_t body_limit = limits.body_bytes;
  bool begun = false;

  void refuse(error_code error) {
    state = State::kRefused;
    auto& refusal = parser->refusal;
    if (error == http::error::header_limit) {
      refusal = {431, "the header is too long"};
    } else if (error == http::error::body_limit) {
      refusal = {413, "the body is longer than " + std::to_string(body_limit) + " bytes"};
    } else if (refusal.detail.empty()) {
      refusal.detail = "malformed request: " + error.message();
    }
  }
};

RequestReader::RequestReader(Limits limits) : impl_(std::make_unique<Impl>(limits)) {}

RequestReader::~RequestReader() = default;

std::size_t RequestReader::feed(std::string_view input) {
  if (impl_->state != State::kMore || input.empty()) return 0;
  impl_->begun = true;
  if (impl_->parser->must_wait(input.size())) return 0;
  error_code error;
  const bool had_head = impl_->parser->is_header_done();
  const std::size_t taken =
      impl_->parser->put(boost::asio::const_buffer(input.data(), input.size()), error);
  if (error && error != http::error::need_more) {  // also our own, when the request is complete
    impl_->refuse(error);
  } else if (!had_head && has_folded_line(input.substr(0, taken))) {
    impl_->parser->refusal.detail = "a line of the header goes on in the next";
    impl_->refuse(http::error::bad_field);
  } else if (impl_->parser->is_done()) {
    impl_->state = State::kComplete;
  } else if (!had_head && impl_->parser->is_header_done()) {
    impl_->state = State::kHead;
  } else if (input.size() - taken > impl_->limits.header_bytes) {
    impl_->refuse(http::error::header_limit);  // one line of a chunk's header or trailer
  }
  return taken;
}

Request& RequestReader::head() {
  return impl_->parser->request;
}

void RequestReader::take_body(std::size_t most) {
  impl_->state = State::kMore;
  impl_->parser->eager(true);
  impl_->parser->body_limit(most);
  impl_->body_limit = most;
  if (impl_->parser->content_length().value_or(0) > most) impl_->refuse(http::error::body_limit);
}

RequestReader::State RequestReader::state() const {
  return impl_->state;
}

bool RequestReader::has_begun() const {
  return impl_->begun;
}

bool RequestReader::has_head() const {
  return impl_->parser->is_header_done();
}

const RequestReader::Refusal& RequestReader::refusal() const {
  return impl_->parser->refusal;
}

std::size_t RequestReader::body_bytes() const {
  return impl_->parser->request.body.size();
}

bool RequestReader::wants_continue() {
  return impl_->state == State::kMore && impl_->parser->is_header_done() &&
         std::exchange(impl_->parser->expects_continue, false);
}

bool RequestReader::keep_alive() const {
  return impl_->state == State::kComplete && impl_->parser->keep_alive();
}

bool RequestReader::is_http_1_0() const {
  return impl_->parser->http_1_0;
}

bool RequestReader::is_head() const {
  return impl_->parser->request.method == "HEAD";
}

Request RequestReader::take() {
  Request request = std::move(impl_->parser->request);
  impl_->parser.emplace(impl_->limits);
  impl_->body_limit = impl_->limits.body_bytes;
  impl_->state = State::kMore;
  impl_->begun = false;
  return request;
}

}  // namespace belfry::net

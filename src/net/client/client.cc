#include "net/client/client.h"

#include "base/real_clock.h"
#include "net/client/client_socket.h"
#include "net/client/response_reader.h"
#include "net/message_text.h"
#include "net/transport.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

namespace belfry::net {
namespace {

bool may_be_repeated(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE";
}

bool has_body_by_nature(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

Result<std::string> call_text(const Call& call, const std::string& user_agent) {
  if (!is_token(call.method) || !are_sendable(call.headers)) {
    return fail({.code = Errc::kInvalid,
                 .message = "the method or a header has a character that HTTP forbids",
                 .field = "headers",
                 .hint = "look for line breaks in names and values"});
  }
  std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: {}\r\n", call.method,
                                 call.url.target(), call.url.authority(), user_agent);
  for (const Header& field : call.headers) text += field.name + ": " + field.value + "\r\n";
  if (!call.body.empty() || has_body_by_nature(call.method)) {
    text += fmt::format("Content-Length: {}\r\n", call.body.size());
  }
  return text + "\r\n" + call.body;
}

bool is_same_server(const Url& a, const Url& b) {
  return a.scheme == b.scheme && a.host == b.host && a.port == b.port;
}

std::string explain(Trouble trouble, const std::string& more) {
  switch (trouble) {
    case Trouble::kNone: return "the connection was closed before the answer was complete";
    case Trouble::kTimedOut: return "no answer in the time given";
    case Trouble::kInterrupted: return "interrupted";
    case Trouble::kBroken: break;
  }
  return more.empty() ? "the connection broke" : "the connection broke: " + more;
}

// Hands out the lines of a body that comes in pieces.
class LineCutter {
 public:
  // False: the receiver wants no more.
  bool cut(std::string& body, const std::function<bool(std::string_view)>& on_line) {
    rest_ += std::exchange(body, {});
    std::size_t begin = 0;
    for (auto end = rest_.find('\n', searched_); end != std::string::npos;
         end = rest_.find('\n', begin)) {
      std::string_view line = std::string_view(rest_).substr(begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      begin = end + 1;
      if (!on_line(line)) return false;
    }
    rest_.erase(0, begin);
    searched_ = rest_.size();
    return true;
  }

  std::size_t unfinished() const { return rest_.size(); }

 private:
  std::string rest_;
  std::size_t searched_ = 0;  // no line ends before
};

}  // namespace

class HttpClient::Impl {
 public:
  explicit Impl(ClientOptions options) : options_(std::move(options)) {}

  Result<Response> request(const Call& call, Duration timeout);
  Result<Response> stream(const Call& call, Duration silence,
                          const std::function<bool(std::string_view)>& on_line);
  void interrupt() {
    interrupted_ = true;
    interrupt_.ring();
  }

 private:
  Status connect(const Url& url, BootInstant deadline);
  // One request and its answer on socket_. `stale`: the kept connection turned out to be closed.
  Result<Response> ask(const Call& call, const std::string& text, BootInstant deadline,
                       bool& stale);
  Status send(const Call& call, const std::string& text, BootInstant deadline);
  Error lost(const Call& call, Trouble trouble) const;
  static Error bad_answer(const Call& call, const ResponseReader& reader);

  const ClientOptions options_;
  const RealClock clock_;
  Interrupt interrupt_;
  std::atomic<bool> interrupted_{false};
  std::shared_ptr<TlsContext> tls_;
  std::unique_ptr<ClientSocket> socket_;  // the connection kept for the next call
  Url server_;                            // where socket_ leads
};

Status HttpClient::Impl::connect(const Url& url, BootInstant deadline) {
  socket_.reset();
  if (interrupted_) return fail(Errc::kUnavailable, "interrupted");
  if (url.secure() && !tls_) {
    BELFRY_TRY(tls, TlsContext::for_client(options_.ca_file, options_.verify, options_.own));
    tls_ = std::move(tls);
  }
  BELFRY_TRY(socket,
             ClientSocket::open(url, url.secure() ? tls_.get() : nullptr, interrupt_, deadline));
  socket_ = std::move(socket);
  server_ = url;
  return {};
}

Error HttpClient::Impl::lost(const Call& call, Trouble trouble) const {
  return {.code = Errc::kUnknownOutcome,
          .message = fmt::format("{} {}: {}", call.method, to_string(call.url),
                                 explain(trouble, socket_->trouble())),
          .hint = "it may have been carried out; check before you repeat it"};
}

Error HttpClient::Impl::bad_answer(const Call& call, const ResponseReader& reader) {
  return {.code = Errc::kInternal,
          .message = fmt::format("{} {}: not an answer Belfry understands: {}", call.method,
                                 to_string(call.url), reader.trouble()),
          .hint = "is this the address of a Belfry server?"};
}

Status HttpClient::Impl::send(const Call& call, const std::string& text, BootInstant deadline) {
  const auto sent = socket_->send(text, deadline);
  if (sent.trouble == Trouble::kNone) return {};
  if (!sent.some) {
    return fail(
        {.code = Errc::kUnavailable,
         .message = fmt::format("cannot talk to {}://{}: {}", call.url.scheme, call.url.authority(),
                                explain(sent.trouble, socket_->trouble())),
         .hint = "is the server running, and is this its address?"});
  }
  // A server that refuses a long request answers early and closes; that answer may be there.
  if (sent.trouble == Trouble::kBroken) return {};
  return fail(lost(call, sent.trouble));
}

Result<Response> HttpClient::Impl::ask(const Call& call, const std::string& text,
                                       BootInstant deadline, bool& stale) {
  if (const auto sent = send(call, text, deadline); !sent) {
    stale = sent.error().code == Errc::kUnavailable;
    return fail(sent.error());
  }
  ResponseReader reader(call.method == "HEAD", options_.body_bytes);
  std::string input;
  bool has_bytes = false;
  while (reader.state() == ResponseReader::State::kMore) {
    const auto got = socket_->receive(input, deadline);
    const bool late = clock_.boot_now() > deadline;
    if (got.trouble != Trouble::kNone || late) {
      stale = !has_bytes && got.trouble == Trouble::kBroken && may_be_repeated(call.method);
      return fail(lost(call, late ? Trouble::kTimedOut : got.trouble));
    }
    if (got.bytes == 0) {
      stale = !has_bytes && may_be_repeated(call.method);
      reader.feed_end();
      if (reader.state() == ResponseReader::State::kComplete) break;
      return fail(lost(call, Trouble::kNone));
    }
    has_bytes = true;
    input.erase(0, reader.feed(input));
  }
  if (reader.state() == ResponseReader::State::kRefused) return fail(bad_answer(call, reader));
  if (!reader.keep_alive() || !input.empty()) socket_.reset();
  return std::move(reader.response());
}

Result<Response> HttpClient::Impl::request(const Call& call, Duration timeout) {
  const BootInstant deadline = clock_.boot_now() + timeout;
  BELFRY_TRY(text, call_text(call, options_.user_agent));
  if (socket_ && !interrupted_ && is_same_server(server_, call.url) && socket_->is_quiet()) {
    bool stale = false;
    auto answer = ask(call, text, deadline, stale);
    if (answer) return answer;
    socket_.reset();
    if (!stale) return answer;
  }
  BELFRY_CHECK(connect(call.url, deadline));
  bool ignored = false;
  auto answer = ask(call, text, deadline, ignored);
  if (!answer) socket_.reset();
  return answer;
}

Result<Response> HttpClient::Impl::stream(const Call& call, Duration silence,
                                          const std::function<bool(std::string_view)>& on_line) {
  BELFRY_TRY(text, call_text(call, options_.user_agent));
  BELFRY_CHECK(connect(call.url, clock_.boot_now() + silence));
  // Whatever happens, this connection is not to be used again.
  struct Hangup {
    std::unique_ptr<ClientSocket>& socket;
    ~Hangup() { socket.reset(); }
  } const hangup{socket_};
  BELFRY_CHECK(send(call, text, clock_.boot_now() + silence));
  ResponseReader reader(call.method == "HEAD", options_.body_bytes);
  LineCutter lines;
  std::string input;
  while (true) {
    if (reader.has_header() && reader.response().status / 100 == 2) {
      reader.allow_endless_body();
      if (!lines.cut(reader.response().body, on_line)) break;
      if (lines.unfinished() > options_.body_bytes) {
        return fail(Errc::kInternal, "the stream has a line without end");
      }
    }
    if (reader.state() != ResponseReader::State::kMore) break;
    const auto got = socket_->receive(input, clock_.boot_now() + silence);
    if (got.trouble != Trouble::kNone) return fail(lost(call, got.trouble));
    if (got.bytes == 0) {
      reader.feed_end();
      if (reader.state() != ResponseReader::State::kComplete) {
        return fail(lost(call, Trouble::kNone));
      }
    }
    input.erase(0, reader.feed(input));
  }
  if (reader.state() == ResponseReader::State::kRefused) return fail(bad_answer(call, reader));
  return std::move(reader.response());
}

HttpClient::HttpClient(ClientOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;

Result<Response> HttpClient::request(const Call& call, Duration timeout) {
  return impl_->request(call, timeout);
}

Result<Response> HttpClient::stream(const Call& call, Duration silence,
                                    const std::function<bool(std::string_view line)>& on_line) {
  return impl_->stream(call, silence, on_line);
}

void HttpClient::interrupt() {
  impl_->interrupt();
}

}  // namespace belfry::net

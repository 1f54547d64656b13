#pragma once

#include "net/http.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::net {

// Turns the bytes of a connection into requests and decides which are malformed. No socket, no
// clock; private to net.
class RequestReader {
 public:
  enum class State {
    kMore,      // incomplete
    kHead,      // the header is there, and a body follows: take_body() or refuse it
    kComplete,  // take() it
    kRefused,   // refusal() says why; the rest of the connection is worthless
  };
  struct Limits {
    std::size_t header_bytes;
    std::size_t body_bytes;
  };
  struct Refusal {
    int status = 400;
    std::string detail;
  };

  explicit RequestReader(Limits limits);
  ~RequestReader();

  // Of the request whose header is there; its body is still empty.
  Request& head();
  // Goes on with the body, of at most so many bytes.
  void take_body(std::size_t most);

  // Takes bytes from the front of `input` and returns how many. What it leaves must come first in
  // the next call, with more behind it: lines are only taken whole.
  std::size_t feed(std::string_view input);

  State state() const;
  bool has_begun() const;  // a request is under way
  bool has_head() const;   // and its header is complete
  const Refusal& refusal() const;
  std::size_t body_bytes() const;  // held for the request under way

  // The client waits for "100 Continue" before it sends the body. True once per request.
  bool wants_continue();

  // Of the complete request, or as far as is known of a refused one.
  bool keep_alive() const;
  bool is_http_1_0() const;
  bool is_head() const;
  Request take();  // and begins the next

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace belfry::net

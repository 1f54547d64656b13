#pragma once

#include "net/http.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::net {

// Turns the bytes a server sent into one response. No socket, no clock; private to net.
class ResponseReader {
 public:
  enum class State {
    kMore,      // incomplete
    kComplete,  // the whole response is here
    kRefused,   // not a response, or too long: trouble() says what is wrong
  };

  ResponseReader(bool to_head, std::size_t body_limit);
  ~ResponseReader();

  // As RequestReader::feed.
  std::size_t feed(std::string_view input);
  // The server has closed: this ends a response without a length, and cuts any other short.
  void feed_end();

  State state() const;
  bool has_header() const;
  const std::string& trouble() const;
  bool keep_alive() const;  // of a complete response

  // The response as far as it is known; a reader of a stream takes the body out as it comes.
  Response& response();
  // Lifts the limit on the body, for a stream.
  void allow_endless_body();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace belfry::net

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
    kRefused,   // it is none, or too long: trouble() says what is wrong
  };

  ResponseReader(bool to_head, std::size_t body_limit);
  ~ResponseReader();

  // As RequestReader::feed.
  std::size_t feed(std::string_view input);
  // The server has closed: the end of a response without a length, or the middle of another.
  void feed_end();

  State state() const;
  bool has_header() const;
  const std::string& trouble() const;
  bool keep_alive() const;  // of a complete one

  // The response as far as it is known; a reader of a stream takes the body out as it comes.
  Response& response();
  // Forget how long it has become: for a stream.
  void allow_endless_body();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace belfry::net

#pragma once

#include <cstddef>
#include <cstdint>

namespace belfry::net {

// Where a chunked body stands, so that Beast's parser is never shown the beginning of a chunk
// alone: shown "0 CR LF" and then one byte more, it takes that for a mistake of its own and aborts
// the process (an assertion in Boost 1.81 and later). Every chunk and what must follow it are five
// bytes at least, so waiting for them costs nothing.
class ChunkEdge {
 public:
  void begin(std::uint64_t size) { left_ = size; }
  void take(std::size_t bytes) { left_ -= bytes; }
  // Whether these bytes, which come next in a chunked body, are to wait for more.
  bool must_wait(std::size_t bytes) const { return left_ == 0 && bytes < 5; }

 private:
  std::uint64_t left_ = 0;  // of the chunk under way
};

}  // namespace belfry::net

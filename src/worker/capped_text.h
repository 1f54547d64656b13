#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace belfry::worker {

// Keeps the beginning and the end of a text of any length: people look for how it started and how
// it ended. Costs at most `most` bytes, whatever is added.
class CappedText {
 public:
  explicit CappedText(std::size_t most) : head_most_(most / 2), tail_most_(most - most / 2) {}

  void add(std::string_view bytes);

  std::uint64_t bytes() const { return bytes_; }  // that were added
  bool empty() const { return bytes_ == 0; }

  // As valid UTF-8 without NULs; a note in the middle says how much is missing.
  std::string text() const;

 private:
  const std::size_t head_most_;
  const std::size_t tail_most_;
  std::uint64_t bytes_ = 0;
  std::string head_;
  std::string tail_;  // up to twice its limit, so that it is cut rarely
};

// A stranger's bytes as valid UTF-8 without NULs; whatever else they hold becomes `?`.
std::string as_text(std::string_view bytes);

}  // namespace belfry::worker

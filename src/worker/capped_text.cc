#include "worker/capped_text.h"

#include "base/text/utf8.h"

#include <algorithm>

namespace belfry::worker {

void CappedText::add(std::string_view bytes) {
  bytes_ += bytes.size();
  const std::size_t room = std::min(head_most_ - head_.size(), bytes.size());
  head_.append(bytes.substr(0, room));
  bytes.remove_prefix(room);
  if (bytes.size() > tail_most_) bytes.remove_prefix(bytes.size() - tail_most_);
  tail_.append(bytes);
  if (tail_.size() > 2 * tail_most_) tail_.erase(0, tail_.size() - tail_most_);
}

std::string CappedText::text() const {
  const std::string_view tail =
      std::string_view(tail_).substr(tail_.size() - std::min(tail_.size(), tail_most_));
  const std::uint64_t left_out = bytes_ - head_.size() - tail.size();
  if (left_out == 0) return as_text(head_ + std::string(tail));
  return as_text(head_) + "\n[" + std::to_string(left_out) + " bytes left out]\n" + as_text(tail);
}

std::string as_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Character first = first_character(bytes);
    const std::size_t length = std::max<std::size_t>(first.length, 1);
    if (first.length == 0 || first.code == 0) {
      text += '?';
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

}  // namespace belfry::worker

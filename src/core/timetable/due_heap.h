#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace belfry::core {

// Which group ticks next: a binary heap of (instant, group) in which a group can also be moved or
// taken out by its number.
class DueHeap {
 public:
  struct Entry {
    Instant at;
    std::uint32_t group;
  };

  bool empty() const { return entries_.empty(); }
  const Entry& top() const { return entries_.front(); }

  void set(std::uint32_t group, Instant at) {
    if (group >= positions_.size()) positions_.resize(group + 1, kAbsent);
    std::size_t position = positions_[group];
    if (position == kAbsent) {
      position = entries_.size();
      entries_.push_back({at, group});
      positions_[group] = position;
      sift_up(position);
      return;
    }
    const bool earlier = at < entries_[position].at;
    entries_[position].at = at;
    earlier ? sift_up(position) : sift_down(position);
  }

  void remove(std::uint32_t group) {
    if (group >= positions_.size() || positions_[group] == kAbsent) return;
    const std::size_t position = positions_[group];
    positions_[group] = kAbsent;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (position == entries_.size()) return;
    place(position, last);
    sift_up(position);
    sift_down(positions_[last.group]);
  }

 private:
  static constexpr std::size_t kAbsent = ~std::size_t{0};

  void place(std::size_t position, const Entry& entry) {
    entries_[position] = entry;
    positions_[entry.group] = position;
  }
  void swap_entries(std::size_t a, std::size_t b) {
    const Entry entry = entries_[a];
    place(a, entries_[b]);
    place(b, entry);
  }
  void sift_up(std::size_t position) {
    while (position > 0) {
      const std::size_t parent = (position - 1) / 2;
      if (entries_[parent].at <= entries_[position].at) return;
      swap_entries(parent, position);
      position = parent;
    }
  }
  void sift_down(std::size_t position) {
    while (true) {
      std::size_t least = position;
      for (std::size_t child = 2 * position + 1; child <= 2 * position + 2; ++child) {
        if (child < entries_.size() && entries_[child].at < entries_[least].at) least = child;
      }
      if (least == position) return;
      swap_entries(least, position);
      position = least;
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> positions_;  // by group
};

}  // namespace belfry::core

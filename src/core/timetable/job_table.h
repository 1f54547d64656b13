#pragma once

#include "base/assert.h"
#include "base/ids.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace belfry::core {

// Where a job is kept in a timetable. 16 bytes, because there are ten million of them.
struct JobRecord {
  static constexpr std::uint32_t kFree = ~std::uint32_t{0} - 1;  // nobody lives in this slot

  JobId id;
  std::uint32_t place = kFree;  // which group, or which minute (see timetable.cc)
  std::uint32_t detail = 0;
};

// The jobs of one partition: records in slots that never move, found by id. The index holds slot
// numbers only and compares ids in the records: 4 bytes an entry, linear probing, at most 3/4 full.
class JobTable {
 public:
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  static constexpr std::uint32_t kMostSlots = 1U << 24;  // a slot number fits 24 bits

  std::size_t size() const { return records_.size() - free_.size(); }
  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(records_.size()); }
  JobRecord& operator[](std::uint32_t slot) { return records_[slot]; }
  const JobRecord& operator[](std::uint32_t slot) const { return records_[slot]; }

  void reserve(std::size_t jobs) {
    records_.reserve(jobs);
    if (const std::size_t wanted = std::bit_ceil(jobs * 4 / 3 + 1); wanted > index_.size()) {
      rebuild_index(wanted);
    }
  }

  std::uint32_t find(JobId id) const {
    if (index_.empty()) return kNoSlot;
    for (std::size_t at = home_of(id);; at = next(at)) {
      if (index_[at] == kNoSlot || records_[index_[at]].id == id) return index_[at];
    }
  }

  // A slot for a job that is not there yet.
  std::uint32_t insert(JobId id) {
    if ((size() + 1) * 4 > index_.size() * 3) {
      rebuild_index(std::max<std::size_t>(8, index_.size() * 2));
    }
    std::uint32_t slot = slot_count();
    if (free_.empty()) {
      BELFRY_ASSERT(slot < kMostSlots);
      records_.push_back({.id = id});
    } else {
      slot = free_.back();
      free_.pop_back();
      records_[slot] = {.id = id};
    }
    put_in_index(slot);
    return slot;
  }

  // Closes the hole in the index by moving back the entries that were pushed past it.
  void erase(std::uint32_t slot) {
    std::size_t hole = home_of(records_[slot].id);
    while (index_[hole] != slot) hole = next(hole);
    for (std::size_t at = next(hole); index_[at] != kNoSlot; at = next(at)) {
      const std::size_t home = home_of(records_[index_[at]].id);
      const bool may_move = ((at - home) & mask()) >= ((at - hole) & mask());
      if (!may_move) continue;
      index_[hole] = index_[at];
      hole = at;
    }
    index_[hole] = kNoSlot;
    records_[slot] = {};
    free_.push_back(slot);
  }

  void clear() { *this = JobTable(); }

 private:
  std::size_t mask() const { return index_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  std::size_t home_of(JobId id) const {
    return (id.value() * 0x9e37'79b9'7f4a'7c15 >> 32) & mask();  // ids may be consecutive
  }
  void put_in_index(std::uint32_t slot) {
    std::size_t at = home_of(records_[slot].id);
    while (index_[at] != kNoSlot) at = next(at);
    index_[at] = slot;
  }
  void rebuild_index(std::size_t capacity) {
    std::vector<std::uint32_t> old(capacity, kNoSlot);
    old.swap(index_);
    for (const std::uint32_t slot : old) {
      if (slot != kNoSlot) put_in_index(slot);
    }
  }

  std::vector<JobRecord> records_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> index_;  // size is a power of two
};

}  // namespace belfry::core

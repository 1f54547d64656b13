#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

namespace belfry {

// Divides what is scarce among those who want it, without knowing them beforehand. Whoever holds
// some may have more only while enough is left for others: `weight` times what is free. So one
// alone gets weight/(weight+1) of it all, and the next finds as great a part of the rest. Nothing
// is taken away, but who has more than its part cannot take again what it gave back: holders who
// come and go end up with equal parts. Not thread-safe.
class FairShare {
 public:
  static constexpr std::size_t kWeight = 5;  // one alone: five sixths

  explicit FairShare(std::size_t total, std::size_t weight = kWeight)
      : total_(total), weight_(weight) {}

  // False: nothing was taken, because all is used or `who` has its share.
  bool take(const std::string& who, std::size_t amount = 1) {
    const std::size_t free = total_ - used_;
    if (amount > free) return false;
    const auto found = held_.find(who);
    const std::size_t held = found == held_.end() ? 0 : found->second;
    if (held + amount > weight_ * free) return false;
    used_ += amount;
    if (found != held_.end()) {
      found->second += amount;
    } else {
      held_.emplace(who, amount);
    }
    return true;
  }

  // What was taken before.
  void give_back(const std::string& who, std::size_t amount = 1) {
    const auto found = held_.find(who);
    if (found == held_.end()) return;
    used_ -= amount;
    found->second -= amount;
    if (found->second == 0) held_.erase(found);
  }

  std::size_t used() const { return used_; }

 private:
  const std::size_t total_;
  const std::size_t weight_;
  std::size_t used_ = 0;
  std::unordered_map<std::string, std::size_t> held_;  // nobody with nothing
};

}  // namespace belfry

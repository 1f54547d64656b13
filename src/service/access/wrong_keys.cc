#include "service/access/wrong_keys.h"

#include <algorithm>
#include <chrono>

namespace belfry::service {
namespace {

constexpr double kTries = 10;
constexpr Duration kBetweenTries = std::chrono::seconds(6);
constexpr std::size_t kMostNetworks = 100'000;

}  // namespace

WrongKeys::Tries& WrongKeys::tries_of(const std::string& network) {
  const BootInstant now = clock_.boot_now();
  if (tries_.size() > kMostNetworks) tries_.clear();  // everybody starts anew
  Tries& tries = tries_.try_emplace(network, Tries{kTries, now}).first->second;
  const auto gained = std::chrono::duration<double>(now - tries.counted) / kBetweenTries;
  tries = {.left = std::min(kTries, tries.left + gained), .counted = now};
  return tries;
}

std::optional<Duration> WrongKeys::wait_of(const std::string& network) {
  const MutexLock lock(mutex_);
  if (!tries_.contains(network)) return {};
  const double left = tries_of(network).left;
  if (left >= 1) return {};
  return std::chrono::duration_cast<Duration>(kBetweenTries * (1 - left)) + Duration(1);
}

void WrongKeys::note(const std::string& network, const std::string& address) {
  tried_.add();
  {
    const MutexLock lock(mutex_);
    Tries& tries = tries_of(network);
    tries.left = std::max(0.0, tries.left - 1);
  }
  log_.warn("wrong_key", {{"address", address}});
}

}  // namespace belfry::service

#include "service/work/cancel_watch.h"

#include <chrono>
#include <utility>

namespace belfry::service {
namespace {

constexpr Duration kAtOnce = Duration::zero();
constexpr Duration kNotSooner = std::chrono::milliseconds(100);

}  // namespace

void CancelWatch::add(const store::RunGrant& grant, OnCancel on_cancel) {
  const MutexLock lock(mutex_);
  held_[grant] = {std::move(on_cancel), looks_};
}

void CancelWatch::remove(const store::RunGrant& grant) {
  const MutexLock lock(mutex_);
  held_.erase(grant);
}

void CancelWatch::poke() {
  {
    const MutexLock lock(mutex_);
    if (held_.empty()) return;
    again_ = true;
    if (std::exchange(looking_, true)) return;
  }
  later_(kAtOnce, [this] { look(); });
}

// What has been handed out since the look before is asked for by the next one.
std::vector<store::RunGrant> CancelWatch::next_to_ask() {
  std::vector<store::RunGrant> grants;
  for (const auto& [grant, held] : held_) {
    if (held.since < looks_) grants.push_back(grant);
  }
  ++looks_;
  again_ = again_ || grants.size() < held_.size();
  return grants;
}

void CancelWatch::look() {
  std::vector<store::RunGrant> grants;
  {
    const MutexLock lock(mutex_);
    if (!std::exchange(again_, false)) {
      looking_ = false;
      return;
    }
    grants = next_to_ask();
  }
  if (grants.empty()) return later_(kNotSooner, [this] { look(); });
  // A failure does no harm: the next heartbeat tells the worker, too.
  const auto facts = store_.facts_of(grants);
  std::vector<std::pair<store::RunGrant, OnCancel>> told;
  if (facts) {
    std::map<store::RunGrant, bool> cancelled;
    for (const store::AttemptFacts& fact : *facts) cancelled[fact.grant] = fact.cancel_requested;
    const MutexLock lock(mutex_);
    for (const store::RunGrant& grant : grants) {
      const auto found = held_.find(grant);
      const auto fact = cancelled.find(grant);
      if (found == held_.end() || (fact != cancelled.end() && !fact->second)) continue;
      if (fact != cancelled.end()) told.emplace_back(grant, std::move(found->second.on_cancel));
      held_.erase(found);  // cancelled, or held by nobody any more
    }
  }
  for (const auto& [grant, on_cancel] : told) on_cancel(grant);
  later_(kNotSooner, [this] { look(); });
}

}  // namespace belfry::service

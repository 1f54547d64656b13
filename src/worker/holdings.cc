#include "worker/holdings.h"

#include <algorithm>

namespace belfry::worker {
namespace {

constexpr Duration kPauseAfterError = std::chrono::milliseconds(500);
constexpr Duration kLookAgain = std::chrono::milliseconds(100);  // for news
constexpr std::size_t kMostBytes = 2 * 1024 * 1024;              // of logs in one call

}  // namespace

std::shared_ptr<Context> Holdings::take(Task task) {
  const BootInstant now = clock_.boot_now();
  const Grant grant = task.grant();
  const BootInstant granted = now - task.age;
  auto context = std::make_shared<Context>(std::move(task), clock_, now);
  const MutexLock lock(mutex_);
  held_[grant] = {.context = context,
                  .trusted_until = granted + lease_,
                  .beat_at = granted + lease_ / 3,
                  .news_at = now};
  return context;
}

bool Holdings::is_fresh(const Grant& grant) const {
  const BootInstant now = clock_.boot_now();
  const MutexLock lock(mutex_);
  const auto found = held_.find(grant);
  if (found == held_.end() || is_lost(found->second, now)) return false;
  return now < found->second.trusted_until - (lease_ - lease_ / 3);
}

std::vector<Heartbeat> Holdings::due() {
  const BootInstant now = clock_.boot_now();
  std::vector<Heartbeat> beats;
  std::size_t bytes = 0;
  const MutexLock lock(mutex_);
  for (auto& [grant, held] : held_) {
    Context& context = *held.context;
    if (!held.lost && now >= held.trusted_until) {
      held.lost = true;
      context.cancel(CancelReason::kLeaseLost);
    }
    if (held.lost) continue;
    if (now >= context.deadline()) context.cancel(CancelReason::kDeadline);
    const bool news = context.has_news() && now >= held.news_at;
    if (now < held.beat_at && !news) continue;
    Heartbeat& beat = beats.emplace_back(Heartbeat{grant, context.take_progress()});
    if (bytes < kMostBytes) beat.log = context.take_log();  // the others send theirs next time
    bytes += beat.log ? beat.log->size() : 0;
    if (beat.log || beat.progress) held.news_at = now + news_every_;
    held.beat_at = now + lease_ / 3;
  }
  return beats;
}

BootInstant Holdings::next_due() const {
  const BootInstant now = clock_.boot_now();
  const MutexLock lock(mutex_);
  BootInstant next = now + (held_.empty() ? kLookAgain * 10 : kLookAgain);
  for (const auto& [grant, held] : held_) {
    if (held.lost) continue;
    next = std::min({next, held.beat_at, held.trusted_until});
    if (const BootInstant deadline = held.context->deadline(); deadline > now) {
      next = std::min(next, deadline);
    }
  }
  return next;
}

std::vector<Grant> Holdings::answered(std::span<const Heartbeat> beats,
                                      std::span<const HeartbeatAnswer> answers, BootInstant sent) {
  std::vector<Grant> lost;
  const MutexLock lock(mutex_);
  for (std::size_t i = 0; i < beats.size() && i < answers.size(); ++i) {
    const auto found = held_.find(beats[i].grant);
    if (found == held_.end()) continue;
    Held& held = found->second;
    if (answers[i] == HeartbeatAnswer::kFenced) {
      held.lost = true;
      held.context->cancel(CancelReason::kLeaseLost);
      lost.push_back(beats[i].grant);
      continue;
    }
    if (answers[i] == HeartbeatAnswer::kCancel) held.context->cancel(CancelReason::kAsked);
    held.trusted_until = sent + lease_;
  }
  return lost;
}

void Holdings::not_answered(std::span<const Heartbeat> beats) {
  const BootInstant again = clock_.boot_now() + kPauseAfterError;
  const MutexLock lock(mutex_);
  for (const Heartbeat& beat : beats) {
    const auto found = held_.find(beat.grant);
    if (found == held_.end()) continue;
    found->second.context->retell();
    found->second.beat_at = again;
    found->second.news_at = again;
  }
}

bool Holdings::holds(const Grant& grant) const {
  const BootInstant now = clock_.boot_now();
  const MutexLock lock(mutex_);
  const auto found = held_.find(grant);
  return found != held_.end() && !is_lost(found->second, now);
}

void Holdings::drop(const Grant& grant) {
  const MutexLock lock(mutex_);
  held_.erase(grant);
}

void Holdings::cancel(const Grant& grant, CancelReason reason) {
  const MutexLock lock(mutex_);
  const auto found = held_.find(grant);
  if (found != held_.end()) found->second.context->cancel(reason);
}

void Holdings::cancel_all(CancelReason reason) {
  const MutexLock lock(mutex_);
  for (auto& [grant, held] : held_) held.context->cancel(reason);
}

std::size_t Holdings::size() const {
  const MutexLock lock(mutex_);
  return held_.size();
}

}  // namespace belfry::worker

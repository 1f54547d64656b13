#include "worker/context.h"

#include <algorithm>

namespace belfry::worker {

std::string_view name_of(CancelReason reason) {
  switch (reason) {
    case CancelReason::kNone: return "none";
    case CancelReason::kAsked: return "asked";
    case CancelReason::kDeadline: return "deadline";
    case CancelReason::kLeaseLost: return "lease_lost";
    case CancelReason::kShutdown: break;
  }
  return "shutdown";
}

CancelReason Context::why() const {
  {
    const MutexLock lock(mutex_);
    if (reason_ != CancelReason::kNone) return reason_;
  }
  return clock_.boot_now() >= deadline_ ? CancelReason::kDeadline : CancelReason::kNone;
}

bool Context::wait(Duration time) {
  const BootInstant until = std::min(clock_.boot_now() + time, deadline_);
  const MutexLock lock(mutex_);
  while (reason_ == CancelReason::kNone) {
    const Duration left = until - clock_.boot_now();
    if (left <= Duration::zero()) return until < deadline_;
    cancelled_.wait_for(mutex_, left);
  }
  return false;
}

void Context::on_cancel(std::function<void()> call) {
  bool now = false;
  {
    const MutexLock lock(mutex_);
    now = reason_ != CancelReason::kNone;
    on_cancel_ = call;
  }
  if (now && call) call();
}

// The callback is called under the lock, so that a handler that took it back is not called later.
void Context::cancel(CancelReason reason) {
  const MutexLock lock(mutex_);
  if (reason_ != CancelReason::kNone && reason != CancelReason::kLeaseLost) return;
  reason_ = reason;
  cancelled_.notify_all();
  if (on_cancel_) on_cancel_();
}

void Context::log(std::string_view line) {
  write(std::string(line) + "\n");
}

void Context::write(std::string_view bytes) {
  if (bytes.empty()) return;
  const MutexLock lock(mutex_);
  log_.add(bytes);
  new_log_ = true;
}

void Context::progress(std::int64_t done, std::int64_t total) {
  const MutexLock lock(mutex_);
  // Servers refuse negative numbers, and with them the heartbeats of all runs.
  progress_ = Progress{std::max<std::int64_t>(done, 0), std::max<std::int64_t>(total, 0)};
  new_progress_ = true;
}

bool Context::has_news() const {
  const MutexLock lock(mutex_);
  return new_log_ || new_progress_;
}

std::optional<std::string> Context::take_log() {
  const MutexLock lock(mutex_);
  if (!std::exchange(new_log_, false)) return std::nullopt;
  return log_.text();
}

std::optional<Progress> Context::take_progress() {
  const MutexLock lock(mutex_);
  if (!std::exchange(new_progress_, false)) return std::nullopt;
  return progress_;
}

void Context::retell() {
  const MutexLock lock(mutex_);
  new_log_ = !log_.empty();
  new_progress_ = progress_.has_value();
}

std::string Context::log_text() const {
  const MutexLock lock(mutex_);
  return log_.text();
}

std::optional<Progress> Context::last_progress() const {
  const MutexLock lock(mutex_);
  return progress_;
}

}  // namespace belfry::worker

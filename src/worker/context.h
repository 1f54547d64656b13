#pragma once

#include "base/clock.h"
#include "base/condition.h"
#include "base/mutex.h"
#include "worker/capped_text.h"
#include "worker/task.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace belfry::worker {

enum class CancelReason : std::uint8_t {
  kNone,
  kAsked,      // a person, or a newer run that replaces this one
  kDeadline,   // the attempt's time is up
  kLeaseLost,  // another worker may have the run by now: change nothing more
  kShutdown,   // the worker stops and has waited long enough
};

// "lease_lost", for logs.
std::string_view name_of(CancelReason reason);

// A run as its handler sees it. Thread-safe; lives as long as the handler runs.
class Context {
 public:
  static constexpr std::size_t kMostLog = 64 * 1024;

  // The attempt began (by `clock`) at `start`.
  Context(Task task, const Clock& clock, BootInstant start)
      : task_(std::move(task)), clock_(clock), deadline_(start + task_.timeout) {}

  const Task& task() const { return task_; }
  const Json& payload() const { return task_.payload; }
  // The same for all attempts of the run: what makes an effect happen once.
  const std::string& idempotency_key() const { return task_.idempotency_key; }
  const std::string& traceparent() const { return task_.traceparent; }
  std::uint64_t fence() const { return task_.fence; }

  // Whether to stop, and why. A handler should look now and then, or wait() instead of sleeping.
  bool cancelled() const { return why() != CancelReason::kNone; }
  CancelReason why() const;
  Duration time_left() const { return deadline_ - clock_.boot_now(); }
  BootInstant deadline() const { return deadline_; }
  // Lets time pass; false as soon as the run is cancelled.
  bool wait(Duration time);
  // Called at once if the run is cancelled already; otherwise from another thread, and then it must
  // not call back into the context. An empty function takes it back: after that it is not called.
  void on_cancel(std::function<void()> call);

  // Shown with the run while it runs. One line at a time, or any bytes.
  void log(std::string_view line);
  void write(std::string_view bytes);
  void progress(std::int64_t done, std::int64_t total);

  // ---- For the runtime

  // The first reason stays, except that a lost lease outweighs all.
  void cancel(CancelReason reason);
  // What changed since it was last taken.
  bool has_news() const;
  std::optional<std::string> take_log();
  std::optional<Progress> take_progress();
  // What was taken did not arrive: it is news again.
  void retell();
  // All that is kept of what the handler wrote.
  std::string log_text() const;
  std::optional<Progress> last_progress() const;

 private:
  const Task task_;
  const Clock& clock_;
  const BootInstant deadline_;

  mutable Mutex mutex_;
  Condition cancelled_;
  CancelReason reason_ BELFRY_GUARDED_BY(mutex_) = CancelReason::kNone;
  std::function<void()> on_cancel_ BELFRY_GUARDED_BY(mutex_);
  CappedText log_ BELFRY_GUARDED_BY(mutex_){kMostLog - 100};
  std::optional<Progress> progress_ BELFRY_GUARDED_BY(mutex_);
  bool new_log_ BELFRY_GUARDED_BY(mutex_) = false;
  bool new_progress_ BELFRY_GUARDED_BY(mutex_) = false;
};

}  // namespace belfry::worker

#include "worker/worker.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <thread>
#include <utility>

namespace belfry::worker {
namespace {

constexpr Duration kFirstPause = std::chrono::milliseconds(250);
constexpr Duration kLongestPause = std::chrono::seconds(5);
constexpr Duration kLongWait = std::chrono::seconds(60);
constexpr std::size_t kMostEnds = 500;               // in one report
constexpr std::size_t kMostBytes = 2 * 1024 * 1024;  // of their logs and results

// Cuts an outcome to what a server takes. A result that does not fit is dropped; its run was done.
void fit(Context& context, Outcome& outcome) {
  constexpr std::size_t kMostError = 8 * 1024;
  constexpr std::size_t kMostResult = 64 * 1024;
  outcome.error = as_text(outcome.error);
  if (outcome.error.size() > kMostError) {
    CappedText shorter(kMostError);
    shorter.add(outcome.error);
    outcome.error = shorter.text();
  }
  if (outcome.result.is_null()) return;
  const std::string written = write_json(outcome.result);
  const auto readable = parse_json(written);
  if (written.size() <= kMostResult && readable) return;
  outcome.result = nullptr;
  context.log(readable ? "[the result has " + std::to_string(written.size()) +
                             " bytes and was left out; the limit is 64 KiB]"
                       : "[the result was left out: " + readable.error().message + "]");
}

std::size_t size_of(const Completion& end) {
  const std::size_t result = end.result.is_null() ? 0 : write_json(end.result).size();
  return result + end.log.value_or("").size();
}

Completion end_of(const Context& context, Outcome outcome) {
  return {.grant = context.task().grant(),
          .succeeded = outcome.kind == Outcome::Kind::kDone,
          .result = std::move(outcome.result),
          .error = std::move(outcome.error),
          .retryable = outcome.kind != Outcome::Kind::kFailedForGood,
          .retry_after = outcome.retry_after};
}

// An attempt that ran into its deadline says nothing: the store calls it TIMED_OUT by itself, and
// whatever we said would be a race with that.
bool is_silent(const Context& context, const Outcome& outcome) {
  return outcome.kind != Outcome::Kind::kDone && context.why() == CancelReason::kDeadline;
}

}  // namespace

Worker::Worker(Transport& transport, const Clock& clock, Logger& log, WorkerOptions options)
    : transport_(transport),
      clock_(clock),
      log_(log),
      options_(std::move(options)),
      holdings_(clock, options_.lease, options_.news_every) {}

void Worker::handle(const std::string& job_type, Handler handler) {
  handlers_[job_type] = std::move(handler);
}

void Worker::handle_exec(const std::string& job_type, Handler handler) {
  exec_handlers_[job_type] = std::move(handler);
}

Status Worker::run() {
  transport_.on_cancel(
      [this](const Grant& grant) { holdings_.cancel(grant, CancelReason::kAsked); });
  std::vector<std::thread> threads;
  threads.emplace_back([this] { beat_loop(); });
  threads.emplace_back([this] { report_loop(); });
  for (std::size_t i = 0; i < options_.concurrency; ++i) {
    threads.emplace_back([this] { handle_tasks(); });
  }
  Status status = claim_loop();
  return_rest();
  drain();
  close();
  for (std::thread& thread : threads) thread.join();
  transport_.on_cancel({});
  return status;
}

void Worker::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  transport_.stop_claiming();
  changed_.notify_all();
}

void Worker::close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

// False when it is time to stop.
bool Worker::pause(Duration time) {
  const BootInstant until = clock_.boot_now() + time;
  const MutexLock lock(mutex_);
  while (!stopping_) {
    const Duration left = until - clock_.boot_now();
    if (left <= Duration::zero()) return true;
    changed_.wait_for(mutex_, left);
  }
  return false;
}

// How many runs it can take; 0 when it is to stop.
std::size_t Worker::wait_for_room() {
  const MutexLock lock(mutex_);
  while (!stopping_) {
    const std::size_t held = holdings_.size();
    if (held < options_.concurrency) return options_.concurrency - held;
    changed_.wait_for(mutex_, kLongWait);
  }
  return 0;
}

ClaimRequest Worker::want() const {
  ClaimRequest want{.worker = options_.name,
                    .lease = options_.lease,
                    .wait = options_.poll,
                    .region = options_.region};
  for (const auto& [type, handler] : handlers_) want.job_types.push_back(type);
  for (const auto& [type, handler] : exec_handlers_) want.exec_types.push_back(type);
  return want;
}

Status Worker::claim_loop() {
  ClaimRequest wanted = want();
  Duration wait = kFirstPause;
  for (;;) {
    wanted.max_runs = wait_for_room();
    if (wanted.max_runs == 0) return {};
    auto tasks = transport_.claim(wanted);
    if (!tasks) {
      if (!pause(Duration::zero())) return {};
      if (tasks.error().code == Errc::kInvalid) return fail(tasks.error());
      log_.warn("claim_failed", {{"reason", to_string(tasks.error())}});
      if (!pause(wait)) return {};
      wait = std::min(wait * 2, kLongestPause);
      continue;
    }
    wait = kFirstPause;
    take(*std::move(tasks));
  }
}

// Runs that arrive after stop() are not begun.
void Worker::take(std::vector<Task> tasks) {
  {
    const MutexLock lock(mutex_);
    for (Task& task : tasks) {
      Running context = holdings_.take(std::move(task));
      if (stopping_) {
        reports_.push_back({.grant = context->task().grant(), .returned = true});
      } else {
        waiting_.push_back(std::move(context));
      }
    }
  }
  if (!tasks.empty()) changed_.notify_all();
}

// Takes the runs that were on their way when we were told to stop, only to give them back.
void Worker::return_rest() {
  if (pause(Duration::zero())) return;  // we end for another reason: no server to talk to
  for (;;) {
    auto tasks = transport_.claim(want());
    if (!tasks || tasks->empty()) return;
    take(*std::move(tasks));
  }
}

// ---- Handlers

void Worker::handle_tasks() {
  for (;;) {
    Running context;
    {
      const MutexLock lock(mutex_);
      while (waiting_.empty()) {
        if (closed_) return;
        changed_.wait_for(mutex_, kLongWait);
      }
      context = std::move(waiting_.front());
      waiting_.pop_front();
      if (!holdings_.is_fresh(context->task().grant())) {
        log_.warn("late_claim",
                  {{"run", context->task().run_id}, {"fence", context->task().fence}});
        aside_.push_back(std::move(context));
        changed_.notify_all();
        continue;
      }
    }
    finish(*context, attempt(*context));
  }
}

// Those that have beaten meanwhile may begin; those that were lost never do.
void Worker::begin_aside() {
  const MutexLock lock(mutex_);
  std::erase_if(aside_, [this](Running& context) BELFRY_REQUIRES(mutex_) {
    const Grant grant = context->task().grant();
    if (!holdings_.holds(grant)) {
      log_.warn("lease_lost", {{"run", grant.run_id}, {"fence", grant.fence}});
      holdings_.drop(grant);
    } else if (stopping_) {
      reports_.push_back({.grant = grant, .returned = true});
    } else if (holdings_.is_fresh(grant)) {
      waiting_.push_back(std::move(context));
    } else {
      return false;
    }
    changed_.notify_all();
    return true;
  });
}

const Handler* Worker::handler_of(const Task& task) const {
  const bool exec = task.target.is_object() && task.target.value("kind", "") == "EXEC";
  const auto& handlers = exec ? exec_handlers_ : handlers_;
  const auto found = handlers.find(task.job_type);
  return found == handlers.end() ? nullptr : &found->second;
}

Outcome Worker::attempt(Context& context) {
  if (context.cancelled()) return cancelled();
  try {
    const Handler* handler = handler_of(context.task());
    if (handler != nullptr) return (*handler)(context);
    // Another worker of the same types would know no better.
    return failed_for_good("unknown_handler: this worker has no handler for `" +
                           context.task().job_type + "`");
  } catch (const std::exception& error) {  // handlers are strangers' code
    return failed(error.what());
  } catch (...) {
    return failed("the handler threw something that is not a std::exception");
  }
}

void Worker::finish(Context& context, Outcome outcome) {
  const Task& task = context.task();
  const bool lost = !holdings_.holds(task.grant());
  if (lost || is_silent(context, outcome)) {
    log_.warn("not_reported",
              {{"run", task.run_id},
               {"fence", task.fence},
               {"reason", name_of(lost ? CancelReason::kLeaseLost : CancelReason::kDeadline)}});
    return let_go(task.grant());
  }
  const bool broken_off =
      outcome.kind == Outcome::Kind::kCancelled && context.why() == CancelReason::kShutdown;
  fit(context, outcome);
  Completion end = end_of(context, std::move(outcome));
  end.returned = broken_off;
  end.progress = context.take_progress();
  end.log = context.take_log();
  {
    const MutexLock lock(mutex_);
    reports_.push_back(std::move(end));
  }
  changed_.notify_all();
}

void Worker::let_go(const Grant& grant) {
  {
    const MutexLock lock(mutex_);
    holdings_.drop(grant);
  }
  changed_.notify_all();
}

// ---- Beats

void Worker::beat_loop() {
  for (;;) {
    const std::vector<Heartbeat> beats = holdings_.due();
    if (!beats.empty()) {
      const BootInstant sent = clock_.boot_now();
      const auto answers = transport_.heartbeat(beats, options_.lease);
      if (answers) {
        for (const Grant& grant : holdings_.answered(beats, *answers, sent)) {
          log_.warn("lease_lost", {{"run", grant.run_id}, {"fence", grant.fence}});
        }
      } else {
        log_.warn("beat_failed", {{"reason", to_string(answers.error())}});
        holdings_.not_answered(beats);
      }
    }
    begin_aside();
    const Duration wait = holdings_.next_due() - clock_.boot_now();
    const MutexLock lock(mutex_);
    if (closed_) return;
    if (wait > Duration::zero()) changed_.wait_for(mutex_, wait);
  }
}

// ---- Reports

std::vector<Completion> Worker::next_reports() {
  const MutexLock lock(mutex_);
  while (reports_.empty()) {
    if (closed_) return {};
    changed_.wait_for(mutex_, kLongWait);
  }
  std::size_t count = 0;
  for (std::size_t bytes = 0; count < std::min(reports_.size(), kMostEnds) && bytes < kMostBytes;) {
    bytes += size_of(reports_[count++]);
  }
  const auto middle = reports_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Completion> first(std::make_move_iterator(reports_.begin()),
                                std::make_move_iterator(middle));
  reports_.erase(reports_.begin(), middle);
  return first;
}

// Everything that ended while the last report was under way goes into the next.
void Worker::report_loop() {
  for (;;) {
    std::vector<Completion> ends = next_reports();
    if (ends.empty()) return;
    report(std::move(ends));
  }
}

// Repeats until each is answered or lost: a repeated report gets the same answer.
void Worker::report(std::vector<Completion> ends) {
  Duration wait = kFirstPause;
  for (;;) {
    std::erase_if(ends, [this](const Completion& end) {
      if (holdings_.holds(end.grant)) return false;
      log_.warn("not_reported", {{"run", end.grant.run_id}, {"reason", "lease_lost"}});
      let_go(end.grant);
      return true;
    });
    if (ends.empty()) return;
    const auto answers = transport_.complete(ends);
    if (!answers) log_.warn("report_failed", {{"reason", to_string(answers.error())}});
    if (!answers && answers.error().code == Errc::kInvalid) return report_singly(std::move(ends));
    std::vector<Completion> open;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (!answers || i >= answers->size() || (*answers)[i] == CompletionAnswer::kAgain) {
        open.push_back(std::move(ends[i]));
        continue;
      }
      if ((*answers)[i] == CompletionAnswer::kFenced) {
        log_.warn("fenced", {{"run", ends[i].grant.run_id}, {"fence", ends[i].grant.fence}});
      }
      let_go(ends[i].grant);
    }
    ends = std::move(open);
    if (ends.empty()) return;
    // Other news rings the same bell, and is no reason to ask sooner.
    const BootInstant until = clock_.boot_now() + wait;
    const MutexLock lock(mutex_);
    while (clock_.boot_now() < until) changed_.wait_for(mutex_, until - clock_.boot_now());
    wait = std::min(wait * 2, kLongestPause);
  }
}

// One of them is refused however often we try; alone, it does not take the others with it.
void Worker::report_singly(std::vector<Completion> ends) {
  if (ends.size() == 1) return let_go(ends.front().grant);
  for (Completion& end : ends) {
    std::vector<Completion> one;
    one.push_back(std::move(end));
    report(std::move(one));
  }
}

void Worker::drain() {
  const BootInstant cancel_at = clock_.boot_now() + options_.grace;
  bool cancelled = false;
  const MutexLock lock(mutex_);
  while (holdings_.size() > 0) {
    const Duration left = cancel_at - clock_.boot_now();
    if (!cancelled && left <= Duration::zero()) {
      holdings_.cancel_all(CancelReason::kShutdown);
      cancelled = true;
    }
    changed_.wait_for(mutex_, cancelled ? kLongestPause : left);
  }
}

}  // namespace belfry::worker

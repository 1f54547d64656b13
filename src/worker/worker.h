#pragma once

#include "base/clock.h"
#include "base/condition.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "base/result.h"
#include "worker/context.h"
#include "worker/holdings.h"
#include "worker/outcome.h"
#include "worker/transport.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belfry::worker {

// Does one attempt of a run. What it throws is a failure that is tried again.
using Handler = std::function<Outcome(Context&)>;

struct WorkerOptions {
  std::string name;              // shown in the history
  std::size_t concurrency = 10;  // runs at once
  Duration lease = std::chrono::seconds(30);
  // How long runs may go on after stop() before they are cancelled.
  Duration grace = std::chrono::seconds(30);
  Duration poll = std::chrono::seconds(20);       // how long one claim waits for runs
  Duration news_every = std::chrono::seconds(1);  // logs and progress of a run, at most this often
  std::string region = {};  // where it works; empty: in the region of the node that it asks
};

// Takes runs of the types it has handlers for and does them:
//
//   Worker worker(transport, clock, log, {.name = "billing-1"});
//   worker.handle("invoice", [](Context& run) { return send(run.payload()); });
//   return worker.run();
//
// Heartbeats are its own business, on a thread that no handler can hold up. A run whose lease is
// lost is cancelled, and what its handler returns is not reported: somebody else has it.
class Worker {
 public:
  Worker(Transport& transport, const Clock& clock, Logger& log, WorkerOptions options);

  // Before run().
  void handle(const std::string& job_type, Handler handler);
  // For jobs of this type whose target is a command.
  void handle_exec(const std::string& job_type, Handler handler);

  // Works until stop(), then drains: gives back what it has not begun, lets running ones end within
  // `grace`, cancels the rest and gives them back too. Others continue those at once, and no
  // attempt is used up. An error means that the server will never give us anything.
  Status run();

  // From any thread.
  void stop();

 private:
  using Running = std::shared_ptr<Context>;

  ClaimRequest want() const;
  Status claim_loop();
  void take(std::vector<Task> tasks);
  void return_rest();
  std::size_t wait_for_room();
  void handle_tasks();
  void begin_aside();
  void beat_loop();
  void report_loop();
  void drain();
  void close();

  const Handler* handler_of(const Task& task) const;
  Outcome attempt(Context& context);
  void finish(Context& context, Outcome outcome);
  std::vector<Completion> next_reports();
  void report(std::vector<Completion> ends);
  void report_singly(std::vector<Completion> ends);
  void let_go(const Grant& grant);
  bool pause(Duration time);

  Transport& transport_;
  const Clock& clock_;
  Logger& log_;
  const WorkerOptions options_;
  std::map<std::string, Handler> handlers_;
  std::map<std::string, Handler> exec_handlers_;
  Holdings holdings_;

  Mutex mutex_;
  Condition changed_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;  // no new runs
  bool closed_ BELFRY_GUARDED_BY(mutex_) = false;    // all threads end
  std::deque<Running> waiting_ BELFRY_GUARDED_BY(mutex_);
  std::vector<Running> aside_ BELFRY_GUARDED_BY(mutex_);  // not begun before they have beaten
  std::vector<Completion> reports_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::worker

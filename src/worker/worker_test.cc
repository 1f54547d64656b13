#include "worker/worker.h"

#include "base/real_clock.h"
#include "tests/support/event.h"
#include "worker/exec_handler.h"
#include "worker/tryout.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <thread>

namespace belfry::worker {
namespace {

using namespace std::chrono_literals;
using Kind = Outcome::Kind;

// A server in memory: hands out what it is given and writes down what it is told.
class FakeTransport final : public Transport {
 public:
  void offer(const std::string& run, const std::string& type = "default", Duration age = {}) {
    Task task;
    task.age = age;
    task.run_id = run;
    task.fence = 1;
    task.job_type = type;
    {
      const MutexLock lock(mutex_);
      tasks_.push_back(task);
    }
    changed_.notify_all();
  }
  void answer_beats(HeartbeatAnswer answer) {
    const MutexLock lock(mutex_);
    beat_answer_ = answer;
  }
  // Granted at the moment the worker is told to stop.
  void leave_behind(const std::string& run) {
    const MutexLock lock(mutex_);
    left_.run_id = run;
    left_.fence = 1;
    left_.job_type = "default";
  }
  void refuse_end_of(const std::string& run) {
    const MutexLock lock(mutex_);
    refused_ = run;
  }
  void fail_ends(int times) {
    const MutexLock lock(mutex_);
    failures_ = times;
  }
  Completion wait_for(const std::string& run) {
    const RealClock clock;
    const BootInstant end = clock.boot_now() + test::kPatience;
    const MutexLock lock(mutex_);
    while (!ends_.contains(run) && clock.boot_now() < end) changed_.wait_for(mutex_, 1s);
    return ends_[run];
  }
  bool has_end(const std::string& run) {
    const MutexLock lock(mutex_);
    return ends_.contains(run);
  }
  int beats_of(const std::string& run) {
    const MutexLock lock(mutex_);
    return beats_[run];
  }
  void wait_for_beat(const std::string& run) {
    const MutexLock lock(mutex_);
    while (beats_[run] == 0) changed_.wait_for(mutex_, 1s);
  }
  std::size_t most_asked() {
    const MutexLock lock(mutex_);
    return most_asked_;
  }

  Result<std::vector<Task>> claim(const ClaimRequest& want) override {
    const MutexLock lock(mutex_);
    most_asked_ = std::max(most_asked_, want.max_runs);
    while (tasks_.empty() && !stopped_) changed_.wait_for(mutex_, 1s);
    if (tasks_.empty()) return fail(Errc::kUnavailable, "stopped");
    const std::size_t count = std::min(want.max_runs, tasks_.size());
    std::vector<Task> taken(tasks_.begin(), tasks_.begin() + static_cast<std::ptrdiff_t>(count));
    tasks_.erase(tasks_.begin(), tasks_.begin() + static_cast<std::ptrdiff_t>(count));
    return taken;
  }
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const Heartbeat> beats,
                                                 Duration) override {
    const MutexLock lock(mutex_);
    for (const Heartbeat& beat : beats) ++beats_[beat.grant.run_id];
    changed_.notify_all();
    return std::vector<HeartbeatAnswer>(beats.size(), beat_answer_);
  }
  Result<std::vector<CompletionAnswer>> complete(std::span<const Completion> ends) override {
    const MutexLock lock(mutex_);
    if (failures_ > 0) {
      --failures_;
      return fail(Errc::kUnavailable, "not now");
    }
    for (const Completion& end : ends) {
      if (end.grant.run_id == refused_) return fail(Errc::kInvalid, "no");
    }
    for (const Completion& end : ends) ends_[end.grant.run_id] = end;
    changed_.notify_all();
    return std::vector<CompletionAnswer>(ends.size(), CompletionAnswer::kOk);
  }
  void stop_claiming() override {
    {
      const MutexLock lock(mutex_);
      stopped_ = true;
      if (!left_.run_id.empty()) tasks_.push_back(std::exchange(left_, {}));
    }
    changed_.notify_all();
  }

 private:
  Mutex mutex_;
  Condition changed_;
  bool stopped_ = false;
  int failures_ = 0;
  Task left_;
  std::string refused_;
  std::size_t most_asked_ = 0;
  HeartbeatAnswer beat_answer_ = HeartbeatAnswer::kExtended;
  std::vector<Task> tasks_;
  std::map<std::string, Completion> ends_;
  std::map<std::string, int> beats_;
};

class WorkerTest : public testing::Test {
 protected:
  ~WorkerTest() override {
    go_.happen();  // also when a test failed before it did
    stop();
  }

  void start(Handler handler, WorkerOptions options = {.name = "test", .lease = 30s}) {
    worker_.emplace(transport_, clock_, log_, std::move(options));
    worker_->handle("default", std::move(handler));
    thread_ = std::thread([this] { EXPECT_TRUE(worker_->run()); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    worker_->stop();
    thread_.join();
  }

  // For a handler that waits until the test lets it go on.
  Outcome wait_at_the_gate() {
    started_.happen();
    go_.wait();
    return done();
  }
  // For a handler that works until it is stopped. What it logs makes the worker beat at once.
  static void work_until_cancelled(Context& run) {
    run.log("working");
    while (run.wait(1s)) {
    }
  }

  const RealClock clock_;
  Logger log_{clock_, [](std::string_view) {}};
  FakeTransport transport_;
  // Handlers may still be in these when the body of a test is over: it has waited for one run, and
  // another is about to leave.
  test::Event started_;
  test::Event go_;
  test::Event cancelled_;
  std::optional<Worker> worker_;
  std::thread thread_;
};

// The answer to the claim took a third of the lease: by now the run may be somebody else's.
TEST_F(WorkerTest, ARunThatComesLateBeatsBeforeItBegins) {
  std::atomic<int> beats = -1;
  start([&](Context&) {
    beats = transport_.beats_of("late");
    return done();
  });
  transport_.offer("late", "default", 10s);
  EXPECT_TRUE(transport_.wait_for("late").succeeded);
  EXPECT_GT(beats, 0);
}

TEST_F(WorkerTest, ARunThatComesLateAndIsSomebodyElsesDoesNotBegin) {
  std::atomic<bool> begun = false;
  transport_.answer_beats(HeartbeatAnswer::kFenced);
  start([&](Context&) {
    begun = true;
    return done();
  });
  transport_.offer("late", "default", 10s);
  transport_.wait_for_beat("late");
  stop();  // drained: nothing is in hand
  EXPECT_FALSE(begun);
  EXPECT_FALSE(transport_.has_end("late"));
}

TEST_F(WorkerTest, ReportsWhatAHandlerReturns) {
  start([](Context& run) -> Outcome {
    const std::string& id = run.task().run_id;
    if (id == "good") return done({{"n", 1}});
    if (id == "later") return retry_in(90s, "busy");
    if (id == "never") return failed_for_good("wrong");
    if (id == "thrown") throw std::runtime_error("thrown");
    return failed("bad");
  });
  for (const char* run : {"good", "later", "never", "thrown", "bad"}) transport_.offer(run);
  EXPECT_TRUE(transport_.wait_for("good").succeeded);
  EXPECT_EQ(transport_.wait_for("good").result, Json({{"n", 1}}));
  EXPECT_EQ(transport_.wait_for("later").retry_after, 90s);
  EXPECT_FALSE(transport_.wait_for("never").retryable);
  EXPECT_EQ(transport_.wait_for("thrown").error, "thrown");
  EXPECT_TRUE(transport_.wait_for("thrown").retryable);
  EXPECT_EQ(transport_.wait_for("bad").error, "bad");
}

TEST_F(WorkerTest, ALostLeaseCancelsTheHandlerAndBlocksItsReport) {
  transport_.answer_beats(HeartbeatAnswer::kFenced);
  start([this](Context& run) {
    work_until_cancelled(run);
    EXPECT_EQ(run.why(), CancelReason::kLeaseLost);
    cancelled_.happen();
    return done();
  });
  transport_.offer("lost");
  EXPECT_TRUE(cancelled_.wait());
  stop();
  EXPECT_FALSE(transport_.has_end("lost"));
}

TEST_F(WorkerTest, ACancellationReachesTheHandlerAndIsReported) {
  transport_.answer_beats(HeartbeatAnswer::kCancel);
  start([](Context& run) {
    work_until_cancelled(run);
    return worker::cancelled();
  });
  transport_.offer("run");
  EXPECT_EQ(transport_.wait_for("run").error, "cancelled");
}

TEST_F(WorkerTest, AReportIsRepeatedUntilItArrives) {
  transport_.fail_ends(2);
  start([](Context&) { return done(); });
  transport_.offer("run");
  EXPECT_TRUE(transport_.wait_for("run").succeeded);
}

TEST_F(WorkerTest, TakesNoMoreThanItCanRun) {
  start([this](Context&) { return wait_at_the_gate(); },
        {.name = "test", .concurrency = 2, .lease = 30s});
  for (const char* run : {"a", "b", "c"}) transport_.offer(run);
  EXPECT_TRUE(started_.wait(2));
  EXPECT_EQ(started_.times(), 2);
  go_.happen();
  EXPECT_TRUE(transport_.wait_for("c").succeeded);
  EXPECT_LE(transport_.most_asked(), 2U);
}

TEST_F(WorkerTest, DrainsBeforeItStops) {
  start([this](Context& run) {
    const Outcome outcome = wait_at_the_gate();
    EXPECT_FALSE(run.cancelled());
    return outcome;
  });
  transport_.offer("run");
  EXPECT_TRUE(started_.wait());
  worker_->stop();
  EXPECT_FALSE(transport_.has_end("run"));
  go_.happen();
  stop();
  EXPECT_TRUE(transport_.wait_for("run").succeeded);
}

TEST_F(WorkerTest, WhatDoesNotEndInTimeIsGivenToOthersAtOnce) {
  start(
      [this](Context& run) {
        started_.happen();
        work_until_cancelled(run);
        return worker::cancelled();
      },
      {.name = "test", .lease = 30s, .grace = 50ms});
  transport_.offer("run");
  EXPECT_TRUE(started_.wait());
  stop();
  EXPECT_TRUE(transport_.wait_for("run").returned);
}

TEST_F(WorkerTest, WhatComesAfterTheStopIsGivenBackAndNotBegun) {
  start([this](Context&) { return wait_at_the_gate(); },
        {.name = "test", .concurrency = 2, .lease = 30s});
  transport_.offer("running");
  EXPECT_TRUE(started_.wait());
  transport_.leave_behind("late");
  worker_->stop();
  EXPECT_TRUE(transport_.wait_for("late").returned);
  go_.happen();
  EXPECT_TRUE(transport_.wait_for("running").succeeded);
  stop();
  EXPECT_EQ(started_.times(), 1);
}

TEST_F(WorkerTest, OneReportThatIsRefusedTakesNoOthersAlong) {
  transport_.refuse_end_of("bad");
  start([this](Context&) { return wait_at_the_gate(); });
  for (const char* run : {"a", "bad", "b"}) transport_.offer(run);
  EXPECT_TRUE(started_.wait(3));
  transport_.fail_ends(1);  // so that all three are in the next report
  go_.happen();
  EXPECT_TRUE(transport_.wait_for("a").succeeded);
  EXPECT_TRUE(transport_.wait_for("b").succeeded);
  EXPECT_FALSE(transport_.has_end("bad"));
}

TEST_F(WorkerTest, SaysNothingThatAServerRefuses) {
  TryOut tryout;
  tryout.context().progress(3, -1);
  EXPECT_EQ(tryout.context().last_progress(), (Progress{3, 0}));
  start([](Context&) {
    Json deep = 1;
    for (int i = 0; i < 200; ++i) deep = Json::array({deep});
    return done(deep);
  });
  transport_.offer("run");
  const Completion end = transport_.wait_for("run");
  EXPECT_TRUE(end.succeeded);
  EXPECT_TRUE(end.result.is_null());
}

TEST(ExecHandlerTest, ExitCodesAreOutcomes) {
  const auto outcome = [](const std::string& script) {
    TryOut run(Json{{"n", 1}});
    run.task.target = {{"kind", "EXEC"}, {"command", {"/bin/sh", "-c", script}}};
    return run.with(exec_handler({.environment = {"PATH=/usr/bin:/bin", "BELFRY_TOKEN=secret"}}));
  };
  EXPECT_EQ(outcome("exit 0").kind, Kind::kDone);
  EXPECT_EQ(outcome("exit 1").kind, Kind::kFailed);
  EXPECT_EQ(outcome("exit 75").kind, Kind::kFailed);
  EXPECT_EQ(outcome("exit 65").kind, Kind::kFailedForGood);
  EXPECT_EQ(outcome("kill -9 $$").error, "killed by SIGKILL");
  EXPECT_EQ(
      outcome("[ -z \"$BELFRY_TOKEN\" ] && [ \"$BELFRY_FENCE\" = 1 ] && grep -q '\"n\":1'").kind,
      Kind::kDone);
}

}  // namespace
}  // namespace belfry::worker

#pragma once

#include "base/real_clock.h"
#include "worker/worker.h"

#include <optional>
#include <string>
#include <utility>

namespace belfry::worker {

// Tries a handler out, without a server:
//
//   TryOut run({{"customer", "a"}});
//   run.task.attempt = 2;
//   EXPECT_EQ(run.with(send_invoice).kind, Outcome::Kind::kDone);
//   EXPECT_EQ(run.log(), "sent\n");
//
// For tests of handlers. Time is real; a handler that is to be cancelled is cancelled before it
// starts, or from another thread by context().cancel().
class TryOut {
 public:
  explicit TryOut(Json payload = nullptr) {
    task.run_id = "00000000000000010000000000000001";
    task.idempotency_key = task.run_id;
    task.fence = 1;
    task.job_name = "tryout";
    task.job_type = "default";
    task.payload_text = write_json(payload);
    task.payload = std::move(payload);
  }

  Task task;  // as the handler will see it; change what matters before the first use

  // Made when first asked for.
  Context& context() {
    if (!context_) context_.emplace(task, clock_, clock_.boot_now());
    return *context_;
  }
  Outcome with(const Handler& handler) { return handler(context()); }

  std::string log() { return context().log_text(); }
  std::optional<Progress> progress() { return context().last_progress(); }

 private:
  const RealClock clock_;
  std::optional<Context> context_;
};

}  // namespace belfry::worker

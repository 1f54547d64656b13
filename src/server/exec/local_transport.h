#pragma once

#include "base/condition.h"
#include "base/mutex.h"
#include "server/exec/exec_leave.h"
#include "service/services.h"
#include "worker/transport.h"

#include <memory>
#include <optional>
#include <set>

namespace belfry::server {

// The transport of a worker that lives in the node itself: no wire, the same rules.
class LocalTransport final : public worker::Transport {
 public:
  // The services and the leave must outlive it.
  LocalTransport(const service::Services& services, Incarnation node, ExecLeave& leave)
      : services_(services), node_(node), leave_(leave) {}
  ~LocalTransport() override;
  LocalTransport(const LocalTransport&) = delete;
  LocalTransport& operator=(const LocalTransport&) = delete;

  Result<std::vector<worker::Task>> claim(const worker::ClaimRequest& want) override;
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const worker::Heartbeat> beats,
                                                 Duration lease) override;
  Result<std::vector<worker::CompletionAnswer>> complete(
      std::span<const worker::Completion> ends) override;
  void stop_claiming() override;
  void on_cancel(std::function<void(const worker::Grant&)> call) override;

 private:
  worker::Task take(const store::ClaimedRun& run, Duration lease);
  void watch(const store::ClaimedRun& run);
  void let_go(const worker::Grant& grant);
  void give_back(const std::vector<worker::Task>& tasks);

  // Receives an answer of the dispatcher; shared with it, because it may outlive the question.
  template <typename Answer>
  struct Box {
    Mutex mutex;
    Condition arrived;
    std::optional<Answer> answer;

    void put(Answer value) {
      {
        const MutexLock lock(mutex);
        answer = std::move(value);
      }
      arrived.notify_all();
    }
    Answer wait() {
      const MutexLock lock(mutex);
      while (!answer) arrived.wait_for(mutex, std::chrono::seconds(60));
      return std::move(*answer);
    }
  };

  const service::Services& services_;
  const Incarnation node_;
  ExecLeave& leave_;
  Mutex mutex_;
  bool stopped_ BELFRY_GUARDED_BY(mutex_) = false;
  std::optional<engine::ClaimId> claim_ BELFRY_GUARDED_BY(mutex_);
  std::shared_ptr<Box<std::vector<store::ClaimedRun>>> claiming_ BELFRY_GUARDED_BY(mutex_);
  std::set<core::RunGrant> watched_ BELFRY_GUARDED_BY(mutex_);

  Mutex cancel_mutex_;
  std::function<void(const worker::Grant&)> on_cancel_ BELFRY_GUARDED_BY(cancel_mutex_);
};

}  // namespace belfry::server

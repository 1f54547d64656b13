#pragma once

#include "base/clock.h"
#include "base/condition.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "deliver/carrier.h"
#include "deliver/topic/broker.h"

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace belfry::deliver {

// Publishes runs at one broker, on a thread of its own: a broker that is down, slow or swallows
// messages keeps nobody else waiting. While it is gone, nothing is fetched for it; what was not
// confirmed is put off and published again under the same id, and costs no attempt the first time.
class Topics final : public Carrier {
 public:
  Topics(std::string name, std::unique_ptr<Broker> broker, const Clock& clock, Logger& log);
  ~Topics() override;

  bool ready() const override { return connected_; }
  void start(Delivery delivery, Done done) override;
  void drop(const RunGrant& grant) override;

  // Since when the broker is away, and what it said; none while it is there.
  struct Absence {
    BootInstant since;
    std::string error;
  };
  std::optional<Absence> absence() const;

 private:
  struct Post {
    RunGrant grant;
    Message message;
    Done done;
  };

  void loop();
  bool connect();
  // The messages that wait, or nothing after a while.
  std::vector<Post> take_some();
  void publish(std::vector<Post> posts);
  Outcome outcome_of(const std::string& id, Result<std::string> answer);
  void lose(const Error& error);
  void note_absence(const Error& error);
  bool stopping() const;
  void rest(Duration longest);

  const std::string name_;
  const std::unique_ptr<Broker> broker_;
  const Clock& clock_;
  Logger& log_;
  std::atomic<bool> connected_ = false;
  Duration pause_{};               // the thread's own: before the next try to connect
  std::set<std::string> doubted_;  // the thread's own: lost once, so the next loss counts

  mutable Mutex mutex_;
  Condition bell_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::optional<Absence> absence_ BELFRY_GUARDED_BY(mutex_);
  std::deque<Post> posts_ BELFRY_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace belfry::deliver

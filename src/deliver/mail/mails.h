#pragma once

#include "base/condition.h"
#include "base/mutex.h"
#include "deliver/carrier.h"
#include "deliver/mail/mailer.h"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <vector>

namespace belfry::deliver {

// Takes messages to people by mail. The target says `to`; the payload is {"subject": ..., "text":
// ...}. A few go at a time, each on a thread of its own, and no tenant has more than half of
// these: mail that hangs holds up neither the others nor, when the node stops, the node.
class Mails final : public Carrier {
 public:
  static constexpr std::size_t kAtOnce = 8;
  static constexpr std::size_t kAtOnceOfATenant = kAtOnce / 2;

  // Hands one mail in, and ends at once when `stop` becomes true.
  using Send = std::function<Outcome(const Mail& mail, const std::atomic<bool>& stop)>;
  explicit Mails(Send send);
  Mails(SmtpAddress smtp, std::function<Instant()> now);
  ~Mails() override;

  bool ready() const override { return true; }
  void start(Delivery delivery, Done done) override;
  void drop(const RunGrant& grant) override;

 private:
  struct Post {
    Delivery delivery;
    Done done;
  };
  void loop();
  // The first whose tenant may have one more on its way.
  std::deque<Post>::iterator next() BELFRY_REQUIRES(mutex_);

  const Send send_;
  std::atomic<bool> stop_ = false;
  Mutex mutex_;
  Condition bell_;
  std::deque<Post> posts_ BELFRY_GUARDED_BY(mutex_);
  std::map<TenantId, std::size_t> on_the_way_ BELFRY_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace belfry::deliver

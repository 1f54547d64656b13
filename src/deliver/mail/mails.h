#pragma once

#include "base/condition.h"
#include "base/mutex.h"
#include "deliver/carrier.h"
#include "deliver/mail/mailer.h"

#include <deque>
#include <functional>
#include <thread>

namespace belfry::deliver {

// Takes messages to people by mail, one after the other, on a thread of its own. The target says
// `to`; the payload is {"subject": ..., "text": ...}.
class Mails final : public Carrier {
 public:
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

  const SmtpAddress smtp_;
  const std::function<Instant()> now_;
  Mutex mutex_;
  Condition bell_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::deque<Post> posts_ BELFRY_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace belfry::deliver

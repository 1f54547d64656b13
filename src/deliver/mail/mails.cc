#include "deliver/mail/mails.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace belfry::deliver {
namespace {

std::optional<Mail> mail_of(const Delivery& delivery) {
  const auto body = parse_json(delivery.payload);
  if (!body || !body->is_object() || !delivery.target.is_object()) return {};
  Mail mail{.id = delivery.run_id};
  for (const Json& to : delivery.target.value("to", Json::array())) {
    if (to.is_string()) mail.to.push_back(to.get<std::string>());
  }
  if (mail.to.empty()) return {};
  mail.subject = body->value("subject", "");
  mail.text = body->value("text", "");
  return mail;
}

}  // namespace

Mails::Mails(Send send) : send_(std::move(send)) {
  for (std::size_t i = 0; i < kAtOnce; ++i) threads_.emplace_back([this] { loop(); });
}

Mails::Mails(SmtpAddress smtp, std::function<Instant()> now)
    : Mails([smtp = std::move(smtp), now = std::move(now)](const Mail& mail,
                                                           const std::atomic<bool>& stop) {
        return send_mail(mail, smtp, now(), stop);
      }) {}

Mails::~Mails() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
  }
  bell_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Mails::start(Delivery delivery, Done done) {
  const MutexLock lock(mutex_);
  posts_.push_back({std::move(delivery), std::move(done)});
  bell_.notify_one();
}

void Mails::drop(const RunGrant& grant) {
  const MutexLock lock(mutex_);
  std::erase_if(posts_, [&](const Post& post) { return post.delivery.grant == grant; });
}

std::deque<Mails::Post>::iterator Mails::next() {
  for (auto post = posts_.begin(); post != posts_.end(); ++post) {
    const auto found = on_the_way_.find(post->delivery.tenant);
    if (found == on_the_way_.end() || found->second < kAtOnceOfATenant) return post;
  }
  return posts_.end();
}

void Mails::loop() {
  while (true) {
    std::optional<Post> post;
    {
      const MutexLock lock(mutex_);
      auto found = next();
      while (found == posts_.end() && !stop_) {
        bell_.wait_for(mutex_, std::chrono::seconds(1));
        found = next();
      }
      if (stop_) return;
      post = std::move(*found);
      posts_.erase(found);
      ++on_the_way_[post->delivery.tenant];
    }
    const auto mail = mail_of(post->delivery);
    Outcome outcome = mail ? send_(*mail, stop_)
                           : failed_for_good("mail", "the message names nobody to send it to");
    {
      const MutexLock lock(mutex_);
      const auto sent = on_the_way_.find(post->delivery.tenant);
      if (--sent->second == 0) on_the_way_.erase(sent);
    }
    bell_.notify_one();  // its tenant may have one more
    post->done(std::move(outcome));
  }
}

}  // namespace belfry::deliver

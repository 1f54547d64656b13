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

Mails::Mails(SmtpAddress smtp, std::function<Instant()> now)
    : smtp_(std::move(smtp)), now_(std::move(now)), thread_([this] { loop(); }) {}

Mails::~Mails() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  bell_.notify_all();
  thread_.join();
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

void Mails::loop() {
  while (true) {
    std::optional<Post> post;
    {
      const MutexLock lock(mutex_);
      while (posts_.empty() && !stopping_) bell_.wait_for(mutex_, std::chrono::seconds(1));
      if (stopping_) return;
      post = std::move(posts_.front());
      posts_.pop_front();
    }
    const auto mail = mail_of(post->delivery);
    post->done(mail ? send_mail(*mail, smtp_, now_())
                    : failed_for_good("mail", "the message names nobody to send it to"));
  }
}

}  // namespace belfry::deliver

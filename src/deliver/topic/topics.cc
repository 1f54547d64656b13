#include "deliver/topic/topics.h"

#include "deliver/topic/cloud_event.h"

#include <algorithm>

namespace belfry::deliver {
namespace {

constexpr std::size_t kMostAtOnce = 100;
constexpr std::size_t kMostDoubted = 10'000;
constexpr Duration kFirstPause = std::chrono::milliseconds(250);
constexpr Duration kLongestPause = std::chrono::seconds(5);
constexpr Duration kIdle = std::chrono::seconds(10);
constexpr Duration kPutOff = std::chrono::seconds(1);

std::string topic_of(const Delivery& delivery) {
  const auto found = delivery.target.find("topic");
  return found != delivery.target.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

Topics::Topics(std::string name, std::unique_ptr<Broker> broker, const Clock& clock, Logger& log)
    : name_(std::move(name)), broker_(std::move(broker)), clock_(clock), log_(log) {
  thread_ = std::thread([this] { loop(); });
}

Topics::~Topics() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  bell_.notify_all();
  thread_.join();
}

void Topics::start(Delivery delivery, Done done) {
  Post post{.grant = delivery.grant,
            .message = {.topic = topic_of(delivery),
                        .id = delivery.run_id,
                        .key = delivery.job_id,
                        .body = cloud_event_of(delivery)},
            .done = std::move(done)};
  {
    const MutexLock lock(mutex_);
    posts_.push_back(std::move(post));
  }
  bell_.notify_all();
}

// A message that is being published right now cannot be called back.
void Topics::drop(const RunGrant& grant) {
  const MutexLock lock(mutex_);
  std::erase_if(posts_, [&](const Post& post) { return post.grant == grant; });
}

void Topics::loop() {
  while (!stopping()) {
    if (!connected_ && !connect()) continue;
    std::vector<Post> posts = take_some();
    if (stopping()) return;
    if (!posts.empty()) {
      publish(std::move(posts));
    } else if (const Status alive = broker_->idle(); !alive) {
      lose(alive.error());
    }
  }
}

void Topics::note_absence(const Error& error) {
  const MutexLock lock(mutex_);
  const BootInstant since = absence_ ? absence_->since : clock_.boot_now();
  absence_ = {since, error.message};
}

std::optional<Topics::Absence> Topics::absence() const {
  const MutexLock lock(mutex_);
  return absence_;
}

bool Topics::connect() {
  const Status connected = broker_->connect();
  if (connected) {
    log_.info("broker_connected", {{"broker", name_}});
    pause_ = {};
    connected_ = true;
    const MutexLock lock(mutex_);
    absence_.reset();
    return true;
  }
  note_absence(connected.error());
  if (pause_ == Duration::zero()) {
    log_.warn("broker_unreachable", {{"broker", name_}, {"reason", to_string(connected.error())}});
  }
  // Runs fetched before the broker went away are put off: that costs them no attempt.
  std::deque<Post> waiting;
  {
    const MutexLock lock(mutex_);
    waiting.swap(posts_);
  }
  for (const Post& post : waiting) post.done(put_off(kPutOff));
  pause_ = std::clamp(pause_ * 2, kFirstPause, kLongestPause);
  rest(pause_);
  return false;
}

std::vector<Topics::Post> Topics::take_some() {
  const BootInstant end = clock_.boot_now() + kIdle;
  std::vector<Post> taken;
  const MutexLock lock(mutex_);
  while (posts_.empty() && !stopping_ && clock_.boot_now() < end) {
    bell_.wait_for(mutex_, end - clock_.boot_now());
  }
  while (!posts_.empty() && taken.size() < kMostAtOnce) {
    // A message that was lost once goes alone: if the broker cannot bear it, it takes no other
    // with it.
    const bool doubted = doubted_.contains(posts_.front().message.id);
    if (doubted && !taken.empty()) break;
    taken.push_back(std::move(posts_.front()));
    posts_.pop_front();
    if (doubted) break;
  }
  return taken;
}

void Topics::publish(std::vector<Post> posts) {
  std::vector<Message> messages;
  messages.reserve(posts.size());
  for (Post& post : posts) messages.push_back(std::move(post.message));
  auto answers = broker_->publish(messages);
  std::optional<Error> loss;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    Result<std::string>& answer = answers[i];
    const bool lost = !answer && (answer.error().code == Errc::kUnavailable ||
                                  answer.error().code == Errc::kUnknownOutcome);
    if (lost) loss = answer.error();
    posts[i].done(outcome_of(messages[i].id, std::move(answer)));
  }
  if (loss) lose(*loss);
}

Outcome Topics::outcome_of(const std::string& id, Result<std::string> answer) {
  if (!answer && answer.error().code == Errc::kUnavailable) return put_off(kPutOff);
  const bool lost = !answer && answer.error().code == Errc::kUnknownOutcome;
  const bool doubted = doubted_.erase(id) > 0;
  if (answer) return succeeded(*std::move(answer));
  const Error& error = answer.error();
  if (error.code == Errc::kInvalid) return failed_for_good("message", error.message);
  if (!lost) return failed("refused", error.message);
  // Perhaps the broker cannot bear this very message: a second loss costs an attempt.
  if (doubted) return failed("connection", error.message);
  if (doubted_.size() >= kMostDoubted) doubted_.clear();  // of runs that others publish meanwhile
  doubted_.insert(id);
  return put_off(kPutOff);
}

void Topics::lose(const Error& error) {
  connected_ = false;
  note_absence(error);
  log_.warn("broker_lost", {{"broker", name_}, {"reason", to_string(error)}});
}

bool Topics::stopping() const {
  const MutexLock lock(mutex_);
  return stopping_;
}

void Topics::rest(Duration longest) {
  const BootInstant end = clock_.boot_now() + longest;
  const MutexLock lock(mutex_);
  while (!stopping_ && clock_.boot_now() < end) bell_.wait_for(mutex_, end - clock_.boot_now());
}

}  // namespace belfry::deliver

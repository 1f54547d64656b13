#include "server/couriers/alert_source.h"

#include "trace/place.h"

#include <algorithm>
#include <utility>

namespace belfry::server {
namespace {

constexpr Duration kSearchEvery = std::chrono::seconds(1);
constexpr Duration kLookAtLeastEvery = std::chrono::seconds(5);  // where nothing happens
constexpr Duration kTimeout = std::chrono::seconds(15);          // of one attempt
constexpr std::uint32_t kMostAttempts = 12;                      // over an hour and a half
constexpr Duration kFirstWait = std::chrono::seconds(5);
constexpr Duration kLongestWait = std::chrono::minutes(15);

Duration backoff(std::uint32_t attempt) {
  const std::uint32_t doublings = std::min<std::uint32_t>(attempt == 0 ? 0 : attempt - 1, 10);
  return std::min<Duration>(kLongestWait, kFirstWait * (1U << doublings));
}

std::uint64_t message_of(const core::RunGrant& grant) {
  return grant.run.job.value();
}

}  // namespace

AlertSource::AlertSource(store::AlertStore& store, const Clock& clock, Logger& log,
                         Duration longest)
    : store_(store),
      clock_(clock),
      log_(log),
      longest_(longest),
      pause_(kSearchEvery),
      thread_([this] { loop(); }) {}

AlertSource::~AlertSource() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  bell_.notify_all();
  thread_.join();
}

Status AlertSource::claim(const std::string& queue, std::size_t most, Duration lease,
                          OnDeliveries on_deliveries) {
  const MutexLock lock(mutex_);
  withdrawn_ = false;
  ask_ = Ask{queue, most, lease, std::move(on_deliveries), clock_.boot_now() + deliver::kLongPoll};
  bell_.notify_one();
  return {};
}

void AlertSource::poke() {
  bell_.notify_one();
}

bool AlertSource::withdraw() {
  const MutexLock lock(mutex_);
  withdrawn_ = !ask_;
  return std::exchange(ask_, std::nullopt).has_value();
}

// What is left to do is done before it ends; an ask that is open then gets nothing.
void AlertSource::loop() {
  while (true) {
    std::deque<std::function<void()>> tasks;
    std::optional<Ask> ask;
    {
      const MutexLock lock(mutex_);
      if (tasks_.empty() && !stopping_) bell_.wait_for(mutex_, pause_);
      tasks.swap(tasks_);
      ask.swap(ask_);
      if (tasks.empty() && stopping_) return;
    }
    for (const auto& task : tasks) task();
    if (ask) look(*ask);
  }
}

void AlertSource::look(const Ask& ask) {
  auto found = store_.claim_alert_messages(ask.queue, ask.most, ask.lease);
  if (!found) log_.warn("alert_messages_not_claimed", {{"reason", to_string(found.error())}});
  const bool is_idle = !found || found->empty();
  pause_ = is_idle ? std::min(2 * pause_, kLookAtLeastEvery) : kSearchEvery;
  std::vector<deliver::Delivery> deliveries;
  if (found) {
    for (store::AlertMessageRow& message : *found) {
      if (give_up(message)) continue;
      attempts_[message.id] = message.attempt;
      deliveries.push_back(delivery_of(std::move(message)));
    }
  }
  if (deliveries.empty() && clock_.boot_now() < ask.until) {
    const MutexLock lock(mutex_);
    if (!withdrawn_) {
      ask_ = ask;
      return;
    }
  }
  ask.on_deliveries(std::move(deliveries));
}

// One whose attempts never said how they ended, because nodes died or took too long, would be tried
// for ever.
bool AlertSource::give_up(const store::AlertMessageRow& message) {
  if (message.attempt <= kMostAttempts) return false;
  const std::string error =
      message.error.empty() ? "attempts: none said how it ended" : message.error;
  const auto ended = store_.end_alert_message({.id = message.id,
                                               .fence = message.fence,
                                               .state = store::AlertMessageState::kFailed,
                                               .error = error,
                                               .wait = {},
                                               .unused = true});
  if (!ended) return true;  // it is claimed again when the lease is over
  log_.error("alert_not_delivered", {{"message", message.id}, {"reason", error}});
  return true;
}

deliver::Delivery AlertSource::delivery_of(store::AlertMessageRow message) const {
  auto target = parse_json(message.target);
  const std::string id = "alert_" + std::to_string(message.id);
  return {.grant = {{JobId(message.id), core::RunKey(0)}, message.fence},
          .run_id = id,
          .job_id = "",
          .job_name = message.rule,
          .job_type = "alert",
          .event = "belfry.alert.v1",
          .tenant = message.tenant,
          .attempt = AttemptNo(message.attempt),
          .scheduled_for = message.created_at,
          .target = target ? *std::move(target) : Json::object(),
          .payload = std::move(message.body),
          .timeout = kTimeout,
          .give_up_at = clock_.boot_now() + longest_,
          .traceparent = trace::write_traceparent(
              trace::place_of(id, trace::Step::kDelivery, message.fence, 1))};
}

store::AlertStore::AlertMessageEnd AlertSource::end_of(const core::RunGrant& grant,
                                                       const deliver::Outcome& outcome) {
  using deliver::Ending;
  store::AlertStore::AlertMessageEnd end{.id = message_of(grant), .fence = grant.fence};
  const auto found = attempts_.find(end.id);
  const std::uint32_t attempt = found == attempts_.end() ? 1 : found->second;
  if (outcome.ending == Ending::kSucceeded || outcome.ending == Ending::kHandedOver) {
    end.state = store::AlertMessageState::kSent;
    return end;
  }
  end.error = outcome.error.substr(0, 1'000);
  if (outcome.ending == Ending::kPutOff) {
    end.unused = true;
    end.wait = outcome.wait;
  } else if (outcome.retryable && attempt < kMostAttempts) {
    end.wait = std::max(outcome.wait, backoff(attempt));
  } else {
    end.state = store::AlertMessageState::kFailed;
  }
  return end;
}

void AlertSource::later(std::function<void()> task) {
  const MutexLock lock(mutex_);
  tasks_.push_back(std::move(task));
  bell_.notify_one();
}

void AlertSource::complete(const core::RunGrant& grant, deliver::Outcome outcome,
                           std::function<void(bool)> on_told) {
  later([this, grant, outcome = std::move(outcome), on_told = std::move(on_told)] {
    const auto end = end_of(grant, outcome);
    const auto ended = store_.end_alert_message(end);
    if (ended) attempts_.erase(end.id);
    if (end.state == store::AlertMessageState::kFailed) {
      log_.error("alert_not_delivered", {{"message", end.id}, {"reason", end.error}});
    }
    on_told(ended.has_value());
  });
}

void AlertSource::heartbeat(std::vector<core::RunGrant> grants, Duration lease,
                            OnHeartbeat on_heartbeat) {
  later([this, grants = std::move(grants), lease, on_heartbeat = std::move(on_heartbeat)] {
    std::vector<HeartbeatAnswer> answers;
    for (const core::RunGrant& grant : grants) {
      const auto held = store_.hold_alert_message(message_of(grant), grant.fence, lease);
      if (!held) {
        on_heartbeat(fail(held.error()));
        return;
      }
      answers.push_back(*held ? HeartbeatAnswer::kExtended : HeartbeatAnswer::kFenced);
    }
    on_heartbeat(std::move(answers));
  });
}

// If this fails, the lease ends by itself.
void AlertSource::give_back(std::vector<core::RunGrant> grants, Duration wait) {
  later([this, grants = std::move(grants), wait] {
    for (const core::RunGrant& grant : grants) {
      const auto end = end_of(grant, deliver::put_off(wait));
      const auto ended = store_.end_alert_message(end);
      if (!ended) log_.warn("alert_not_given_back", {{"reason", to_string(ended.error())}});
    }
  });
}

}  // namespace belfry::server

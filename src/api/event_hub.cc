#include "api/event_hub.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace belfry::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kRound = milliseconds(250);  // how often streams get news at most
constexpr Duration kLook = seconds(1);          // how often to look without a hint
constexpr int kRoundsPerPing = 15;              // of kLook: keeps proxies from closing the stream
constexpr std::size_t kBatch = 1'000;

// Whether events after `after` may be gone already: they are dropped oldest first.
Result<bool> is_forgotten(store::EventStore& store, const store::EventId& after) {
  BELFRY_TRY(oldest, store.events_after({}, 1));
  return !oldest.empty() && after < oldest.front().id;
}

}  // namespace

Status EventHub::subscribe(TenantId tenant, std::optional<store::EventId> after,
                           const net::Stream& stream) {
  BELFRY_TRY(newest, store_.last_event());
  bool reset = false;
  if (after) {
    BELFRY_TRY(forgotten, is_forgotten(store_, *after));
    reset = forgotten;
  }
  const store::EventId from = after && !reset ? *after : newest;
  stream.write(reset ? "retry: 1000\nevent: reset\ndata: {}\n\n" : "retry: 1000\n: welcome\n\n");
  std::uint64_t id = 0;
  {
    const MutexLock lock(mutex_);
    id = next_id_++;
    // The hub goes back to the earliest of its streams; those that are further pass over the rest.
    position_ = subscribers_.empty() ? from : std::min(position_, from);
    subscribers_.emplace(id, Subscriber{tenant, from, stream});
  }
  stream.on_closed([this, id] { drop(id); });
  poke();
  return {};
}

void EventHub::drop(std::uint64_t id) {
  const MutexLock lock(mutex_);
  subscribers_.erase(id);
}

std::size_t EventHub::streams() const {
  const MutexLock lock(mutex_);
  return subscribers_.size();
}

void EventHub::poke() {
  {
    const MutexLock lock(mutex_);
    poked_ = true;
    if (subscribers_.empty()) return;
  }
  plan(Duration::zero());
}

// One round is planned at a time.
void EventHub::plan(Duration delay) {
  {
    const MutexLock lock(mutex_);
    if (planned_ || subscribers_.empty()) return;
    planned_ = true;
  }
  threads_.later(delay, [this] {
    if (threads_.submit([this] { pump(); })) return;
    {
      const MutexLock lock(mutex_);
      planned_ = false;
    }
    plan(kLook);  // the pool is full: no hurry
  });
}

void EventHub::pump() {
  {
    const MutexLock lock(mutex_);
    poked_ = false;
  }
  // An error is the store's; the next round tries again from the same place.
  const bool read = read_on().has_value();
  ping();
  bool again = false;
  {
    const MutexLock lock(mutex_);
    planned_ = false;
    again = poked_;
  }
  plan(again && read ? kRound : kLook);
}

Status EventHub::read_on() {
  for (;;) {
    store::EventId from;
    {
      const MutexLock lock(mutex_);
      from = position_;
    }
    BELFRY_TRY(events, store_.events_after(from, kBatch));
    if (events.empty()) return {};
    std::vector<std::pair<net::Stream, std::string>> writes;
    {
      const MutexLock lock(mutex_);
      for (auto& [id, subscriber] : subscribers_) {
        std::vector<store::Event> news;
        for (const store::Event& event : events) {
          if (event.tenant == subscriber.tenant && event.id > subscriber.after) {
            news.push_back(event);
          }
        }
        if (news.empty()) continue;
        subscriber.after = news.back().id;
        writes.emplace_back(subscriber.stream, write_events(news));
      }
      // Somebody who began further back meanwhile is served by the next round.
      if (position_ == from) position_ = events.back().id;
    }
    for (const auto& [stream, text] : writes) stream.write(text);
    if (events.size() < kBatch) return {};
  }
}

void EventHub::ping() {
  std::vector<net::Stream> streams;
  {
    const MutexLock lock(mutex_);
    if (++rounds_since_ping_ < kRoundsPerPing) return;
    rounds_since_ping_ = 0;
    for (const auto& [id, subscriber] : subscribers_) streams.push_back(subscriber.stream);
  }
  for (const net::Stream& stream : streams) stream.write(": still here\n\n");
}

}  // namespace belfry::api

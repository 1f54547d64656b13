#include "api/events/event_hub.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace belfry::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kRound = milliseconds(250);  // streams get news at most this often
constexpr Duration kLook = seconds(1);          // how often to look without a hint
constexpr Duration kPing = seconds(15);         // keeps proxies from closing the stream
constexpr std::size_t kBatch = 1'000;
constexpr std::ptrdiff_t kMostStreams = 2'000;  // of a tenant; a quarter of net's places

// Whether events after `after` may be gone already: they are dropped oldest first. An id from the
// future means that the store lost its last events, in a failover or to a restored backup.
Result<bool> is_forgotten(store::EventStore& store, const store::EventId& after,
                          const store::EventId& newest) {
  if (after > newest) return true;
  BELFRY_TRY(oldest, store.events_after({}, 1));
  return oldest.empty() ? after < newest : after < oldest.front().id;
}

// With its id, so that a client that comes back goes on from here.
std::string write_reset(const store::EventId& newest) {
  return "id: " + write_event_id(newest) + "\nevent: reset\ndata: {}\n\n";
}

}  // namespace

Result<EventHub::Start> EventHub::find_start(std::optional<store::EventId> after) {
  BELFRY_TRY(newest, store_.last_event());
  if (!after) return Start{newest, false};
  BELFRY_TRY(forgotten, is_forgotten(store_, *after, newest));
  return Start{forgotten ? newest : *after, forgotten};
}

bool EventHub::is_full(TenantId tenant) {
  const MutexLock lock(mutex_);
  const auto is_theirs = [&](const auto& each) { return each.second.tenant == tenant; };
  return std::ranges::count_if(subscribers_, is_theirs) >= kMostStreams;
}

void EventHub::subscribe(TenantId tenant, const Start& start, const net::Stream& stream) {
  stream.write("retry: 1000\n" + (start.missed ? write_reset(start.from) : ": welcome\n\n"));
  std::uint64_t id = 0;
  {
    const MutexLock lock(mutex_);
    id = next_id_++;
    // The hub goes back to the earliest of its streams; the others pass over what they have seen.
    position_ = subscribers_.empty() ? start.from : std::min(position_, start.from);
    subscribers_.emplace(id, Subscriber{tenant, start.from, stream});
  }
  stream.on_closed([this, id] { drop(id); });
  poke();
}

void EventHub::drop(std::uint64_t id) {
  const MutexLock lock(mutex_);
  subscribers_.erase(id);
}

void EventHub::poke() {
  Duration delay{};
  {
    const MutexLock lock(mutex_);
    poked_ = true;
    delay = std::max(Duration::zero(), last_round_ + kRound - clock_.boot_now());
  }
  plan(delay);
}

// One round is planned at a time; a sooner one takes the place of a later one.
void EventHub::plan(Duration delay) {
  std::uint64_t ticket = 0;
  {
    const MutexLock lock(mutex_);
    if (subscribers_.empty() || at_work_) return;  // the round at work plans the next
    const BootInstant due = clock_.boot_now() + delay;
    if (planned_ && *planned_ <= due) return;
    planned_ = due;
    ticket = ++ticket_;
  }
  threads_.later(delay, [this, ticket] { begin(ticket); });
}

void EventHub::begin(std::uint64_t ticket) {
  {
    const MutexLock lock(mutex_);
    if (ticket != ticket_ || at_work_) return;
    at_work_ = true;
    planned_.reset();
  }
  if (threads_.submit([this] { pump(); })) return;
  {
    const MutexLock lock(mutex_);
    at_work_ = false;
  }
  plan(kLook);  // the pool is full: no hurry
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
    at_work_ = false;
    last_round_ = clock_.boot_now();
    again = poked_;
  }
  plan(again && read ? kRound : kLook);
}

// A store may go back in time: a failover lost the last commits, or a backup was restored. Then the
// next events have ids that all streams believe to have seen.
Status EventHub::look_back() {
  BELFRY_TRY(newest, store_.last_event());
  std::vector<net::Stream> streams;
  {
    const MutexLock lock(mutex_);
    for (auto& [id, subscriber] : subscribers_) {
      if (subscriber.after <= newest) continue;
      subscriber.after = newest;
      streams.push_back(subscriber.stream);
    }
    position_ = std::min(position_, newest);
  }
  for (const net::Stream& stream : streams) stream.write(write_reset(newest));
  return {};
}

Status EventHub::read_on() {
  for (;;) {
    store::EventId from;
    {
      const MutexLock lock(mutex_);
      from = position_;
    }
    BELFRY_TRY(events, store_.events_after(from, kBatch));
    if (events.empty()) return look_back();
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
      // A stream that began further back meanwhile is served by the next round.
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
    const BootInstant now = clock_.boot_now();
    if (now < last_ping_ + kPing) return;
    last_ping_ = now;
    for (const auto& [id, subscriber] : subscribers_) streams.push_back(subscriber.stream);
  }
  for (const net::Stream& stream : streams) stream.write(": still here\n\n");
}

}  // namespace belfry::api

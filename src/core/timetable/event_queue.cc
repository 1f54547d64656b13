#include "core/timetable/event_queue.h"

#include "base/assert.h"

#include <algorithm>
#include <chrono>

namespace belfry::core {
namespace {

constexpr unsigned kKindBits = 2;

constexpr auto kLater = [](const auto& a, const auto& b) { return a.key > b.key; };

}  // namespace

EventQueue::Packed EventQueue::pack(const Event& event) {
  const std::int64_t into_minute =
      event.at.micros() - minute_of(event.at) * kMicrosPerMinute;  // below 2^26
  return {
      static_cast<std::uint32_t>(into_minute) << kKindBits | static_cast<std::uint32_t>(event.kind),
      event.member};
}

Event EventQueue::unpack(std::int64_t minute, const Packed& packed) {
  return {Instant::from_micros(minute * kMicrosPerMinute + (packed.key >> kKindBits)),
          static_cast<EventKind>(packed.key & ((1U << kKindBits) - 1)), packed.member};
}

void EventQueue::push(const Event& event) {
  Minute& minute = minutes_[minute_of(event.at)];
  minute.heap.push_back(pack(event));
  std::push_heap(minute.heap.begin(), minute.heap.end(), kLater);
  ++minute.live;
  if (event.kind == EventKind::kOnce) ++minute.live_once;
}

void EventQueue::forget_one(Instant at, EventKind kind) {
  const auto found = minutes_.find(minute_of(at));
  BELFRY_ASSERT(found != minutes_.end() && found->second.live > 0);
  --found->second.live;
  if (kind == EventKind::kOnce) --found->second.live_once;
  if (found->second.live == 0) minutes_.erase(found);
}

void EventQueue::cancelled(Instant at, EventKind kind, const IsLive& is_live) {
  forget_one(at, kind);
  const std::int64_t number = minute_of(at);
  const auto found = minutes_.find(number);
  if (found == minutes_.end()) return;
  Minute& minute = found->second;
  constexpr std::size_t kWorthSweeping = 64;
  if (minute.heap.size() < kWorthSweeping + 2 * std::size_t{minute.live}) return;
  std::erase_if(minute.heap, [&](const Packed& p) { return !is_live(unpack(number, p)); });
  std::make_heap(minute.heap.begin(), minute.heap.end(), kLater);
}

std::optional<Instant> EventQueue::next_at() const {
  if (minutes_.empty()) return std::nullopt;
  const auto& [number, minute] = *minutes_.begin();
  return unpack(number, minute.heap.front()).at;
}

Event EventQueue::pop() {
  const auto first = minutes_.begin();
  std::vector<Packed>& heap = first->second.heap;
  const Event event = unpack(first->first, heap.front());
  std::pop_heap(heap.begin(), heap.end(), kLater);
  heap.pop_back();
  return event;
}

void EventQueue::done(const Event& event) {
  forget_one(event.at, event.kind);
}

void EventQueue::for_each_minute(
    std::int64_t first, std::int64_t last,
    const std::function<void(std::int64_t, std::size_t)>& visit) const {
  for (auto it = minutes_.lower_bound(first); it != minutes_.end() && it->first < last; ++it) {
    visit(it->first, it->second.live_once);
  }
}

void EventQueue::for_each_event(std::int64_t first, std::int64_t last,
                                const std::function<void(const Event&)>& visit) const {
  for (auto it = minutes_.lower_bound(first); it != minutes_.end() && it->first < last; ++it) {
    for (const Packed& packed : it->second.heap) visit(unpack(it->first, packed));
  }
}

}  // namespace belfry::core

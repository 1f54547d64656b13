#include "core/catch_up_line.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace belfry::core {
namespace {

// A run's place: what is smaller goes first.
struct Place {
  bool makes_up_for_all = false;
  std::int64_t after_priority = 0;  // the priority, negated
  std::size_t turn = 0;             // how many of its tenant go before it
  Tick tick;
  std::size_t run = 0;  // its index
  friend auto operator<=>(const Place&, const Place&) = default;
};

// A run that may not start before its time.
using Later = std::pair<Instant, Place>;

template <typename T>
using SmallestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

std::vector<Place> places_of(std::span<const LateRun> runs) {
  std::unordered_map<JobId, std::size_t> count;
  for (const LateRun& run : runs) ++count[run.job];
  std::vector<Place> places;
  places.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    places.push_back({.makes_up_for_all = count[runs[i].job] > 1,
                      .after_priority = -std::int64_t{runs[i].priority},
                      .tick = runs[i].tick,
                      .run = i});
  }
  std::ranges::sort(places);
  std::map<std::tuple<bool, std::int64_t, TenantId>, std::size_t> turns;
  for (Place& place : places) {
    const TenantId tenant = runs[place.run].tenant;
    place.turn = turns[{place.makes_up_for_all, place.after_priority, tenant}]++;
  }
  return places;
}

// The runs of each job, by their indices: for each run the next one of its job.
std::vector<std::size_t> followers_of(std::span<const LateRun> runs) {
  std::vector<std::size_t> next(runs.size(), runs.size());
  std::unordered_map<JobId, std::size_t> last;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto [found, first] = last.try_emplace(runs[i].job, i);
    if (!first) next[std::exchange(found->second, i)] = i;
  }
  return next;
}

}  // namespace

std::vector<Instant> line_up(std::span<const LateRun> runs, Instant now, Duration apart) {
  const std::vector<std::size_t> next = followers_of(runs);
  std::vector<Place> place_of(runs.size());
  std::vector<bool> follows(runs.size(), false);
  for (const std::size_t follower : next) {
    if (follower < runs.size()) follows[follower] = true;
  }
  SmallestFirst<Place> ready;
  for (const Place& place : places_of(runs)) {
    place_of[place.run] = place;
    if (!follows[place.run]) ready.push(place);
  }
  SmallestFirst<Later> later;
  std::vector<Instant> starts(runs.size());
  Instant at = now;
  while (!ready.empty() || !later.empty()) {
    if (ready.empty()) at = std::max(at, later.top().first);
    for (; !later.empty() && later.top().first <= at; later.pop()) ready.push(later.top().second);
    const std::size_t run = ready.top().run;
    ready.pop();
    starts[run] = at;
    if (next[run] < runs.size()) {
      const Duration gap = runs[next[run]].tick.instant() - runs[run].tick.instant();
      later.emplace(at + gap, place_of[next[run]]);
    }
    at = at + apart;
  }
  return starts;
}

}  // namespace belfry::core

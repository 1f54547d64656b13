#include "rehearse/comparison.h"

#include "rehearse/stage.h"

#include <algorithm>

namespace belfry::rehearse {
namespace {

std::map<std::string, std::size_t> by_name(const Plan& plan) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) places[plan.jobs[i].definition.name] = i;
  return places;
}

// What only the first of two ascending lists has: how many, and the first of them.
std::size_t only_in(const std::vector<Instant>& these, const std::vector<Instant>& those,
                    std::vector<Instant>& some) {
  std::size_t count = 0;
  auto other = those.begin();
  for (const Instant at : these) {
    while (other != those.end() && *other < at) ++other;
    if (other != those.end() && *other == at) continue;
    if (++count <= kExamples) some.push_back(at);
  }
  return count;
}

const std::vector<Instant> kNoFires;

}  // namespace

Result<Played> play(const Plan& plan, core::ZoneCatalog& zones) {
  Played played;
  played.fired.resize(plan.jobs.size());
  Summariser summariser(plan);
  BELFRY_CHECK(rehearse(plan, zones, [&](const Event& event) {
    summariser.add(event);
    if (event.kind == Event::Kind::kFired) {
      played.fired[event.job].push_back(event.tick.instant());
    }
  }));
  for (auto& ticks : played.fired) std::ranges::sort(ticks);  // runs in line begin later
  played.summary = summariser.finish(zones);
  return played;
}

std::vector<JobChange> changes_between(const Plan& before, const Played& old, const Plan& after,
                                       const Played& now) {
  const auto there = by_name(before);
  const auto here = by_name(after);
  std::map<std::string, JobChange> changes;
  for (const auto& [name, place] : there) {
    JobChange& change = changes[name];
    change.kind = here.contains(name) ? JobChange::Kind::kChanged : JobChange::Kind::kGone;
    change.zone = before.jobs[place].definition.schedule.timezone;
    change.before = old.summary.jobs[place];
  }
  for (const auto& [name, place] : here) {
    JobChange& change = changes[name];
    if (!there.contains(name)) change.kind = JobChange::Kind::kNew;
    change.zone = after.jobs[place].definition.schedule.timezone;
    change.after = now.summary.jobs[place];
  }
  std::vector<JobChange> differing;
  for (auto& [name, change] : changes) {
    const auto was = there.find(name);
    const auto is = here.find(name);
    const auto& fired_before = was == there.end() ? kNoFires : old.fired[was->second];
    const auto& fired_after = is == here.end() ? kNoFires : now.fired[is->second];
    change.name = name;
    change.gained = only_in(fired_after, fired_before, change.some_gained);
    change.lost = only_in(fired_before, fired_after, change.some_lost);
    const bool same = change.kind == JobChange::Kind::kChanged && change.gained == 0 &&
                      change.lost == 0 && change.before.skips == change.after.skips;
    if (!same) differing.push_back(std::move(change));
  }
  return differing;
}

}  // namespace belfry::rehearse

#include "store/common/fates.h"

#include <algorithm>

namespace belfry::store {

void add_fates(std::vector<Fate>& fates, const Decisions& decisions, Epoch epoch) {
  for (const RunDecision& run : decisions.runs) {
    fates.push_back({.job = run.job,
                     .first = run.tick,
                     .last = run.tick,
                     .count = run.stands_for,
                     .reason = {},
                     .due = run.due,
                     .stands_in = run.stands_in,
                     .epoch = epoch,
                     .taker = run.taker,
                     .queue = run.queue,
                     .claim = run.claim});
  }
  for (const SkipDecision& skip : decisions.skips) {
    fates.push_back({.job = skip.job,
                     .first = skip.first,
                     .last = skip.last,
                     .count = skip.count,
                     .reason = skip.reason,
                     .due = {},
                     .epoch = epoch});
  }
}

void sort_fates(std::vector<Fate>& fates) {
  std::ranges::sort(fates, [](const Fate& a, const Fate& b) {
    return a.job != b.job ? a.job < b.job : a.first < b.first;
  });
}

std::span<const Fate> take_job(std::span<const Fate>& rest) {
  const JobId job = rest.front().job;
  const auto end = std::ranges::find_if(rest, [&](const Fate& fate) { return fate.job != job; });
  const auto count = static_cast<std::size_t>(end - rest.begin());
  const std::span<const Fate> taken = rest.first(count);
  rest = rest.subspan(count);
  return taken;
}

}  // namespace belfry::store

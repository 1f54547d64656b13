#include "store/common/run_pages.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace belfry::store {
namespace {

// The most runs read for a page that picks one state out of many.
constexpr std::size_t kMostLooked = 1'000;

// Parts of a tenant's list: what lives, then what is over. Parts of a ledger: the kinds of entries.
constexpr std::uint8_t kLive = 0;
constexpr std::uint8_t kPast = 1;
constexpr std::uint8_t kSkip = 0;
constexpr std::uint8_t kRun = 1;

PageCursor by_schedule(const RunRow& run) {
  return {kLive, run.scheduled_for, run.run};
}
PageCursor by_end(const RunRow& run) {
  return {kPast, run.finished_at.value_or(Instant()), run.run};
}

// Both in the same order. A run that ended between the two reads is in both: the later one counts.
// Two rows of one run that are both over are a fault, and shown (belfry verify looks for it).
std::vector<RunRow> merge(std::vector<RunRow> live, std::vector<RunRow> past, Order order) {
  std::vector<RunRow> all;
  std::ranges::merge(std::move(past), std::move(live), std::back_inserter(all),
                     [order](const RunRow& a, const RunRow& b) {
                       return order == Order::kNewestFirst ? by_schedule(a) > by_schedule(b)
                                                           : by_schedule(a) < by_schedule(b);
                     });
  const auto repeated = std::ranges::unique(all, [](const RunRow& a, const RunRow& b) {
    return a.run == b.run && core::is_live(a.state) != core::is_live(b.state);
  });
  all.erase(repeated.begin(), repeated.end());
  return all;
}

bool has_index(core::RunState state) {
  return !core::is_live(state) && state != core::RunState::kSucceeded;
}

// Whether the runs that are read have to be filtered.
bool is_mixed(const RunFilter& filter) {
  return filter.state && (filter.job || !has_index(*filter.state));
}

// Takes the wanted runs out of what was read, until the page is full.
class RunPageMaker {
 public:
  RunPageMaker(const RunFilter& filter, std::size_t limit) : filter_(filter), limit_(limit) {}

  // How many runs to read next: one more than can be used, to see whether the list goes on.
  std::size_t most() const { return looked() + 1; }

  // True when the page ends here: it is full, or enough runs were looked at.
  bool add(std::vector<RunRow> runs, PageCursor (*place_of)(const RunRow&)) {
    const bool more = runs.size() > looked();
    if (more) runs.resize(looked());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      last_ = place_of(runs[i]);
      if (!wanted(runs[i])) continue;
      page_.runs.push_back(std::move(runs[i]));
      const bool is_last = i + 1 == runs.size() && !more;
      if (page_.runs.size() == limit_ && !is_last) return end();
    }
    return more ? end() : false;
  }

  bool is_full() const { return page_.runs.size() == limit_; }
  RunPage take() { return std::move(page_); }
  void go_on_at(const PageCursor& place) { page_.next = to_text(place); }

 private:
  std::size_t looked() const {
    const std::size_t room = limit_ - page_.runs.size();
    return is_mixed(filter_) ? std::max(room, kMostLooked) : room;
  }
  bool wanted(const RunRow& run) const {
    return run.tenant == filter_.tenant && (!filter_.state || run.state == *filter_.state);
  }
  bool end() {
    page_.next = to_text(last_);
    return true;
  }

  const RunFilter& filter_;
  std::size_t limit_;
  RunPage page_;
  PageCursor last_;
};

bool wants_live(const RunFilter& filter) {
  return !filter.state || core::is_live(*filter.state);
}
bool wants_past(const RunFilter& filter) {
  return !filter.state || !core::is_live(*filter.state);
}

RunReader::Ask ask_for(const RunFilter& filter, const PageCursor& after, std::size_t most) {
  return {.from = filter.from.value_or(Instant::min()),
          .to = filter.to.value_or(Instant::max()),
          .after = after,
          .most = most};
}

Result<RunPage> page_of_job(RunReader& reader, const RunFilter& filter, const PageCursor& after,
                            std::size_t limit) {
  RunPageMaker page(filter, limit);
  const RunReader::Ask ask = ask_for(filter, after, page.most());
  std::vector<RunRow> live;
  std::vector<RunRow> past;
  // In this order: a run that ends in between is seen twice rather than never.
  if (wants_live(filter)) {
    BELFRY_TRY(runs, reader.live_of_job(*filter.job, ask));
    live = std::move(runs);
  }
  if (wants_past(filter)) {
    BELFRY_TRY(runs, reader.past_of_job(*filter.job, ask));
    past = std::move(runs);
  }
  page.add(merge(std::move(live), std::move(past), Order::kNewestFirst), by_schedule);
  return page.take();
}

Result<std::vector<RunRow>> past_of_tenant(RunReader& reader, const RunFilter& filter,
                                           const RunReader::Ask& ask) {
  if (filter.state && has_index(*filter.state)) {
    return reader.unhappy_of_tenant(filter.tenant, *filter.state, ask);
  }
  return reader.past_of_tenant(filter.tenant, ask);
}

Result<RunPage> page_of_tenant(RunReader& reader, const RunFilter& filter, PageCursor after,
                               std::size_t limit) {
  RunPageMaker page(filter, limit);
  if (after.part == kLive) {
    if (wants_live(filter)) {
      BELFRY_TRY(live, reader.live_of_tenant(filter.tenant, ask_for(filter, after, page.most())));
      if (page.add(std::move(live), by_schedule)) return page.take();
    }
    after = PageCursor::last(kPast);
  }
  if (!wants_past(filter)) return page.take();
  if (page.is_full()) {
    page.go_on_at(after);
    return page.take();
  }
  BELFRY_TRY(past, past_of_tenant(reader, filter, ask_for(filter, after, page.most())));
  page.add(std::move(past), by_end);
  return page.take();
}

PageCursor place_of(const LedgerEntry& entry) {
  if (const auto* run = std::get_if<RunRow>(&entry)) return {kRun, run->scheduled_for, run->run};
  const auto& skip = std::get<SkipRow>(entry);
  return {kSkip, skip.first.instant(), {skip.job, {}}};
}

// Time first, then the kind.
bool is_before(const PageCursor& a, const PageCursor& b) {
  if (a.at != b.at) return a.at < b.at;
  return a < b;
}

// Runs at the same instant as a skip come after it in ascending order and before it in descending
// order. So after a page that ended at the skip, an ascending list still has all those runs to come
// and a descending list none.
PageCursor behind_runs(PageCursor after) {
  if (after.part == kSkip) after.run.key = core::RunKey(std::numeric_limits<std::int64_t>::min());
  return after;
}
// And after a page that ended at such a run, a descending list still has the skip to come.
PageCursor behind_skips(PageCursor after, Order order) {
  const bool still_to_come = after.part == kRun && order == Order::kNewestFirst;
  if (still_to_come && after.at != Instant::max()) after.at = after.at + Duration(1);
  return after;
}

}  // namespace

Result<RunPage> page_of_runs(RunReader& reader, const RunFilter& filter, const std::string& cursor,
                             std::size_t limit) {
  PageCursor after = PageCursor::last(kLive);
  if (!cursor.empty()) {
    BELFRY_TRY(place, parse_cursor(cursor));
    after = place;
  }
  auto page = filter.job ? page_of_job(reader, filter, after, limit)
                         : page_of_tenant(reader, filter, after, limit);
  if (page && filter.with_result) BELFRY_CHECK(reader.add_results(page->runs));
  return page;
}

Result<LedgerPage> page_of_ledger(RunReader& reader, const LedgerWindow& window,
                                  const std::string& cursor, std::size_t limit) {
  const bool newest_first = window.order == Order::kNewestFirst;
  PageCursor after = newest_first ? PageCursor::last(kRun) : PageCursor::first(kSkip);
  if (!cursor.empty()) {
    BELFRY_TRY(place, parse_cursor(cursor));
    after = place;
  }
  RunReader::Ask ask{.from = window.from.value_or(Instant::min()),
                     .to = window.to.value_or(Instant::max()),
                     .after = behind_runs(after),
                     .most = limit + 1,
                     .order = window.order};
  BELFRY_TRY(live, reader.live_of_job(window.job, ask));
  BELFRY_TRY(past, reader.past_of_job(window.job, ask));
  ask.after = behind_skips(after, window.order);
  BELFRY_TRY(skips, reader.skips_of_job(window.job, ask));
  LedgerPage page;
  for (RunRow& run : merge(std::move(live), std::move(past), window.order)) {
    page.entries.emplace_back(std::move(run));
  }
  page.entries.insert(page.entries.end(), skips.begin(), skips.end());
  std::ranges::sort(page.entries, [newest_first](const LedgerEntry& a, const LedgerEntry& b) {
    return newest_first ? is_before(place_of(b), place_of(a)) : is_before(place_of(a), place_of(b));
  });
  if (page.entries.size() > limit) {
    page.entries.resize(limit);
    page.next = to_text(place_of(page.entries.back()));
  }
  return page;
}

}  // namespace belfry::store

#include "cli/rehearse/rehearse_text.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "cli/text/table.h"
#include "cli/text/text.h"
#include "cli/text/when.h"
#include "core/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

namespace belfry::cli {
namespace {

using rehearse::Event;

constexpr std::size_t kMostNames = 6;
constexpr std::size_t kMostLines = 20;  // of clock changes, or of overlaps

std::string number(std::int64_t count) {
  return grouped(static_cast<std::uint64_t>(count));
}

std::string ticks_of(std::int64_t count) {
  return counted(static_cast<std::uint64_t>(count), "tick");
}

// "6 overlap, 2 misfire_coalesced"
std::string reasons_of(const rehearse::Tally& tally) {
  std::string text;
  for (const auto& [reason, count] : tally.skips) {
    text += (text.empty() ? "" : ", ") + number(count) + " " + std::string(core::name_of(reason));
  }
  return text;
}

const char* word_of(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::kFired: return "fired";
    case Event::Kind::kSkipped: return "skipped";
    case Event::Kind::kReplaced: return "replaced";
    case Event::Kind::kTimedOut: return "timed out";
    case Event::Kind::kDied: break;
  }
  return "died";
}

Paint paint_for(Event::Kind kind) {
  if (kind == Event::Kind::kFired) return Paint::kGood;
  return kind == Event::Kind::kSkipped ? Paint::kWarn : Paint::kBad;
}

std::string late_of(const rehearse::Tally& tally) {
  return tally.late == 0
             ? ""
             : number(tally.late) + " late (" + format_duration(tally.latest) + " at worst)";
}

}  // namespace

std::string RehearsalText::wall_clock(Instant at, const std::string& zone,
                                      Instant reference) const {
  const auto found = zones_.find(zone);
  const std::int64_t offset = found ? (*found)->offset_at(floor_unix_seconds(at)) : 0;
  return civil(format_instant(at, static_cast<std::int32_t>(offset)), reference);
}

std::string RehearsalText::moment_of(Instant at, const std::string& zone) const {
  return wall_clock(at, zone, plan_.from) + " " + zone;
}

// Of an event's run: without its date if that is the event's own.
std::string RehearsalText::time_in(const Event& event, Tick tick) const {
  const std::string& zone = zone_of(event.job);
  const std::string whole = wall_clock(tick.instant(), zone, plan_.from);
  const std::string beside = wall_clock(event.at, zone, plan_.from);
  const std::size_t blank = whole.rfind(' ');
  const bool same_day = whole.substr(0, blank) == beside.substr(0, beside.rfind(' '));
  return same_day ? whole.substr(blank + 1) : whole;
}

std::string RehearsalText::detail_of(const Event& event) const {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const Duration late = event.at - event.tick.instant();
  const std::string other = event.other ? time_in(event, *event.other) : "";
  switch (event.kind) {
    case Event::Kind::kSkipped:
      add(std::string(core::name_of(event.reason)));
      if (event.ticks > 1) {
        add(ticks_of(event.ticks) + " from " + time_in(event, event.tick) + " to " +
            time_in(event, event.last));
      } else if (late > Duration::zero()) {
        add("the tick of " + time_in(event, event.tick));
      }
      if (event.other) add("the run of " + other + " was not over");
      return text;
    case Event::Kind::kReplaced:
      return "the run of " + time_in(event, event.tick) + " by that of " + other;
    case Event::Kind::kTimedOut: return "the run of " + time_in(event, event.tick);
    case Event::Kind::kDied:
      return "the run of " + time_in(event, event.tick) + ": " +
             std::string(core::word_for(event.why, core::kDeadReasons));
    case Event::Kind::kFired: break;
  }
  if (late > Duration::zero()) {
    add("the tick of " + time_in(event, event.tick) + ", " + format_duration(late) + " late");
  }
  if (event.ticks > 1) add("stands for " + ticks_of(event.ticks));
  if (event.waited_in_line) add("took its turn");
  if (event.other && late > Duration::zero()) add("waited for the run of " + other);
  return text;
}

void RehearsalText::print(const Event& event) const {
  const Look look = session_.look();
  const std::string word = fmt::format("{:<9}", word_of(event.kind));
  const std::string detail = detail_of(event);
  session_.out() << moment_of(event.at, zone_of(event.job)) << "  "
                 << painted(word, paint_for(event.kind), look) << "  " << clean(name_of(event.job))
                 << (detail.empty() ? "" : "  ") << painted(detail, Paint::kDim, look) << '\n';
}

// The first few, each once.
std::string RehearsalText::names(const std::vector<std::size_t>& jobs) const {
  std::string text;
  const std::set<std::size_t> each(jobs.begin(), jobs.end());
  std::size_t shown = 0;
  for (const std::size_t job : each) {
    if (shown++ == kMostNames) return text + " and " + grouped(each.size() - kMostNames) + " more";
    text += (text.empty() ? "" : ", ") + clean(name_of(job));
  }
  return text;
}

std::string RehearsalText::header() const {
  const auto whole = [&](Instant at) { return wall_clock(at, zone_, Instant()); };
  std::string text = counted(plan_.jobs.size(), "job") + " from " + whole(plan_.from) + " to " +
                     whole(plan_.to) + " " + zone_;
  Duration down{};
  for (const rehearse::Outage& outage : plan_.outages) down = down + (outage.to - outage.from);
  if (!plan_.outages.empty()) {
    text += ", down " + counted(plan_.outages.size(), "time") + " for " + format_duration(down) +
            (plan_.outages.size() > 1 ? " in all" : "");
  }
  return text;
}

void RehearsalText::print_totals(const rehearse::Tally& all) const {
  const std::string late = late_of(all);
  session_.out() << "fires      " << number(all.fires) << (late.empty() ? "" : ", ") << late
                 << '\n';
  session_.out() << "skips      " << number(all.skipped()) << (all.skips.empty() ? "" : ": ")
                 << reasons_of(all) << '\n';
  if (all.replaced > 0) session_.out() << "replaced   " << number(all.replaced) << '\n';
  if (all.timed_out > 0) {
    session_.out() << "timed out  " << number(all.timed_out) << ", " << number(all.died)
                   << " given up\n";
  } else if (all.died > 0) {
    session_.out() << "given up   " << number(all.died) << '\n';
  }
}

std::string RehearsalText::peak_of(const rehearse::Summary& summary) const {
  if (summary.busiest.empty()) return "none";
  const rehearse::BusyMinute& worst = summary.busiest.front();
  return counted(worst.fires, "fire") + " in the minute of " + moment_of(worst.at, zone_);
}

void RehearsalText::print_overlap(const rehearse::Overlap& overlap) const {
  std::string text;
  const auto add = [&](std::int64_t count, const std::string& what) {
    if (count > 0) text += (text.empty() ? "" : ", ") + what;
  };
  add(overlap.ticks, ticks_of(overlap.ticks) + " skipped");
  add(overlap.waited, counted(static_cast<std::uint64_t>(overlap.waited), "run") + " waited");
  add(overlap.replaced, counted(static_cast<std::uint64_t>(overlap.replaced), "run") + " replaced");
  const Event& first = overlap.first;
  session_.out() << "  " << clean(name_of(overlap.job)) << ": " << text << "; the first at "
                 << moment_of(first.at, zone_of(overlap.job)) << ": " << detail_of(first) << '\n';
}

void RehearsalText::print_jobs(const rehearse::Summary& summary) const {
  Table table({{"JOB", true},
               {"ZONE", false, false, 2},
               {"FIRES", false, true},
               {"LATE", false, true, 1},
               {"SKIPS", false, true},
               {"WHY", true},
               {"FIRST", false, false, 4},
               {"LAST", false, false, 3}});
  const auto shown = [&](std::optional<Instant> at, std::size_t job) {
    return at ? wall_clock(*at, zone_of(job), plan_.from) : std::string("-");
  };
  for (std::size_t i = 0; i < summary.jobs.size(); ++i) {
    const rehearse::Tally& job = summary.jobs[i];
    std::string why = reasons_of(job);
    if (job.replaced > 0) why += (why.empty() ? "" : ", ") + number(job.replaced) + " replaced";
    if (job.timed_out > 0) why += (why.empty() ? "" : ", ") + number(job.timed_out) + " timed out";
    table.row({{name_of(i), Paint::kBold},
               {zone_of(i)},
               {number(job.fires), job.fires == 0 ? Paint::kWarn : Paint::kPlain},
               {number(job.late)},
               {number(job.skipped())},
               {why},
               {shown(job.first_fire, i)},
               {shown(job.last_fire, i)}});
  }
  table.print(session_.out(), session_.look());
}

template <typename Item, typename Print>
void RehearsalText::print_part(const char* title, const std::vector<Item>& items,
                               const Print& print_item) const {
  if (items.empty()) return;
  session_.out() << '\n' << painted(title, Paint::kBold, session_.look()) << '\n';
  const std::size_t shown = std::min(items.size(), kMostLines);
  for (std::size_t i = 0; i < shown; ++i) print_item(items[i]);
  if (items.size() > shown) {
    session_.out() << "  and " << grouped(items.size() - shown) << " more; -o json has them all\n";
  }
}

void RehearsalText::print(const rehearse::Summary& summary) const {
  const Look look = session_.look();
  std::ostream& out = session_.out();
  out << painted(header(), Paint::kBold, look) << "\n\n";
  print_totals(summary.all);
  out << "peak       " << peak_of(summary);
  if (!summary.busiest.empty()) out << ": " << names(summary.busiest.front().jobs);
  out << '\n';
  print_part("clock changes", summary.surprises, [&](const rehearse::ClockSurprise& surprise) {
    out << "  " << names(surprise.jobs) << ": " << surprise.message << '\n';
  });
  print_part("overlaps", summary.overlaps,
             [&](const rehearse::Overlap& overlap) { print_overlap(overlap); });
  out << '\n';
  print_jobs(summary);
}

void RehearsalText::print_change(const rehearse::JobChange& change) const {
  using Kind = rehearse::JobChange::Kind;
  const Look look = session_.look();
  std::ostream& out = session_.out();
  const bool gone = change.kind == Kind::kGone;
  const Paint paint = gone ? Paint::kBad : change.kind == Kind::kNew ? Paint::kGood : Paint::kWarn;
  const char* const mark = gone ? "- " : change.kind == Kind::kNew ? "+ " : "~ ";
  out << painted(mark + clean(change.name), paint, look) << "  " << number(change.before.fires)
      << " → " << counted(static_cast<std::uint64_t>(change.after.fires), "fire");
  if (change.gained + change.lost > 0 && change.kind == Kind::kChanged) {
    out << ", " << grouped(change.gained) << " gained, " << grouped(change.lost) << " lost";
  }
  out << '\n';
  const auto show = [&](const char* word, const std::vector<Instant>& some, std::size_t all) {
    if (some.empty() || change.kind != Kind::kChanged) return;
    out << "    " << word;
    for (std::size_t i = 0; i < some.size(); ++i) {
      out << (i == 0 ? " " : ", ") << wall_clock(some[i], change.zone, plan_.from);
    }
    out << ' ' << change.zone << (all > some.size() ? ", …" : "") << '\n';
  };
  show("gained", change.some_gained, change.gained);
  show("lost", change.some_lost, change.lost);
  if (change.before.skips != change.after.skips) {
    const auto skips = [](const rehearse::Tally& tally) {
      return tally.skips.empty() ? std::string("none") : reasons_of(tally);
    };
    out << "    skips " << skips(change.before) << " → " << skips(change.after) << '\n';
  }
}

void RehearsalText::print(const std::vector<rehearse::JobChange>& changes,
                          const rehearse::Summary& before, const rehearse::Summary& after) const {
  std::ostream& out = session_.out();
  out << painted(header(), Paint::kBold, session_.look()) << "\n\n";
  for (const rehearse::JobChange& change : changes) print_change(change);
  if (changes.empty()) out << "every tick has the same fate\n";
  out << '\n';
  out << "fires  " << number(before.all.fires) << " → " << number(after.all.fires) << '\n';
  out << "skips  " << number(before.all.skipped()) << " → " << number(after.all.skipped()) << '\n';
  out << "peak   " << peak_of(before) << " → " << peak_of(after) << '\n';
}

}  // namespace belfry::cli

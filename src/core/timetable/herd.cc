#include "core/timetable/herd.h"

#include "base/text/duration_text.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace belfry::core {
namespace {

using std::chrono::minutes;

constexpr Duration kWidestJitter = minutes(30);
constexpr Duration kLeastJitter = minutes(2);

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

HerdSpread with_jitter(const ScheduleSpec& spec, Duration window) {
  HerdSpread spread{.field = "jitter", .after = format_duration(window), .spec = spec};
  spread.spec.jitter = window;
  return spread;
}

HerdSpread with_expression(const ScheduleSpec& spec, std::string expression) {
  HerdSpread spread{.field = "cron_expression",
                    .before = spec.cron_expression,
                    .after = std::move(expression),
                    .spec = spec};
  spread.spec.cron_expression = spread.after;
  return spread;
}

std::optional<HerdSpread> spreading_cron(const ScheduleSpec& spec) {
  const std::string& cron = spec.cron_expression;
  const bool five_fields = std::ranges::count(cron, ' ') == 4;
  if (!five_fields || cron.starts_with('@') || cron.find('H') != std::string::npos) return {};
  const std::size_t minute_end = cron.find(' ');
  const std::string_view minute = std::string_view(cron).substr(0, minute_end);
  if (minute.starts_with("*/") && is_digits(minute.substr(2))) {
    return with_expression(spec, "H" + cron.substr(1));
  }
  if (!is_digits(minute)) return {};
  const bool every_hour = cron.substr(minute_end).starts_with(" * ");
  if (every_hour) return with_expression(spec, "H" + cron.substr(minute_end));
  return with_jitter(spec, kWidestJitter);
}

// A job's runs in each of the minutes.
std::vector<std::size_t> herd_runs(const HerdJob& job, const ScheduleSpec& spec,
                                   std::span<const Instant> asked, ZoneCatalog& zones) {
  std::vector<std::size_t> runs(asked.size());
  const auto schedule = Schedule::make(spec, zones);
  if (!schedule) return runs;
  std::ranges::transform(asked, runs.begin(),
                         [&](Instant minute) { return starts_in(*schedule, job.after, minute); });
  return runs;
}

struct HerdMember {
  std::vector<std::size_t> runs;  // by minute
  bool is_changed = false;
};

class HerdAdviser {
 public:
  HerdAdviser(std::span<const HerdJob> jobs, std::span<const Instant> asked, ZoneCatalog& zones)
      : jobs_(jobs), asked_(asked), zones_(zones) {
    for (const HerdJob& job : jobs) members_.push_back({herd_runs(job, job.spec, asked, zones)});
  }

  HerdAdvice advise() {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      HerdMinute minute{.at = asked_[i], .before = total(i)};
      for (std::size_t k = 0; k < members_.size(); ++k) {
        if (members_[k].runs[i] > 0) minute.jobs.push_back(k);
      }
      advice_.minutes.push_back(std::move(minute));
    }
    for (std::size_t i = 0; i < asked_.size(); ++i) halve(i);
    // A change for one minute can fill another: the numbers are those with all of them.
    for (std::size_t i = 0; i < asked_.size(); ++i) advice_.minutes[i].after = total(i);
    return std::move(advice_);
  }

 private:
  std::size_t total(std::size_t minute) const {
    std::size_t sum = 0;
    for (const HerdMember& member : members_) sum += member.runs[minute];
    return sum;
  }

  // Gives jobs of one minute a spread, one after the other, until it has at most half its runs.
  void halve(std::size_t minute) {
    std::size_t left = total(minute);
    for (const std::size_t job : advice_.minutes[minute].jobs) {
      if (left <= advice_.minutes[minute].before / 2) return;
      HerdMember& member = members_[job];
      const std::size_t own = member.runs[minute];
      if (own == 0 || member.is_changed) continue;
      auto spread = spreading(jobs_[job].spec);
      if (!spread) continue;
      auto runs = herd_runs(jobs_[job], spread->spec, asked_, zones_);
      if (runs[minute] >= own) continue;  // its draw leaves it where it was
      left -= own - runs[minute];
      member = {.runs = std::move(runs), .is_changed = true};
      advice_.changes.push_back({job, *std::move(spread)});
    }
  }

  std::span<const HerdJob> jobs_;
  std::span<const Instant> asked_;
  ZoneCatalog& zones_;
  std::vector<HerdMember> members_;
  HerdAdvice advice_;
};

}  // namespace

std::optional<HerdSpread> spreading(const ScheduleSpec& spec) {
  if (spec.jitter > Duration::zero()) return {};
  if (spec.type == ScheduleSpec::Type::kCron) return spreading_cron(spec);
  if (spec.type != ScheduleSpec::Type::kEvery) return {};
  const Duration window = std::chrono::floor<minutes>(std::min(spec.every / 2, kWidestJitter));
  if (window < kLeastJitter) return {};
  return with_jitter(spec, window);
}

std::size_t starts_in(const Schedule& schedule, Instant after, Instant minute) {
  std::size_t count = 0;
  Instant at = minute - Duration(1);
  while (const auto next = schedule.next_run(at, after)) {
    at = next->starts();
    if (at >= minute + minutes(1)) break;
    ++count;
  }
  return count;
}

HerdAdvice advise(std::span<const HerdJob> jobs, std::span<const Instant> asked,
                  ZoneCatalog& zones) {
  return HerdAdviser(jobs, asked, zones).advise();
}

}  // namespace belfry::core

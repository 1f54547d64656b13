#include "cli/files/herd.h"

#include "base/text/duration_text.h"
#include "cli/text/text.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

namespace belfry::cli {
namespace {

using Counts = std::map<std::int64_t, std::size_t>;  // by minute since 1970

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A job's fires by minute, within the hours that are asked for.
Counts counts_of(const Fires& fires, const HerdAsk& ask) {
  Counts counts;
  for (const Instant at : fires.at) {
    if (at >= ask.from + std::chrono::hours(ask.hours)) break;
    ++counts[floor_unix_seconds(at) / 60];
  }
  return counts;
}

std::size_t at_minute(const Counts& counts, std::int64_t minute) {
  const auto found = counts.find(minute);
  return found == counts.end() ? 0 : found->second;
}

struct Member {
  const Json* job = nullptr;
  Counts counts;
  bool is_changed = false;
};

// Gives jobs of one minute a spread, one after the other, until it has at most half its runs.
client::Answer<int> halve(std::int64_t minute, std::size_t before, std::vector<Member>& members,
                          const HerdAsk& ask, const FiresOf& fires_of,
                          std::vector<HerdChange>& changes) {
  std::size_t left = 0;
  for (const Member& member : members) left += at_minute(member.counts, minute);
  for (Member& member : members) {
    if (left <= before / 2) break;
    const std::size_t own = at_minute(member.counts, minute);
    if (own == 0 || member.is_changed) continue;
    HerdChange change = spreading(*member.job);
    if (change.field.empty()) continue;
    Json changed = *member.job;
    changed[change.field] = change.after;
    BELFRY_TRY(fires, fires_of(changed));
    Counts counts = counts_of(fires, ask);
    if (at_minute(counts, minute) >= own) continue;  // its draw leaves it where it was
    left -= own - at_minute(counts, minute);
    member.counts = std::move(counts);
    member.is_changed = true;
    changes.push_back(std::move(change));
  }
  return 0;
}

}  // namespace

HerdChange spreading(const Json& job) {
  HerdChange change{.job = job};
  if (job.contains("jitter")) return change;
  const auto jitter = [&](Duration window) {
    change.field = "jitter";
    change.after = format_duration(window);
  };
  const std::string type = field(job, "schedule_type");
  if (type == "EVERY") {
    const auto every = parse_duration(field(job, "every"));
    const Duration most =
        every ? std::min<Duration>(*every / 2, std::chrono::minutes(30)) : Duration();
    if (most >= std::chrono::minutes(2)) jitter(std::chrono::floor<std::chrono::minutes>(most));
    return change;
  }
  const std::string cron = field(job, "cron_expression");
  if (type != "CRON" || cron.starts_with('@') || cron.find('H') != std::string::npos) return change;
  const std::size_t minute_end = cron.find(' ');
  const std::size_t hour_end = cron.find(' ', minute_end + 1);
  if (minute_end == std::string::npos || hour_end == std::string::npos) return change;
  const bool five_fields = std::count(cron.begin(), cron.end(), ' ') == 4;
  const std::string minute = cron.substr(0, minute_end);
  const std::string hour = cron.substr(minute_end + 1, hour_end - minute_end - 1);
  const bool stepped = minute.starts_with("*/") && is_number(minute.substr(2));
  if (five_fields && stepped) {
    change.field = "cron_expression";
    change.after = "H" + cron.substr(1);
  } else if (five_fields && is_number(minute) && hour == "*") {
    change.field = "cron_expression";
    change.after = "H" + cron.substr(minute_end);
  } else if (five_fields && is_number(minute)) {
    jitter(std::chrono::minutes(30));
  }
  change.before = change.field == "cron_expression" ? cron : "";
  return change;
}

client::Answer<HerdAdvice> advise(const std::vector<Json>& jobs, const HerdAsk& ask,
                                  const FiresOf& fires_of) {
  std::vector<Member> members;
  Counts total;
  for (const Json& job : jobs) {
    BELFRY_TRY(fires, fires_of(job));
    members.push_back({.job = &job, .counts = counts_of(fires, ask)});
    for (const auto& [minute, count] : members.back().counts) total[minute] += count;
  }
  std::vector<std::pair<std::size_t, std::int64_t>> order;
  for (const auto& [minute, count] : total) order.emplace_back(count, -minute);
  std::sort(order.rbegin(), order.rend());  // the fullest first, of equals the earliest
  HerdAdvice advice;
  for (const auto& [count, negative] : order) {
    if (advice.minutes.size() >= ask.most || count < 2) break;
    HerdMinute minute{.at = from_unix_seconds(-negative * 60), .before = count};
    for (const Member& member : members) {
      const auto at = member.counts.find(-negative);
      if (at != member.counts.end()) minute.jobs.push_back(field(*member.job, "job_name"));
    }
    advice.minutes.push_back(std::move(minute));
  }
  for (const HerdMinute& minute : advice.minutes) {
    BELFRY_CHECK(halve(floor_unix_seconds(minute.at) / 60, minute.before, members, ask, fires_of,
                       advice.changes));
  }
  // A change for one minute can fill another: the numbers are those with all of them.
  for (HerdMinute& minute : advice.minutes) {
    for (const Member& member : members) {
      minute.after += at_minute(member.counts, floor_unix_seconds(minute.at) / 60);
    }
  }
  return advice;
}

}  // namespace belfry::cli

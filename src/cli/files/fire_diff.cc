#include "cli/files/fire_diff.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "cli/text/text.h"
#include "core/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace belfry::cli {
namespace {

constexpr Duration kWindow = std::chrono::days(30);
constexpr std::size_t kMostFires = 50'000;
constexpr int kMostPreviewed = 1'000;

constexpr std::array<const char*, 13> kScheduleFields{
    "schedule_type", "cron_expression", "timezone",       "dialect",  "dst_gap",
    "dst_overlap",   "every",           "run_at",         "start_at", "end_at",
    "jitter",        "calendar",        "calendar_policy"};

// Whether the schedule draws by chance, fixed by the tenant and the name.
bool draws(const Json& job) {
  return job.contains("jitter") || field(job, "cron_expression").find('H') != std::string::npos;
}

Result<core::ScheduleSpec> spec_of(const Json& job) {
  using Type = core::ScheduleSpec::Type;
  core::ScheduleSpec spec;
  const std::string type = field(job, "schedule_type");
  spec.type = type == "EVERY" ? Type::kEvery : type == "ONCE" ? Type::kOnce : Type::kCron;
  spec.cron_expression = field(job, "cron_expression");
  spec.timezone = field(job, "timezone");
  if (field(job, "dialect") == "quartz") spec.dialect = core::Dialect::kQuartz;
  if (field(job, "dst_gap") == "SKIP") spec.dst_gap = core::DstGap::kSkip;
  if (field(job, "dst_overlap") == "BOTH") spec.dst_overlap = core::DstOverlap::kBoth;
  if (spec.type == Type::kEvery) {
    BELFRY_TRY(every, parse_duration(field(job, "every")));
    spec.every = every;
  }
  const auto instant = [&](const char* name) -> Result<std::optional<Instant>> {
    if (!job.contains(name)) return std::optional<Instant>();
    BELFRY_TRY(at, parse_instant(field(job, name)));
    return std::optional<Instant>(at);
  };
  BELFRY_TRY(run_at, instant("run_at"));
  BELFRY_TRY(start_at, instant("start_at"));
  BELFRY_TRY(end_at, instant("end_at"));
  spec.run_at = run_at.value_or(Instant());
  spec.start_at = start_at;
  spec.end_at = end_at;
  return spec;
}

}  // namespace

FireDiff diff_of(const Fires& before, const Fires& after, Instant from) {
  const Instant until = std::min(before.until, after.until);
  FireDiff diff{.window = until - from};
  auto a = before.at.begin();
  auto b = after.at.begin();
  const auto has = [&](const auto& at, const Fires& fires) {
    return at != fires.at.end() && *at <= until;
  };
  while (has(a, before) || has(b, after)) {
    const bool old = has(a, before) && (!has(b, after) || *a <= *b);
    const bool now = has(b, after) && (!has(a, before) || *b <= *a);
    diff.before += old ? 1U : 0U;
    diff.after += now ? 1U : 0U;
    diff.lost += old && !now ? 1U : 0U;
    diff.gained += now && !old ? 1U : 0U;
    if (old) ++a;
    if (now) ++b;
  }
  return diff;
}

std::string to_string(const FireDiff& diff) {
  const std::string window = format_duration(std::chrono::floor<std::chrono::minutes>(diff.window));
  if (diff.is_same()) return "no fire changes in the next " + window;
  return fmt::format("in the next {}: {} fires become {}, {} gained, {} lost", window,
                     grouped(diff.before), grouped(diff.after), grouped(diff.gained),
                     grouped(diff.lost));
}

client::Answer<Fires> FirePlan::ask(const Json& job) const {
  Json body{{"job_name", field(job, "job_name")},
            {"from", format_instant(from_)},
            {"count", kMostPreviewed}};
  for (const char* name : kScheduleFields) {
    if (job.contains(name)) body[name] = job[name];
  }
  BELFRY_TRY(preview, client_.post("/api/v1/schedules/preview", std::move(body)));
  Fires fires{.until = from_ + kWindow};
  for (const Json& text : preview.at("next")) {
    BELFRY_TRY(at, parse_instant(text.get<std::string>()));
    if (at > fires.until) return fires;
    fires.at.push_back(at);
  }
  if (fires.at.size() == kMostPreviewed) fires.until = fires.at.back();
  return fires;
}

client::Answer<std::shared_ptr<const core::Calendar>> FirePlan::calendar(const std::string& name) {
  const auto known = calendars_.find(name);
  if (known != calendars_.end()) return known->second;
  BELFRY_TRY(found, client_.get(client::path_of("calendars", name)));
  const auto rules = found.at("rules").get<std::vector<std::string>>();
  BELFRY_TRY(made, core::Calendar::make(name, rules, zones_));
  const auto shared = std::make_shared<const core::Calendar>(std::move(made));
  calendars_[name] = shared;
  return shared;
}

client::Answer<Fires> FirePlan::fires_of(const Json& job) {
  if (draws(job)) return ask(job);
  BELFRY_TRY(spec, spec_of(job));
  if (const std::string name = field(job, "calendar"); !name.empty()) {
    BELFRY_TRY(days, calendar(name));
    spec.calendar_name = name;
    spec.calendar = days;
    if (field(job, "calendar_policy") == "DELAY") {
      spec.calendar_policy = core::CalendarPolicy::kDelay;
    }
  }
  BELFRY_TRY(schedule, core::Schedule::make(spec, zones_));
  Fires fires{.until = from_ + kWindow};
  Instant at = from_;
  while (const auto next = schedule.next_run(at)) {
    at = next->starts();
    if (at > fires.until) return fires;
    fires.at.push_back(at);
    if (fires.at.size() == kMostFires) {
      fires.until = at;
      return fires;
    }
  }
  return fires;
}

}  // namespace belfry::cli

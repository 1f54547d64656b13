#include "core/job_fields.h"

#include "base/json.h"
#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/spelling.h"
#include "core/target_secrets.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace belfry::core {
namespace {

// Texts that are not JSON are the same only if they are equal.
bool same_json(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto left = nlohmann::json::parse(a, nullptr, false);  // not ordered, as our own Json is
  const auto right = nlohmann::json::parse(b, nullptr, false);
  return !left.is_discarded() && left == right;
}

// A value as users write it.
Json shown(const std::string& text) {
  return text;
}
Json shown(std::int32_t number) {
  return number;
}
Json shown(Duration duration) {
  return format_duration(duration);
}
Json shown(Instant instant) {
  return format_instant(instant);
}
Json shown(const std::optional<Instant>& instant) {
  return instant ? Json(format_instant(*instant)) : Json();
}
Json shown(ScheduleSpec::Type value) {
  return word_for(value, kScheduleTypes);
}
Json shown(Dialect value) {
  return word_for(value, kDialects);
}
Json shown(DstGap value) {
  return word_for(value, kDstGaps);
}
Json shown(DstOverlap value) {
  return word_for(value, kDstOverlaps);
}
Json shown(CalendarPolicy value) {
  return word_for(value, kCalendarPolicies);
}
Json shown(MisfirePolicy value) {
  return word_for(value, kMisfirePolicies);
}
Json shown(OverlapPolicy value) {
  return word_for(value, kConcurrencyPolicies);
}
Json shown(RunIn value) {
  return word_for(value, kRunIns);
}

struct JobField {
  std::string_view name;
  bool (*same)(const JobDefinition&, const JobDefinition&);
  Json (*show)(const JobDefinition&);
  // It decides when the job ticks, or what becomes of missed ticks: partition owners must know it.
  bool decides_ticks = false;
};

#define BELFRY_FIELD(name, member, ...)                                                        \
  JobField {                                                                                   \
    name, [](const JobDefinition& a, const JobDefinition& b) { return a.member == b.member; }, \
        [](const JobDefinition& job) { return shown(job.member); } __VA_OPT__(, ) __VA_ARGS__  \
  }
#define BELFRY_JSON_FIELD(name, member)                                   \
  JobField {                                                              \
    name,                                                                 \
        [](const JobDefinition& a, const JobDefinition& b) {              \
          return same_json(a.member, b.member);                           \
        },                                                                \
        [](const JobDefinition& job) { return shown_target(job.member); } \
  }

constexpr std::array kFields{
    BELFRY_FIELD("job_name", name, true),  // spreads `H` and jitter
    BELFRY_FIELD("job_type", job_type),
    BELFRY_FIELD("schedule_type", schedule.type, true),
    BELFRY_FIELD("cron_expression", schedule.cron_expression, true),
    BELFRY_FIELD("dialect", schedule.dialect, true),
    BELFRY_FIELD("timezone", schedule.timezone, true),
    BELFRY_FIELD("dst_gap", schedule.dst_gap, true),
    BELFRY_FIELD("dst_overlap", schedule.dst_overlap, true),
    BELFRY_FIELD("every", schedule.every, true),
    BELFRY_FIELD("run_at", schedule.run_at, true),
    BELFRY_FIELD("start_at", schedule.start_at, true),
    BELFRY_FIELD("end_at", schedule.end_at, true),
    BELFRY_FIELD("jitter", schedule.jitter, true),
    BELFRY_FIELD("calendar", schedule.calendar_name, true),
    BELFRY_FIELD("calendar_policy", schedule.calendar_policy, true),
    BELFRY_FIELD("misfire_policy", policies.misfire, true),
    BELFRY_FIELD("misfire_grace", policies.misfire_grace, true),
    BELFRY_FIELD("max_missed_firings", policies.max_missed_firings, true),
    BELFRY_FIELD("concurrency_policy", policies.overlap),
    BELFRY_FIELD("max_concurrent", policies.max_concurrent),
    BELFRY_FIELD("max_attempts", policies.max_attempts),
    BELFRY_FIELD("retry.base", policies.retry_base),
    BELFRY_FIELD("retry.cap", policies.retry_cap),
    BELFRY_FIELD("timeout", policies.timeout),
    BELFRY_FIELD("priority", policies.priority),
    BELFRY_FIELD("start_within", policies.start_within),
    BELFRY_FIELD("stop_within", policies.stop_within),
    BELFRY_FIELD("run_in", policies.run_in),
    BELFRY_JSON_FIELD("target", target),
    BELFRY_FIELD("payload", payload),
    BELFRY_JSON_FIELD("labels", labels),
    BELFRY_FIELD("description", description),
};

#undef BELFRY_FIELD
#undef BELFRY_JSON_FIELD

}  // namespace

std::vector<std::string> differing_fields(const JobDefinition& a, const JobDefinition& b) {
  std::vector<std::string> names;
  for (const JobField& field : kFields) {
    if (!field.same(a, b)) names.emplace_back(field.name);
  }
  return names;
}

Json shown_fields(const JobDefinition& job, const std::vector<std::string>& names) {
  Json values = Json::object();
  for (const JobField& field : kFields) {
    const bool is_asked = std::find(names.begin(), names.end(), field.name) != names.end();
    if (is_asked && field.name != "payload") values[std::string(field.name)] = field.show(job);
  }
  return values;
}

bool same_definition(const JobDefinition& a, const JobDefinition& b) {
  return std::all_of(kFields.begin(), kFields.end(),
                     [&](const JobField& field) { return field.same(a, b); });
}

bool same_ticks(const JobDefinition& a, const JobDefinition& b) {
  return std::all_of(kFields.begin(), kFields.end(), [&](const JobField& field) {
    return !field.decides_ticks || field.same(a, b);
  });
}

}  // namespace belfry::core

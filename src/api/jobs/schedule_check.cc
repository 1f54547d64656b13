#include "api/jobs/schedule_check.h"

#include "base/text/duration_text.h"
#include "core/misfire.h"
#include "core/schedule/schedule.h"
#include "core/schedule/schedule_cache.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace belfry::api {
namespace {

using Type = core::ScheduleSpec::Type;

constexpr Duration kLateOnce = core::kTickTolerance;

// The fields of a body that make up a schedule.
constexpr std::array<std::string_view, 11> kFields{
    "schedule_type", "cron_expression", "dialect", "timezone", "every",          "run_at",
    "start_at",      "end_at",          "jitter",  "calendar", "calendar_policy"};

// The field that makes a schedule what it is.
const char* main_field(Type type) {
  switch (type) {
    case Type::kEvery: return "every";
    case Type::kOnce: return "run_at";
    case Type::kCron: break;
  }
  return "cron_expression";
}

// Puts something harmless in the place of a wrong field, so that the next wrong one is found too.
void mend(core::ScheduleSpec& spec, std::string_view field, Instant now) {
  if (field == "timezone") spec.timezone = "UTC";
  if (field == "start_at") spec.start_at.reset();
  if (field == "end_at") spec.end_at.reset();
  if (field == "jitter") spec.jitter = Duration::zero();
  if (field == "calendar") spec.calendar = nullptr;
  if (field == "every") spec.every = std::chrono::minutes(1);
  if (field == "run_at") spec.run_at = now + std::chrono::hours(1);
  if (field == "cron_expression" || field == "dialect" || field == "schedule_type") {
    spec.cron_expression = "* * * * *";
    spec.dialect = core::Dialect::kStandard;
  }
}

class Checker {
 public:
  Checker(core::ScheduleSpec spec, Instant now, const std::string& pointer,
          std::vector<Complaint>& complaints)
      : spec_(std::move(spec)), now_(now), pointer_(pointer), complaints_(complaints) {
    if (complaints_.empty()) return;
    for (const std::string_view field : kFields) {
      if (has_complaint(field)) mend_field(field);
    }
    if (has_complaint("delay")) mend_field("run_at");
  }

  void check(TenantId tenant, const std::string& job_name, core::ZoneCatalog& zones) {
    for (std::size_t i = 0; i < kFields.size(); ++i) {
      const auto schedule = core::compile_schedule(tenant, job_name, spec_, zones);
      if (schedule) return check_runs(*schedule);
      const std::string field = complain(schedule.error());
      mend_field(field);
    }
  }

 private:
  bool has_complaint(std::string_view field) const {
    const std::string place = pointer_ + "/" + std::string(field);
    return std::any_of(complaints_.begin(), complaints_.end(),
                       [&](const Complaint& each) { return each.pointer == place; });
  }

  void mend_field(std::string_view field) {
    mend(spec_, field, now_);
    is_whole_ = false;
  }

  // Returns the field of the body that it is about. The fields of an expression are not fields of
  // the body.
  std::string complain(const Error& error) {
    const bool own = std::find(kFields.begin(), kFields.end(), error.field) != kFields.end();
    const std::string field = own ? error.field : main_field(spec_.type);
    const std::string message =
        own || error.field.empty() ? error.message : error.field + ": " + error.message;
    complaints_.push_back({pointer_ + "/" + field, "invalid", message, error.hint});
    return field;
  }

  // Says something only of the schedule that was sent, not of a mended one.
  void check_runs(const core::Schedule& schedule) {
    if (!is_whole_) return;
    // An instant that passes while the call is on its way still runs: the change that registers it
    // takes care of that. A caller that means "now" need not be ahead of our clock.
    const bool once = spec_.type == Type::kOnce;
    const Instant from = once ? now_ - kLateOnce : now_;
    if (once && spec_.run_at <= from) {
      const std::string ago = format_duration(now_ - spec_.run_at) + " ago";
      complain({.code = Errc::kInvalid,
                .message = "lies in the past, " + ago,
                .field = "run_at",
                .hint = "give a later instant or a `delay`; `trigger` runs a job now"});
      return;
    }
    if (const auto runs = core::check_runs_at_all(schedule, from); !runs) complain(runs.error());
  }

  core::ScheduleSpec spec_;
  const Instant now_;
  const std::string& pointer_;
  std::vector<Complaint>& complaints_;
  bool is_whole_ = true;  // nothing had to be mended
};

}  // namespace

void check_schedule(const core::JobDefinition& job, TenantId tenant, core::ZoneCatalog& zones,
                    Instant now, const std::string& pointer, std::vector<Complaint>& complaints,
                    GoodSchedules* good) {
  const std::string text = good == nullptr ? "" : core::shared_text(job.schedule);
  if (!text.empty() && good->contains(text)) return;
  Checker(job.schedule, now, pointer, complaints).check(tenant, job.name, zones);
  if (!text.empty() && complaints.empty()) good->insert(text);
}

}  // namespace belfry::api

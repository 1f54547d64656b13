#include "api/jobs/job_codec.h"

#include "api/jobs/target_codec.h"
#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "base/verbatim.h"
#include "core/bulk/job_action.h"
#include "core/checkin.h"
#include "core/error_code.h"
#include "core/id_text.h"
#include "core/queue.h"
#include "core/schedule/schedule.h"
#include "core/target_secrets.h"

namespace belfry::api {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLargestPayload = 64 * 1024;
constexpr std::size_t kMostFields = 48;  // of an answer: room for them is made once
using core::kMostLabels;

// Fields that the API adds: ignored, so that an answer can be sent back as it came.
constexpr const char* kReadOnly[] = {"job_id",  "status",     "next_scheduled_run",
                                     "version", "created_at", "updated_at",
                                     "paused",  "last_run",   "failures_in_a_row"};

void read_name(ObjectReader& body, core::JobDefinition& job) {
  body.require("job_name", "give the job a name, unique within the tenant");
  const auto name = body.text("job_name", kLongestName);
  if (!name) return;
  job.name = *name;
  if (name->empty() || name->front() == ' ' || name->back() == ' ') {
    body.complain("job_name", "invalid",
                  "a name has at least one letter and no blanks at its ends");
  }
  if (name->find_first_of("\n\t") != std::string::npos) {
    body.complain("job_name", "invalid", "a name is one line");
  }
}

void read_type(ObjectReader& body, core::JobDefinition& job) {
  const auto type = body.text("job_type", kLongestName);
  if (!type) return;
  job.job_type = *type;
  const bool fine = !type->empty() && type->find_first_of(" \n\t") == std::string::npos;
  if (!fine) body.complain("job_type", "invalid", "a type is one word, such as `mail.send`");
}

// Which of the three kinds it is: said outright, or seen from the fields that belong to it.
void read_schedule_type(ObjectReader& body, core::ScheduleSpec& schedule) {
  using Type = core::ScheduleSpec::Type;
  if (const auto type = body.word("schedule_type", core::kScheduleTypes)) {
    schedule.type = *type;
  } else if (body.has("every")) {
    schedule.type = Type::kEvery;
  } else if (body.has("run_at") || body.has("delay")) {
    schedule.type = Type::kOnce;
  }
  const auto belongs = [&](const char* name, Type type) {
    if (!body.has(name) || schedule.type == type) return;
    body.complain(name, "invalid",
                  std::string("`") + name + "` belongs to a schedule of type " +
                      std::string(core::word_for(type, core::kScheduleTypes)),
                  "leave it out, or change schedule_type");
  };
  belongs("cron_expression", Type::kCron);
  belongs("every", Type::kEvery);
  belongs("run_at", Type::kOnce);
  belongs("delay", Type::kOnce);
}

void read_instants(ObjectReader& body, core::ScheduleSpec& schedule, Instant now) {
  using Type = core::ScheduleSpec::Type;
  if (schedule.type == Type::kCron) {
    body.require("cron_expression", "for example \"30 2 * * *\"");
    schedule.cron_expression = body.text("cron_expression", 1'000).value_or("");
  }
  if (schedule.type == Type::kEvery) {
    body.require("every", "for example \"15m\"");
    schedule.every = body.duration("every", seconds(1), days(3'660)).value_or(seconds(60));
    if (schedule.every % seconds(1) != Duration::zero()) {
      body.complain("every", "invalid", "an interval is a whole number of seconds");
    }
  }
  if (schedule.type != Type::kOnce) return;
  const auto run_at = body.instant("run_at");
  const auto delay = body.duration("delay", Duration::zero(), days(3'660));
  if (run_at && delay) body.complain("delay", "invalid", "give run_at or delay, not both");
  if (!body.has("run_at") && !body.has("delay")) body.require("run_at", "or give a `delay`");
  schedule.run_at = run_at ? *run_at : now + delay.value_or(Duration::zero());
}

void read_schedule(ObjectReader& body, core::ScheduleSpec& schedule, Instant now) {
  read_schedule_type(body, schedule);
  read_instants(body, schedule, now);
  schedule.timezone = body.text("timezone", 100).value_or("UTC");
  schedule.dialect = body.word("dialect", core::kDialects).value_or(core::Dialect::kStandard);
  schedule.dst_gap = body.word("dst_gap", core::kDstGaps).value_or(core::DstGap::kRunAfter);
  schedule.dst_overlap =
      body.word("dst_overlap", core::kDstOverlaps).value_or(core::DstOverlap::kFirst);
  schedule.start_at = body.instant("start_at");
  schedule.end_at = body.instant("end_at");
  if (schedule.start_at && schedule.end_at && *schedule.end_at < *schedule.start_at) {
    body.complain("end_at", "invalid", "it ends before it starts");
  }
  schedule.jitter = body.duration("jitter", Duration::zero(), days(7)).value_or(Duration::zero());
  schedule.calendar_name = body.text("calendar", kLongestName).value_or("");
  schedule.calendar_policy =
      body.word("calendar_policy", core::kCalendarPolicies).value_or(core::CalendarPolicy::kSkip);
}

void read_retry(ObjectReader& body, core::JobPolicies& policies,
                std::vector<Complaint>& complaints) {
  const Json* retry = body.object("retry");
  if (retry == nullptr) return;
  ObjectReader reader(*retry, body.pointer("retry"), complaints);
  const Duration longest = days(7);
  if (const auto base = reader.duration("base", milliseconds(1), longest))
    policies.retry_base = *base;
  if (const auto cap = reader.duration("cap", milliseconds(1), longest)) policies.retry_cap = *cap;
  if (policies.retry_cap < policies.retry_base) {
    reader.complain("cap", "invalid", "the cap is smaller than the base");
  }
  reader.refuse_others();
}

void read_overlap(ObjectReader& body, core::JobPolicies& policies) {
  const auto policy = body.word("concurrency_policy", core::kConcurrencyPolicies);
  const auto allow = body.boolean("allow_overlap");
  if (allow && *allow) policies.overlap = core::OverlapPolicy::kAllow;
  if (policy && allow && (*policy == core::OverlapPolicy::kAllow) != *allow) {
    body.complain("allow_overlap", "invalid", "it contradicts concurrency_policy",
                  "leave allow_overlap out");
  }
  if (policy) policies.overlap = *policy;
  const auto most = body.integer("max_concurrent", 0, 1'000'000);
  if (most) policies.max_concurrent = static_cast<std::int32_t>(*most);
  if (most && *most > 0 && policies.overlap != core::OverlapPolicy::kAllow) {
    body.complain("max_concurrent", "invalid", "it needs the concurrency_policy ALLOW");
  }
}

void read_policies(ObjectReader& body, core::JobPolicies& policies,
                   std::vector<Complaint>& complaints) {
  const auto number = [&](const char* name, std::int32_t& to, std::int64_t least,
                          std::int64_t most) {
    if (const auto value = body.integer(name, least, most)) to = static_cast<std::int32_t>(*value);
  };
  number("max_attempts", policies.max_attempts, 1, 1'000);
  number("max_missed_firings", policies.max_missed_firings, 1, 100'000);
  number("priority", policies.priority, -1'000, 1'000);
  read_retry(body, policies, complaints);
  read_overlap(body, policies);
  if (const auto timeout = body.duration("timeout", milliseconds(100), days(30))) {
    policies.timeout = *timeout;
  }
  if (const auto misfire = body.word("misfire_policy", core::kMisfirePolicies))
    policies.misfire = *misfire;
  if (const auto grace = body.duration("misfire_grace", Duration::zero(), days(3'660))) {
    policies.misfire_grace = *grace;
  }
  if (const auto start = body.duration("start_within", seconds(1), days(3'660))) {
    policies.start_within = *start;
  }
  if (const auto stop = body.duration("stop_within", seconds(1), days(1))) {
    policies.stop_within = *stop;
  }
  if (const auto run_in = body.word("run_in", core::kRunIns)) policies.run_in = *run_in;
}

void apply_defaults_of_type(const JobReading& reading, bool is_checkin, core::JobDefinition& job) {
  if (reading.defaults == nullptr) return;
  const auto found = reading.defaults->find(job.job_type);
  if (found == reading.defaults->end()) return;
  core::TypeDefaults defaults = found->second;
  if (is_checkin) defaults.max_attempts.reset();  // nobody here tries its work again
  core::apply_defaults(defaults, job.policies);
}

void read_labels(ObjectReader& body, core::JobDefinition& job, std::vector<Complaint>& complaints) {
  const Json* labels = body.object("labels");
  if (labels == nullptr) return;
  ObjectReader reader(*labels, body.pointer("labels"), complaints);
  if (labels->size() > kMostLabels) {
    body.complain("labels", "too_long",
                  "there are more than " + std::to_string(kMostLabels) + " labels");
    return;
  }
  Json kept = Json::object();
  for (const auto& [name, value] : labels->items()) {
    if (!core::is_label_name(name)) {
      reader.complain(name, "invalid", "a label's name is one word without `=` and `,`");
    }
    if (const auto text = reader.text(name, 200)) kept[name] = *text;
  }
  job.labels = write_json(kept);
}

void read_target_and_payload(ObjectReader& body, core::JobDefinition& job,
                             const JobReading& reading, std::vector<Complaint>& complaints) {
  const std::string before = reading.before == nullptr ? "" : reading.before->target;
  const auto url = body.text("handler_url");
  if (url && body.has("target")) {
    body.complain("handler_url", "invalid", "give handler_url or target, not both");
  }
  if (const Json* target = body.object("target")) {
    job.target = read_target(*target, body.pointer("target"), before, complaints);
  } else if (url) {
    std::vector<Complaint> about_url;
    job.target = read_target({{"kind", "HTTP"}, {"url", *url}}, "", before, about_url);
    for (const Complaint& each : about_url) {
      body.complain("handler_url", each.code, each.message, each.hint);
    }
  }
  if (const Json* payload = body.any("payload")) {
    job.payload = write_json(*payload);
    if (job.payload.size() > kLargestPayload) {
      body.complain("payload", "too_long", "a payload has at most 64 KiB",
                    "send a reference to the data instead");
    }
  }
}

}  // namespace

JobDraft read_job(const Json& json, const std::string& pointer, const JobReading& reading,
                  std::vector<Complaint>& complaints) {
  ObjectReader body(json, pointer, complaints);
  JobDraft draft;
  core::JobDefinition& job = draft.definition;
  for (const char* name : kReadOnly) body.any(name);
  draft.tenant = body.text("tenant_id", kLongestName);
  draft.home_region = body.text("home_region", kLongestName);
  read_name(body, job);
  read_type(body, job);
  read_schedule(body, job.schedule, reading.now);
  read_target_and_payload(body, job, reading, complaints);
  const bool is_checkin = core::kind_of_target(job.target) == core::TargetKind::kCheckIn;
  if (is_checkin) job.policies = core::checkin_policies();
  apply_defaults_of_type(reading, is_checkin, job);
  read_policies(body, job.policies, complaints);
  if (is_checkin && job.policies.max_attempts > 1) {
    body.complain("max_attempts", "invalid", "nobody here tries the work of a check-in again",
                  "leave it out, or say 1");
  }
  read_labels(body, job, complaints);
  job.description = body.text("description", 10'000).value_or("");
  body.refuse_others();
  return draft;
}

core::ScheduleSpec read_schedule_only(const Json& json, Instant now,
                                      std::vector<Complaint>& complaints) {
  ObjectReader body(json, "", complaints);
  core::ScheduleSpec schedule;
  read_schedule(body, schedule, now);
  body.refuse_others();
  return schedule;
}

namespace {

void add_definition(Json& json, const core::JobDefinition& job) {
  using Type = core::ScheduleSpec::Type;
  const core::ScheduleSpec& schedule = job.schedule;
  const core::JobPolicies& policies = job.policies;
  json["job_name"] = job.name;
  json["job_type"] = job.job_type;
  json["schedule_type"] = core::word_for(schedule.type, core::kScheduleTypes);
  if (schedule.type == Type::kCron) json["cron_expression"] = schedule.cron_expression;
  if (schedule.type == Type::kEvery) json["every"] = format_duration(schedule.every);
  if (schedule.type == Type::kOnce) json["run_at"] = format_instant(schedule.run_at);
  json["timezone"] = schedule.timezone;
  json["dialect"] = core::word_for(schedule.dialect, core::kDialects);
  json["dst_gap"] = core::word_for(schedule.dst_gap, core::kDstGaps);
  json["dst_overlap"] = core::word_for(schedule.dst_overlap, core::kDstOverlaps);
  if (schedule.start_at) json["start_at"] = format_instant(*schedule.start_at);
  if (schedule.end_at) json["end_at"] = format_instant(*schedule.end_at);
  if (schedule.jitter > Duration::zero()) json["jitter"] = format_duration(schedule.jitter);
  if (!schedule.calendar_name.empty()) json["calendar"] = schedule.calendar_name;
  json["calendar_policy"] = core::word_for(schedule.calendar_policy, core::kCalendarPolicies);
  json["target"] = core::shown_target(job.target);
  if (!job.payload.empty()) json["payload"] = verbatim(job.payload);
  json["max_attempts"] = policies.max_attempts;
  json["retry"] = {{"base", format_duration(policies.retry_base)},
                   {"cap", format_duration(policies.retry_cap)}};
  json["timeout"] = format_duration(policies.timeout);
  json["concurrency_policy"] = core::word_for(policies.overlap, core::kConcurrencyPolicies);
  if (policies.max_concurrent > 0) json["max_concurrent"] = policies.max_concurrent;
  json["misfire_policy"] = core::word_for(policies.misfire, core::kMisfirePolicies);
  json["misfire_grace"] = format_duration(policies.misfire_grace);
  json["max_missed_firings"] = policies.max_missed_firings;
  json["priority"] = policies.priority;
  json["start_within"] = format_duration(policies.start_within);
  json["stop_within"] = format_duration(policies.stop_within);
  json["run_in"] = core::word_for(policies.run_in, core::kRunIns);
  json["labels"] = parse_json(job.labels).value_or(Json::object());
  json["description"] = job.description;
}

Json write_last_run(const store::LastRun& run) {
  Json json{{"run_id", core::write_run_id(run.run)},
            {"state", core::word_for(run.state, core::kRunStates)},
            {"scheduled_for", format_instant(run.scheduled_for)},
            {"started_at", run.started_at ? Json(format_instant(*run.started_at)) : Json()},
            {"finished_at", format_instant(run.finished_at)},
            {"error", run.error.empty() ? Json() : Json(run.error)}};
  const std::string code = core::error_code(run.error);
  json["code"] = code.empty() ? Json() : Json(code);
  json["duration"] =
      run.started_at ? Json(format_duration(run.finished_at - *run.started_at)) : Json();
  json["reason"] = run.reason == core::DeadReason::kNone
                       ? Json()
                       : Json(core::word_for(run.reason, core::kDeadReasons));
  return json;
}

}  // namespace

Json write_definition(const core::JobDefinition& job) {
  Json json;
  add_definition(json, job);
  return json;
}

Json write_job(const store::JobRow& job, const JobView& view) {
  Json json = Json::object();
  json.get_ref<Json::object_t&>().reserve(kMostFields);
  json["job_id"] = core::write_job_id(job.id);
  json["tenant_id"] = view.tenant;
  add_definition(json, job.definition);
  json["home_region"] = view.home_region;
  json["status"] = core::word_for(view.status, core::kJobStatuses);
  json["next_scheduled_run"] =
      view.next_scheduled_run.empty() ? Json() : Json(view.next_scheduled_run);
  if (view.status == core::JobStatus::kPaused) {
    json["paused"] = {
        {"by", job.paused_by},
        {"note", job.pause_note},
        {"until", job.paused_until ? Json(format_instant(*job.paused_until)) : Json()}};
  }
  json["last_run"] = view.health.last ? write_last_run(*view.health.last) : Json();
  json["failures_in_a_row"] = view.health.failures_in_a_row;
  json["version"] = job.revision;
  json["created_at"] = format_instant(job.created_at);
  json["updated_at"] = format_instant(job.updated_at);
  return json;
}

}  // namespace belfry::api

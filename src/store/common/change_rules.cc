#include "store/common/change_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace belfry::store {
namespace {

using core::JobDefinition;
using core::JobStatus;

constexpr std::size_t kMostJobs = 10'000;

struct Field {
  std::string_view name;
  bool (*same)(const JobDefinition&, const JobDefinition&);
  // Owners of partitions keep it in memory, to find the ticks and what becomes of missed ones.
  bool concerns_owners = false;
};

#define BELFRY_FIELD(name, member, ...)                                                        \
  Field {                                                                                      \
    name, [](const JobDefinition& a, const JobDefinition& b) { return a.member == b.member; }, \
        ##__VA_ARGS__                                                                          \
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
    BELFRY_FIELD("target", target),
    BELFRY_FIELD("payload", payload),
    BELFRY_FIELD("labels", labels),
    BELFRY_FIELD("description", description),
};

#undef BELFRY_FIELD

}  // namespace

std::string differences(const JobDefinition& before, const JobDefinition& after) {
  std::string list;
  for (const Field& field : kFields) {
    if (field.same(before, after)) continue;
    list += list.empty() ? "\"" : ",\"";
    list += field.name;
    list += '"';
  }
  return '[' + list + ']';
}

std::optional<JobStore::JobChange> replacement(const JobRow& before, const NewJob& wanted,
                                               const Author& author) {
  JobStore::JobChange change{.job = before.id, .reschedules = false, .author = author};
  for (const Field& field : kFields) {
    if (field.same(before.definition, wanted.definition)) continue;
    change.definition = wanted.definition;
    change.reschedules |= field.concerns_owners;
  }
  if (before.status == JobStatus::kCancelled || before.status == JobStatus::kCompleted) {
    change.definition = wanted.definition;
    change.status = JobStatus::kActive;
    change.reschedules = true;
  }
  if (!change.definition) return std::nullopt;
  return change;
}

JobRow changed(JobRow job, const JobStore::JobChange& change) {
  const JobStatus before = job.status;
  const std::optional<Instant> paused_until = job.paused_until;
  if (change.definition) {
    // The rules of its calendar stay until it is looked up again.
    std::string rules = std::move(job.definition.schedule.calendar_rules);
    job.definition = *change.definition;
    job.definition.schedule.calendar_rules = std::move(rules);
  }
  // A completed job that gets new ticks is active again.
  const bool awakes = change.definition && change.reschedules && before == JobStatus::kCompleted;
  if (awakes) job.status = JobStatus::kActive;
  if (change.status) {
    job.status = *change.status;
    job.paused_until = change.paused_until;
    job.paused_by = change.author.actor;
    job.pause_note = change.pause_note;
  } else if (change.paused_until) {
    job.paused_until = change.paused_until;
  }
  if (job.status != JobStatus::kPaused) {
    job.paused_until.reset();
    job.paused_by.clear();
    job.pause_note.clear();
  }
  // Until when it is paused decides ticks as well: the revisions must tell.
  const bool restated = job.status != before || job.paused_until != paused_until;
  if (change.definition || restated) ++job.revision;
  return job;
}

bool may_begin_late(const JobRow* before, const JobRow& after) {
  const core::ScheduleSpec& schedule = after.definition.schedule;
  constexpr auto kOnce = core::ScheduleSpec::Type::kOnce;
  if (schedule.type != kOnce || schedule.run_at > after.effective_from) return false;
  if (before == nullptr) return true;
  const core::ScheduleSpec& old = before->definition.schedule;
  return old.type != kOnce || old.run_at != schedule.run_at;
}

std::string_view action_of(const JobStore::JobChange& change) {
  if (!change.status || change.definition) return "job.update";
  switch (*change.status) {
    case JobStatus::kActive: return "job.resume";
    case JobStatus::kPaused: return "job.pause";
    case JobStatus::kCancelled: return "job.cancel";
    case JobStatus::kCompleted: return "job.complete";
    case JobStatus::kDeleted: return "job.delete";
  }
  return "job.update";
}

Status check(const Registration& request) {
  if (request.jobs.size() > kMostJobs) {
    return fail({.code = Errc::kInvalid,
                 .message = std::to_string(request.jobs.size()) + " jobs are too many at once",
                 .hint = "send at most 10,000 in one request"});
  }
  std::set<std::pair<TenantId, std::string_view>> names;
  for (const NewJob& job : request.jobs) {
    const std::string& name = job.definition.name;
    if (names.emplace(job.tenant, name).second) continue;
    return fail({.code = Errc::kConflict,
                 .message = "two jobs of the request are named `" + name + "`",
                 .field = name});
  }
  return {};
}

Error name_taken(const std::string& name) {
  return {.code = Errc::kConflict,
          .message = "a job named `" + name + "` exists already",
          .field = name};
}

std::optional<std::vector<RegisteredJob>> as_repeated(std::optional<std::vector<JobRow>> jobs) {
  if (!jobs) return {};
  std::vector<RegisteredJob> repeated;
  for (JobRow& job : *jobs) {
    repeated.push_back({std::move(job), RegisteredJob::Outcome::kRepeated});
  }
  return repeated;
}

Error key_taken() {
  return {.code = Errc::kConflict,
          .message = "the idempotency key was used for another request",
          .field = "idempotency_key",
          .hint = "use a new key for each new request"};
}

Error no_such_tenant(TenantId tenant) {
  return {.code = Errc::kNotFound, .message = "no tenant " + std::to_string(tenant.value())};
}

Error too_many_jobs(TenantId tenant, std::int64_t existing, std::int64_t added, std::int64_t most) {
  return {.code = Errc::kQuotaExceeded,
          .message = fmt::format("tenant {} has {} jobs of at most {}; {} more are too many",
                                 tenant.value(), existing, most, added),
          .field = "max_jobs",
          .hint = "delete jobs that are not needed, or raise the tenant's max_jobs"};
}

}  // namespace belfry::store

#include "store/common/change_rules.h"

#include "base/json.h"
#include "core/job_fields.h"
#include "core/limits.h"
#include "core/queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace belfry::store {
namespace {

using core::JobDefinition;
using core::JobStatus;

bool runs_command(const JobDefinition& job) {
  return core::kind_of_target(job.target) == core::TargetKind::kExec;
}

bool runs_the_same(const JobDefinition& before, const JobDefinition& after) {
  JobDefinition alike = after;
  alike.labels = before.labels;
  alike.description = before.description;
  return core::same_definition(before, alike);
}

}  // namespace

Status check_may_exec(const std::string& actor, const JobDefinition* before,
                      const JobDefinition& after) {
  const bool had_command = before != nullptr && runs_command(*before);
  if (!had_command && !runs_command(after)) return {};
  if (before != nullptr && runs_the_same(*before, after)) return {};
  return fail(
      {.code = Errc::kForbidden,
       .message = "making or changing a job that runs a command needs the permission `exec`, "
                  "which " +
                  actor + " does not have",
       .field = "target",
       .hint = "root can make a key with it: `belfry keys create NAME --allow exec`"});
}

Status check_may_exec(const Registration& request, const JobRow* before, const NewJob& wanted) {
  if (request.may_exec) return {};
  return check_may_exec(request.author.actor, before == nullptr ? nullptr : &before->definition,
                        wanted.definition);
}

Status check_may_feed(const Feeding& feeding) {
  const auto is_command = [](const std::string& target) {
    return core::kind_of_target(target) == core::TargetKind::kExec;
  };
  const bool becomes_input = is_command(feeding.target) && !is_command(feeding.target_then);
  if (!becomes_input || feeding.payload_then == feeding.payload) return {};
  return fail({.code = Errc::kForbidden,
               .message = "the run's payload is from before its job ran a command; giving it to "
                          "one needs the permission `exec`, and is not done for many at once",
               .field = "payload",
               .hint = "trigger the job instead: that run has the job's payload"});
}

std::string differences(const JobDefinition& before, const JobDefinition& after) {
  const auto changed = core::differing_fields(before, after);
  Json text{{"changed", changed}};
  const Json old = core::shown_fields(before, changed);
  if (!old.empty()) text["before"] = old;
  if (!old.empty()) text["after"] = core::shown_fields(after, changed);
  return write_json(text);
}

std::optional<JobStore::JobChange> replacement(const JobRow& before, const NewJob& wanted,
                                               const Author& author) {
  JobStore::JobChange change{.job = before.id, .reschedules = false, .author = author};
  if (!core::same_definition(before.definition, wanted.definition)) {
    change.definition = wanted.definition;
    change.reschedules = !core::same_ticks(before.definition, wanted.definition);
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
    // The rules of its calendar stay until the calendar is looked up again.
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
  // The end of a pause decides ticks, too, so it makes a new revision.
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
  if (request.jobs.size() > core::kMostJobsPerRequest) {
    return fail({.code = Errc::kInvalid,
                 .message = std::to_string(request.jobs.size()) + " jobs are too many at once",
                 .hint = fmt::format("send at most {} in one request", core::kMostJobsPerRequest)});
  }
  std::unordered_map<TenantId, std::unordered_set<std::string_view>> names;
  for (const NewJob& job : request.jobs) {
    const std::string& name = job.definition.name;
    if (names[job.tenant].insert(name).second) continue;
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

Error too_many_jobs(std::int64_t existing, std::int64_t added, std::int64_t most) {
  return {.code = Errc::kQuotaExceeded,
          .message = fmt::format("the tenant has {} of at most {} jobs; {} more are too many",
                                 existing, most, added),
          .field = "max_jobs",
          .hint = "delete jobs that are not needed, or raise the tenant's max_jobs"};
}

}  // namespace belfry::store

#include "api/jobs/job_calls.h"

#include "api/frame/context.h"
#include "api/jobs/job_answer.h"
#include "api/jobs/job_codec.h"
#include "api/jobs/job_draft.h"
#include "api/jobs/job_view.h"
#include "base/verbatim.h"
#include "core/bulk/job_action.h"
#include "core/job_fields.h"
#include "service/jobs/job_changes.h"

#include <utility>

namespace belfry::api {
namespace {

// The time to merge grows with the square of the number of names in an object.
constexpr std::size_t kLargestPatch = 1024 * 1024;

Outcome get_job(const Services& services, const Call& call) {
  BELFRY_NEED(job, find_job(services, call));
  if (auto problem = check_conditions(call, job)) return *std::move(problem);
  return job_response(services, call, job);
}

Outcome set_status(const Services& services, const Call& call, core::JobAction action,
                   std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job(services, call));
  BELFRY_NEED(body, read_body(call.request));
  ObjectReader reader(body, "", complaints);
  bool ends_waiting = false;
  if (action == core::JobAction::kCancel) {
    ends_waiting = reader.word("ready_runs", core::kReadyRuns).value_or(false);
  }
  reader.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  const core::ActionVerdict verdict = core::judge(action, status_now(services, job));
  if (verdict == core::ActionVerdict::kIsCancelled) {
    return Problem{
        .status = 409,
        .code = "cancelled",
        .title = "The job is cancelled for good",
        .detail = "a cancelled job cannot be resumed; replace it (PUT) to bring it back"};
  }
  if (auto problem = check_conditions(call, job)) return *std::move(problem);
  if (verdict == core::ActionVerdict::kAlready) return job_response(services, call, job);
  return change_job(
      services, call, job,
      {.job = job.id, .status = core::status_after(action), .ends_waiting = ends_waiting});
}

Outcome resume_job(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  return set_status(services, call, core::JobAction::kResume, std::move(complaints));
}
Outcome cancel_job(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  return set_status(services, call, core::JobAction::kCancel, std::move(complaints));
}

Outcome pause_job(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job(services, call));
  BELFRY_NEED(body, read_body(call.request));
  ObjectReader reader(body, "", complaints);
  const auto until = reader.instant("until");
  const auto note = reader.text("note", 1'000);
  reader.refuse_others();
  if (until && *until <= services.now()) {
    reader.complain("until", "invalid", "this instant has passed already");
  }
  const auto verdict = core::judge(core::JobAction::kPause, status_now(services, job));
  if (verdict == core::ActionVerdict::kIsOver) {
    return Problem{
        .status = 409,
        .code = "not_active",
        .title = "Only a job that still runs can be paused",
        .detail = "the job is " + std::string(core::word_for(job.status, core::kJobStatuses))};
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  return change_job(services, call, job,
                    {.job = job.id,
                     .status = core::JobStatus::kPaused,
                     .paused_until = until,
                     .pause_note = note.value_or("")});
}

Outcome delete_job(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job(services, call));
  bool ends_waiting = false;
  if (const auto given = call.request.parameter("ready_runs")) {
    const auto meant = core::meaning_of(*given, core::kReadyRuns);
    if (!meant) {
      complaints.push_back({"?ready_runs", "invalid", "`ready_runs` is keep or cancel", ""});
    }
    ends_waiting = meant.value_or(false);
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  if (auto problem = check_conditions(call, job)) return *std::move(problem);
  const auto deleted = service::change_job(
      services.store, services.observer,
      conditional(
          call, job,
          {.job = job.id, .status = core::JobStatus::kDeleted, .ends_waiting = ends_waiting}));
  if (!deleted) return problem_with_job(deleted.error());
  return net::Response{.status = 204};
}

bool names(const Json& patch, const char* field) {
  const auto found = patch.find(field);
  return found != patch.end() && !found->is_null();
}

// Removes what would contradict the patch, because it says the same thing in another way.
void drop_contradicted(Json& job, const Json& patch) {
  const auto target = patch.find("target");
  const bool other_kind = target != patch.end() && target->is_object() &&
                          target->contains("kind") && target->at("kind") != job["target"]["kind"];
  if (other_kind || names(patch, "handler_url")) job.erase("target");
  if (names(patch, "allow_overlap")) {
    const bool allows = job["concurrency_policy"] == "ALLOW";
    if (patch.at("allow_overlap") != allows) job.erase("concurrency_policy");
  }
  const bool forbids = names(patch, "allow_overlap") && patch.at("allow_overlap") == false;
  const bool other_policy =
      names(patch, "concurrency_policy") && patch.at("concurrency_policy") != "ALLOW";
  if (forbids || other_policy) job.erase("max_concurrent");
}

// A patch that leaves nothing of the payload there was is delivered as it was written.
Json merged_payload(const Json& job, const Json& given) {
  const Json patch = plain(given);
  Json merged = job.contains("payload") ? plain(job.at("payload")) : Json();
  merged.merge_patch(patch);
  return merged == patch ? given : merged;
}

// The fields that say what kind of schedule it is: a patch that names one replaces them all.
Json patched(Json job, const Json& patch) {
  drop_contradicted(job, patch);
  constexpr const char* kKinds[] = {"schedule_type", "cron_expression", "every", "run_at", "delay"};
  bool named = false;
  for (const char* field : kKinds) named = named || patch.contains(field);
  for (const char* field : kKinds) {
    if (named) job.erase(field);
  }
  Json payload = patch.contains("payload") ? merged_payload(job, patch.at("payload")) : Json();
  job.merge_patch(patch);
  if (!payload.is_null()) job["payload"] = std::move(payload);
  return job;
}

// None: the job changed between reading and writing it.
std::optional<Outcome> try_patch(const Services& services, const Call& call, const Json& patch,
                                 std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job(services, call));
  BELFRY_NEED(reading, job_reading(services, call, &job.definition));
  JobDraft draft =
      read_job(patched(write_definition(job.definition), patch), "", reading, complaints);
  const auto sealed = seal_draft(services, job.tenant, draft, "", complaints, &job.definition);
  if (!sealed) return Outcome(sealed.error());
  const auto checked = check_draft(services, call, draft, "", complaints, &job.definition);
  if (!checked) return Outcome(checked.error());
  const auto may = check_may_exec(call, draft.definition, &job.definition);
  if (!may) return Outcome(may.error());
  check_region_stays(services, job, draft, complaints);
  if (!complaints.empty()) return Outcome(invalid(std::move(complaints)));
  if (auto problem = check_conditions(call, job)) return Outcome(*std::move(problem));
  if (core::same_definition(draft.definition, job.definition)) {
    return Outcome(job_response(services, call, job));
  }
  const bool reschedules = !core::same_ticks(draft.definition, job.definition);
  return change_as_read(
      services, call, job,
      {.job = job.id, .definition = draft.definition, .reschedules = reschedules});
}

Outcome patch_job(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(patch, read_body_keeping("/payload", call.request));
  if (!patch.is_object()) ObjectReader(patch, "", complaints);
  if (call.request.body.size() > kLargestPatch) {
    complaints.push_back({"", "too_long", "a patch has at most 1 MiB", ""});
  }
  // What is wrong with the query is told with what is wrong with the job.
  if (complaints.size() > call.complaints.size()) return invalid(std::move(complaints));
  for (int i = 0; i < kMostRaces; ++i) {
    if (auto done = try_patch(services, call, patch, complaints)) return *std::move(done);
  }
  return lost_races();
}

}  // namespace

std::vector<Route> job_routes() {
  const std::string job = "/api/v1/jobs/{job}";
  return {
      {"GET", job, Access::kRead, at_once(get_job)},
      {"PATCH", job, Access::kOperate, at_once(patch_job)},
      {"DELETE", job, Access::kOperate, at_once(delete_job), {"ready_runs"}},
      {"POST", job + "/pause", Access::kOperate, at_once(pause_job)},
      {"POST", job + "/resume", Access::kOperate, at_once(resume_job)},
      {"POST", job + "/cancel", Access::kOperate, at_once(cancel_job)},
  };
}

}  // namespace belfry::api

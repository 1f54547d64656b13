#include "api/jobs/job_answer.h"

#include "api/frame/conditions.h"
#include "api/jobs/job_view.h"
#include "service/jobs/job_changes.h"

#include <utility>

namespace belfry::api {
namespace {

Problem version_mismatch(const std::string& why) {
  return {.status = 412,
          .code = "version_mismatch",
          .title = "The job has changed since it was read",
          .detail = why + "; read it again and repeat the change"};
}

}  // namespace

Outcome job_response(const Services& services, const Call& call, const store::JobRow& job) {
  BELFRY_NEED(health, services.store.health_of({&job.id, 1}));
  net::Response response = json_response(200, show_job(services, call, job, health.at(0)));
  const std::string etag = etag_of(job.revision, response.body);
  response.headers.set("ETag", etag);
  if (Conditions(call.request).know(etag)) response.status = 304;
  return response;
}

Problem problem_with_job(const Error& error) {
  Problem problem = problem_of(error);
  if (error.code != Errc::kConflict || error.field.empty()) return problem;
  if (error.field == "revision") return version_mismatch(error.message);
  if (error.field == "idempotency_key") {
    problem.status = 422;
    problem.code = "idempotency_key_reused";
    problem.title = "This Idempotency-Key was used for another request";
    return problem;
  }
  problem.code = "name_taken";
  problem.title = "The name is taken";
  problem.errors = {{"/job_name", "taken", error.message,
                     "choose another name, or PUT /jobs/name:" + error.field + " to replace it"}};
  return problem;
}

Problem exists_already(const std::string& detail) {
  return {.status = 412,
          .code = "version_mismatch",
          .title = "The job exists already",
          .detail = detail};
}

std::optional<Problem> check_conditions(const Call& call, const std::optional<store::JobRow>& job) {
  const Conditions conditions(call.request);
  const auto version = job ? std::optional(job->revision) : std::nullopt;
  if (conditions.hold_for(version)) return {};
  if (!job) return version_mismatch("there is no such job");
  const std::string now = "the job is at version " + std::to_string(job->revision) + " now";
  if (conditions.has_if_match()) return version_mismatch(now);
  return exists_already(now + ", and If-None-Match rules that out");
}

store::JobStore::JobChange conditional(const Call& call, const store::JobRow& job,
                                       store::JobStore::JobChange wanted) {
  if (Conditions(call.request).names_versions()) wanted.if_revision = job.revision;
  wanted.author = call.author();
  return wanted;
}

Outcome change_job(const Services& services, const Call& call, const store::JobRow& job,
                   store::JobStore::JobChange wanted) {
  if (auto problem = check_conditions(call, job)) return *std::move(problem);
  const auto changed = service::change_job(services.store, services.observer,
                                           conditional(call, job, std::move(wanted)));
  if (changed) return job_response(services, call, *changed);
  return problem_with_job(changed.error());
}

std::optional<Outcome> change_as_read(const Services& services, const Call& call,
                                      const store::JobRow& job, store::JobStore::JobChange wanted) {
  wanted.if_revision = job.revision;
  wanted.author = call.author();
  const auto changed = service::change_job(services.store, services.observer, wanted);
  if (changed) return Outcome(job_response(services, call, *changed));
  const Error& error = changed.error();
  const bool raced = error.code == Errc::kConflict && error.field == "revision";
  if (raced && !Conditions(call.request).names_versions()) return {};
  return Outcome(problem_with_job(error));
}

Problem lost_races() {
  return problem_of(Error{.code = Errc::kUnavailable, .message = "others are changing the job"});
}

}  // namespace belfry::api

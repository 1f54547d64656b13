#include "api/jobs/job_answer.h"

#include "api/jobs/job_view.h"
#include "service/jobs/job_changes.h"

namespace belfry::api {
namespace {

Problem version_mismatch(const std::string& why) {
  return {.status = 412,
          .code = "version_mismatch",
          .title = "The job has changed since it was read",
          .detail = why + "; read it again and repeat the change"};
}

}  // namespace

net::Response job_response(const Services& services, const Call& call, const store::JobRow& job,
                           int status) {
  net::Response response = json_response(status, show_job(services, call, job));
  response.headers.set("ETag", etag_of(job));
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

std::optional<Problem> check_if_match(const Call& call, const std::optional<store::JobRow>& job) {
  const auto wanted = if_match(call.request);
  if (!wanted) return problem_of(wanted.error());
  if (!call.request.headers.find("If-Match")) return {};
  if (!job) return version_mismatch("there is no such job");
  if (!*wanted || **wanted == job->revision) return {};
  return version_mismatch("the job is at revision " + std::to_string(job->revision) + " now");
}

Outcome change_job(const Services& services, const Call& call, store::JobStore::JobChange wanted) {
  BELFRY_NEED(revision, if_match(call.request));
  wanted.if_revision = revision;
  wanted.author = call.author();
  const auto changed = service::change_job(services.store, services.observer, wanted);
  if (changed) return job_response(services, call, *changed);
  return problem_with_job(changed.error());
}

std::optional<Outcome> change_as_read(const Services& services, const Call& call,
                                      const store::JobRow& job, store::JobStore::JobChange wanted) {
  const auto revision = if_match(call.request);
  if (!revision) return Outcome(revision.error());
  wanted.if_revision = job.revision;
  wanted.author = call.author();
  const auto changed = service::change_job(services.store, services.observer, wanted);
  if (changed) return Outcome(job_response(services, call, *changed));
  const Error& error = changed.error();
  const bool raced = error.code == Errc::kConflict && error.field == "revision";
  if (raced && !*revision) return {};
  return Outcome(problem_with_job(error));
}

Problem lost_races() {
  return problem_of(Error{.code = Errc::kUnavailable, .message = "others are changing the job"});
}

}  // namespace belfry::api

#include "api/jobs/registration_calls.h"

#include "api/frame/conditions.h"
#include "api/frame/context.h"
#include "api/jobs/job_answer.h"
#include "api/jobs/job_codec.h"
#include "api/jobs/job_draft.h"
#include "api/jobs/job_view.h"
#include "api/jobs/registration.h"
#include "core/id_text.h"
#include "store/common/change_rules.h"

#include <memory>
#include <utility>

namespace belfry::api {
namespace {

using Registered = store::RegisteredJob::Outcome;

Outcome registered_response(const Services& services, const Call& call,
                            const store::RegisteredJob& registered) {
  const store::JobRow& job = registered.job;
  std::vector<store::JobHealth> health(1);
  if (registered.outcome != Registered::kCreated) {
    BELFRY_NEED(known, services.store.health_of({&job.id, 1}));
    health = std::move(known);
  }
  const bool made =
      registered.outcome == Registered::kCreated || registered.outcome == Registered::kRepeated;
  net::Response response =
      json_response(made ? 201 : 200, show_job(services, call, job, health.at(0)));
  response.headers.set("ETag", etag_of(job.revision, response.body));
  if (made) response.headers.set("Location", "/api/v1/jobs/" + core::write_job_id(job.id));
  if (registered.outcome == Registered::kRepeated)
    response.headers.set("Idempotent-Replayed", "true");
  return response;
}

// A job that was to be new and met another of its name broke the caller's condition.
Problem problem_with_new(const Call& call, const Error& error) {
  Problem problem = problem_with_job(error);
  const bool taken = problem.code == "name_taken";
  return taken && Conditions(call.request).wants_new() ? exists_already(error.message) : problem;
}

// Registers one job and answers with it.
void register_one(const Services& services, Call call, const net::Responder& responder,
                  service::Registrar::Request request) {
  const auto shared = std::make_shared<Call>(std::move(call));
  services.registrar.submit(
      std::move(request), [&services, shared, responder](store::JobStore::Registered registered) {
        Outcome outcome = registered
                              ? Outcome(registered_response(services, *shared, registered->at(0)))
                              : Outcome(problem_with_new(*shared, registered.error()));
        responder.send(std::move(outcome).to_response(shared->request_id));
      });
}

void create_job(const Services& services, Call call, std::vector<Complaint> complaints,
                const net::Responder& responder) {
  const auto body = read_body_keeping("/payload", call.request);
  if (!body) return answer(call, responder, body.error());
  if (auto problem = follow_tenant(services, *body, call)) return answer(call, responder, *problem);
  service::Registrar::Request request{.may_exec = call.principal.may_exec,
                                      .author = call.author(),
                                      .idempotency = idempotency_of(call, complaints)};
  const auto reading = job_reading(services, call);
  if (!reading) return answer(call, responder, reading.error());
  JobDraft draft = read_job(*body, "", *reading, complaints);
  const auto sealed = seal_draft(services, call.principal.tenant, draft, "", complaints);
  if (!sealed) return answer(call, responder, sealed.error());
  const auto checked = check_draft(services, call, draft, "", complaints);
  if (!checked) return answer(call, responder, checked.error());
  if (const auto may = check_may_exec(call, draft.definition); !may) {
    return answer(call, responder, may.error());
  }
  auto job = new_job(services, call, std::move(draft), "", complaints);
  if (!job) return answer(call, responder, job.error());
  if (!call.complaints.empty()) return answer(call, responder, invalid(std::move(complaints)));
  if (!complaints.empty()) {
    const auto earlier = find_earlier(services, request.idempotency);
    if (!earlier) return answer(call, responder, problem_with_job(earlier.error()));
    if (!*earlier || (*earlier)->empty()) {
      return answer(call, responder, invalid(std::move(complaints)));
    }
    return answer(call, responder, registered_response(services, call, (*earlier)->front()));
  }
  request.jobs.push_back(*std::move(job));
  register_one(services, std::move(call), responder, std::move(request));
}

// The job that PUT is about: by id it has to be there, by name it may be made.
struct PutTarget {
  std::optional<store::JobRow> job;
  std::string name;
};

Result<PutTarget> put_target(const Services& services, const Call& call) {
  auto job = find_job(services, call);
  const std::string& named = call.at("job");
  if (job) return PutTarget{*job, job->definition.name};
  if (job.error().code != Errc::kNotFound || !named.starts_with(kByName)) return fail(job.error());
  return PutTarget{{}, named.substr(kByName.size())};
}

// A PUT under a condition goes through change_job. None: the job has changed since it was read.
std::optional<Outcome> put_existing(const Services& services, const Call& call,
                                    const store::JobRow& job, const store::NewJob& wanted) {
  const auto change = store::replacement(job, wanted, call.author());
  if (!change) return Outcome(job_response(services, call, job));
  return change_as_read(services, call, job, *change);
}

// The job as PUT has it; what is wrong with it goes to `complaints`.
Result<JobDraft> put_draft(const Services& services, const Call& call, Json body,
                           const PutTarget& target, std::vector<Complaint>& complaints) {
  if (body.is_object() && !body.contains("job_name")) body["job_name"] = target.name;
  const core::JobDefinition* before = target.job ? &target.job->definition : nullptr;
  BELFRY_TRY(reading, job_reading(services, call, before));
  JobDraft draft = read_job(body, "", reading, complaints);
  BELFRY_CHECK(seal_draft(services, call.principal.tenant, draft, "", complaints, before));
  BELFRY_CHECK(check_may_exec(call, draft.definition, before));
  const bool over = target.job && is_completed_and_same(*target.job, draft);
  BELFRY_CHECK(check_draft(services, call, draft, "", complaints, over ? before : nullptr));
  if (target.job) check_region_stays(services, *target.job, draft, complaints);
  const std::string& name = draft.definition.name;
  if (!target.job && !name.empty() && name != target.name) {
    complaints.push_back({"/job_name", "invalid", "there is no job `" + target.name + "` to rename",
                          "leave job_name out, or name the same job in the path"});
  }
  return draft;
}

// False: the job changed between reading and writing it, and nothing was done.
bool try_put(const Services& services, Call& call, const Json& body,
             const net::Responder& responder) {
  const auto done = [&](Outcome outcome) {
    answer(call, responder, std::move(outcome));
    return true;
  };
  const auto target = put_target(services, call);
  if (!target) return done(target.error());
  if (auto problem = check_conditions(call, target->job)) return done(*std::move(problem));
  std::vector<Complaint> complaints = call.complaints;
  const auto draft = put_draft(services, call, body, *target, complaints);
  if (!draft) return done(draft.error());
  auto job = new_job(services, call, *draft, "", complaints);
  if (!job) return done(job.error());
  if (!complaints.empty()) return done(invalid(std::move(complaints)));
  const Conditions conditions(call.request);
  if (target->job) {
    if (is_completed_and_same(*target->job, *draft)) {
      return done(job_response(services, call, *target->job));
    }
    const bool renames = target->name != draft->definition.name;
    if (renames || conditions.has_if_match()) {
      auto outcome = put_existing(services, call, *target->job, *job);
      return outcome ? done(*std::move(outcome)) : false;
    }
  }
  service::Registrar::Request request{.replace = !conditions.wants_new(),
                                      .may_exec = call.principal.may_exec,
                                      .author = call.author()};
  request.jobs.push_back(*std::move(job));
  register_one(services, std::move(call), responder, std::move(request));
  return true;
}

void put_job(const Services& services, Call call, std::vector<Complaint> /*complaints*/,
             const net::Responder& responder) {
  const auto body = read_body_keeping("/payload", call.request);
  if (!body) return answer(call, responder, body.error());
  if (auto problem = follow_tenant(services, *body, call)) return answer(call, responder, *problem);
  for (int i = 0; i < kMostRaces; ++i) {
    if (try_put(services, call, *body, responder)) return;
  }
  answer(call, responder, lost_races());
}

}  // namespace

std::vector<Route> registration_routes() {
  return {
      {"POST", "/api/v1/jobs", Access::kOperate, deferred(create_job)},
      {"PUT", "/api/v1/jobs/{job}", Access::kOperate, deferred(put_job)},
  };
}

}  // namespace belfry::api

#include "api/runs/explain_calls.h"

#include "api/frame/context.h"
#include "api/frame/troubles.h"
#include "api/jobs/job_view.h"
#include "api/runs/run_codec.h"
#include "core/id_text.h"
#include "service/jobs/explain_facts.h"

#include <algorithm>

namespace belfry::api {
namespace {

Json write_checks(const std::vector<service::Check>& checks) {
  Json list = Json::array();
  for (const service::Check& check : checks) {
    Json item{{"check", check.check},
              {"passed", check.passed ? Json(*check.passed) : Json()},
              {"detail", check.detail}};
    if (!check.remedy.empty()) item["remedy"] = check.remedy;
    list.push_back(std::move(item));
  }
  return list;
}

Outcome explain_job(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const service::Health::Report report = services.health.report();
  const auto job = find_job_even_deleted(services, call);
  if (!job) return with_cause(problem_of(job.error()), report, &call.principal);
  const auto asked = query_instant(call.request, "at", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto facts = service::explain_facts(
      {services.store, services.zones, services.now(), report.troubles, services.regions}, *job,
      asked);
  if (!facts) return with_cause(problem_of(facts.error()), report, &call.principal);
  const service::Explanation answer = service::explain(*facts);
  const auto local = [&](const std::optional<Instant>& instant) {
    const std::string& zone = job->definition.schedule.timezone;
    return instant ? Json(local_text(services.zones, zone, *instant)) : Json();
  };
  const bool is_skip = facts->skip && !facts->run;
  return json_response(
      200,
      {{"at", local(facts->at)},
       {"verdict", answer.verdict},
       {"sentence", answer.sentence},
       {"cause", answer.cause.empty() ? Json() : Json(answer.cause)},
       {"since", local(answer.since)},
       {"blocked_by", answer.blocked_by ? Json(core::write_run_id(*answer.blocked_by)) : Json()},
       {"checks", write_checks(answer.checks)},
       {"run", facts->run ? write_run(*facts->run, call.principal.tenant_name) : Json()},
       {"skip", is_skip ? write_tick(*facts->skip) : Json()},
       {"before", local(answer.before)},
       {"after", local(answer.after)},
       {"problems", write_troubles(facts->troubles)}});
}

}  // namespace

std::vector<Route> explain_routes() {
  return {{"GET", "/api/v1/jobs/{job}/explain", Access::kRead, at_once(explain_job), {"at"}}};
}

}  // namespace belfry::api

#include "api/runs/explain_calls.h"

#include "api/frame/context.h"
#include "api/jobs/job_view.h"
#include "api/runs/run_codec.h"
#include "service/jobs/explain.h"

#include <algorithm>

namespace belfry::api {
namespace {

// The last tick there should have been.
Instant last_tick(const Services& services, const store::JobRow& job) {
  const auto schedule = schedule_of(services, job);
  if (!schedule) return services.now();
  const auto tick = schedule->previous(services.now());
  return tick ? tick->tick.instant() : services.now();
}

Result<std::optional<store::RevisionRow>> revision_at(const Services& services, JobId job,
                                                      Instant at) {
  auto found = services.store.revision_at(job, at);
  if (found) return std::optional(*std::move(found));
  if (found.error().code == Errc::kNotFound) return std::optional<store::RevisionRow>();
  return fail(found.error());
}

// What the ledger has for the tick.
Status read_fate(const Services& services, JobId job, service::ExplainFacts& facts) {
  BELFRY_TRY(page, services.store.ledger(
                       {.job = job, .from = facts.at, .to = facts.at + Duration(1)}, "", 100));
  for (const store::LedgerEntry& entry : page.entries) {
    if (const auto* skip = std::get_if<store::SkipRow>(&entry)) facts.skip = *skip;
    const auto* run = std::get_if<store::RunRow>(&entry);
    if (run != nullptr && run->run.key == core::run_key_of(Tick(facts.at))) facts.run = *run;
  }
  if (facts.run) {
    BELFRY_TRY(run, services.store.find_run(facts.run->run));  // with all its fields
    facts.run = std::move(run);
  }
  return {};
}

Status read_partition(const Services& services, JobId job, service::ExplainFacts& facts) {
  BELFRY_TRY(overview, services.store.overview());
  for (const auto& partition : overview.partitions) {
    if (partition.partition != partition_of(job)) continue;
    facts.decided_through = partition.decided_through;
    facts.owned = std::any_of(overview.nodes.begin(), overview.nodes.end(), [&](const auto& node) {
      return partition.owner == node.incarnation && node.lease_until > overview.now;
    });
  }
  return {};
}

Result<service::ExplainFacts> gather(const Services& services, const store::JobRow& job,
                                     Instant at) {
  service::ExplainFacts facts{.at = at, .now = services.now()};
  BELFRY_TRY(revision, revision_at(services, job.id, at));
  facts.revision = std::move(revision);
  if (facts.revision) {
    if (auto schedule = core::compile_schedule(job.tenant, facts.revision->name,
                                               facts.revision->schedule, services.zones)) {
      facts.schedule = *std::move(schedule);
    }
    if (facts.revision->revision == job.revision) {
      facts.paused_by = job.paused_by;
      facts.pause_note = job.pause_note;
    }
  }
  BELFRY_CHECK(read_fate(services, job.id, facts));
  BELFRY_CHECK(read_partition(services, job.id, facts));
  return facts;
}

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

Outcome explain_job(const Services& services, const Call& call) {
  BELFRY_NEED(job, find_job(services, call));
  std::vector<Complaint> complaints;
  const auto asked = query_instant(call.request, "at", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(facts, gather(services, job, asked.value_or(last_tick(services, job))));
  const service::Explanation answer = service::explain(facts);
  const auto local = [&](const std::optional<Instant>& instant) {
    const std::string& zone = job.definition.schedule.timezone;
    return instant ? Json(local_text(services.zones, zone, *instant)) : Json();
  };
  return json_response(
      200, {{"at", local(facts.at)},
            {"verdict", answer.verdict},
            {"sentence", answer.sentence},
            {"checks", write_checks(answer.checks)},
            {"run", facts.run ? write_run(*facts.run, call.principal.tenant_name) : Json()},
            {"skip", facts.skip && !facts.run ? write_tick(*facts.skip) : Json()},
            {"before", local(answer.before)},
            {"after", local(answer.after)}});
}

}  // namespace

std::vector<Route> explain_routes() {
  return {{"GET", "/api/v1/jobs/{job}/explain", Access::kRead, at_once(explain_job), {"at"}}};
}

}  // namespace belfry::api

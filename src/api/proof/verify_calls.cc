#include "api/proof/verify_calls.h"

#include "api/frame/context.h"
#include "api/jobs/job_view.h"
#include "api/proof/flaw_codec.h"
#include "api/proof/proof_place.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "engine/proof/prove.h"

#include <algorithm>

namespace belfry::api {
namespace {

Json write_flaws(const std::vector<engine::JobFlaw>& flaws) {
  Json list = Json::array();
  for (const engine::JobFlaw& each : flaws) {
    list.push_back(write_flaw(each.job, each.name, each.flaw));
  }
  return list;
}

Json write_unproven(const std::vector<engine::JobUnproven>& gaps) {
  Json list = Json::array();
  for (const engine::JobUnproven& gap : gaps) {
    list.push_back({{"job_id", core::write_job_id(gap.job)},
                    {"job_name", gap.name},
                    {"after", format_instant(gap.what.after)},
                    {"through", format_instant(gap.what.through)},
                    {"why", gap.what.why}});
  }
  return list;
}

Json write_counts(const core::FateCounts& counts) {
  Json skips = Json::object();
  for (std::size_t i = 0; i < counts.skips.size(); ++i) {
    if (counts.skips[i] == 0) continue;
    skips[std::string(core::name_of(static_cast<core::SkipReason>(i)))] = counts.skips[i];
  }
  return {{"ticks", counts.ticks()}, {"runs", counts.runs}, {"skips", std::move(skips)}};
}

// One step of a proof; the answer says where to go on.
Outcome verify(const Services& services, const Call& call, std::optional<JobId> job,
               Duration retention, std::vector<Complaint> complaints) {
  const Instant now = services.now();
  const Instant kept_after = now - retention;
  const auto from = query_instant(call.request, "from", complaints);
  const auto to = query_instant(call.request, "to", complaints);
  engine::ProofPlace place;
  if (const auto cursor = call.request.parameter("cursor")) {
    const auto parsed = read_place(*cursor);
    if (!parsed)
      complaints.push_back({"?cursor", "invalid", "this is not where a proof stopped", ""});
    if (parsed) place = *parsed;
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  // The first instant asked for is included.
  const Instant after = from ? *from - Duration(1) : kept_after;
  engine::Prover prover(services.store, services.zones);
  BELFRY_NEED(step, prover.step({.tenant = call.principal.tenant,
                                 .job = job,
                                 .after = after,
                                 .through = to.value_or(Instant::max()),
                                 .kept_after = kept_after},
                                place));
  const Instant begin = from ? std::max(*from, kept_after) : kept_after;
  return json_response(
      200,
      {{"from", format_instant(begin)},
       {"to", format_instant(std::min(to.value_or(now), now))},
       {"jobs", step.jobs},
       {"counts", write_counts(step.counts)},
       {"flaws", write_flaws(step.flaws)},
       {"unproven", write_unproven(step.unproven)},
       {"undecided", step.undecided ? Json(format_instant(step.undecided->instant())) : Json()},
       {"next_cursor", step.next ? Json(write_place(*step.next)) : Json()}});
}

Outcome verify_job(const Services& services, const Call& call, Duration retention) {
  BELFRY_NEED(job, find_job_even_deleted(services, call));
  return verify(services, call, job.id, retention, call.complaints);
}

Outcome verify_all(const Services& services, const Call& call, Duration retention) {
  return verify(services, call, std::nullopt, retention, call.complaints);
}

}  // namespace

std::vector<Route> verify_routes(Duration retention) {
  const auto route = [retention](const char* path, auto* handler) {
    return Route{
        .method = "GET",
        .path = path,
        .access = Access::kRead,
        .handle = Handle::collecting([handler, retention](const Context& context, Call call,
                                                          const net::Responder& responder) {
          send_all_wrong(call, responder, handler(context.services, call, retention));
        }),
        .parameters = {"from", "to", "cursor"}};
  };
  return {route("/api/v1/jobs/{job}/verify", verify_job),
          route("/api/v1/ledger:verify", verify_all)};
}

}  // namespace belfry::api

#include "api/admin/cluster_calls.h"

#include "api/frame/context.h"
#include "api/frame/troubles.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"

#include <algorithm>
#include <map>
#include <set>

namespace belfry::api {
namespace {

using Partition = store::Overview::Partition;

std::map<Incarnation, std::int64_t> owned_by(const store::Overview& overview) {
  std::map<Incarnation, std::int64_t> counts;
  for (const Partition& partition : overview.partitions) {
    if (partition.owner) ++counts[*partition.owner];
  }
  return counts;
}

Json write_nodes(const store::Overview& overview) {
  const auto counts = owned_by(overview);
  Json nodes = Json::array();
  for (const auto& node : overview.nodes) {
    const auto owned = counts.find(node.incarnation);
    nodes.push_back({{"node_id", to_hex(node.incarnation)},
                     {"name", node.name},
                     {"region", node.region},
                     {"started_at", format_instant(node.started_at)},
                     {"lease_until", format_instant(node.lease_until)},
                     {"alive", node.lease_until > overview.now},
                     {"partitions", owned == counts.end() ? 0 : owned->second}});
  }
  return nodes;
}

Json write_partitions(const store::Overview& overview, std::optional<Instant> undecided) {
  std::set<Incarnation> alive;
  for (const auto& node : overview.nodes) {
    if (node.lease_until > overview.now) alive.insert(node.incarnation);
  }
  std::int64_t owned = 0;
  Json map = Json::array();
  for (const Partition& partition : overview.partitions) {
    if (partition.owner && alive.contains(*partition.owner)) ++owned;
    map.push_back({{"partition", partition.partition.value()},
                   {"owner", partition.owner ? Json(to_hex(*partition.owner)) : Json()},
                   {"epoch", partition.epoch.value()},
                   {"decided_through", format_instant(partition.decided_through)},
                   {"jobs_version", partition.version.value()}});
  }
  return {{"total", overview.partitions.size()},
          {"owned", owned},
          {"oldest_undecided", undecided ? Json(format_instant(*undecided)) : Json()},
          {"map", std::move(map)}};
}

Outcome get_cluster(const Services& services, const Call& call) {
  const service::Health::Report report = services.health.report();
  const auto answer = services.store.overview();
  if (!answer) return with_cause(problem_of(answer.error()), report, &call.principal);
  const store::Overview& overview = *answer;
  // Nodes belong to no tenant: only root sees which there are.
  const bool is_root = call.principal.scope == store::Scope::kRoot;
  Json leader;
  if (overview.leader && is_root) {
    leader = {{"node_id", to_hex(overview.leader->holder)},
              {"term", overview.leader->term},
              {"lease_until", format_instant(overview.leader->lease_until)},
              {"alive", overview.leader->lease_until > overview.now}};
  }
  Json partitions = write_partitions(overview, oldest_undecided(report.facts, true));
  if (!is_root) partitions["map"] = Json::array();
  return json_response(
      200, {{"now", format_instant(overview.now)},
            {"nodes", is_root ? write_nodes(overview) : Json::array()},
            {"leader", std::move(leader)},
            {"partitions", std::move(partitions)},
            {"problems", write_troubles(troubles_for(call.principal, report.troubles))}});
}

Json write_count(const store::Count& count) {
  return {{"value", count.value}, {"exact", count.exact}};
}

// How each limited type stands that the caller may know of.
Json write_types(const std::vector<store::TypeLoad>& loads, const service::Principal& principal) {
  std::map<std::pair<TenantId, std::string>, Json> types;
  for (const store::TypeLoad& load : loads) {
    if (!principal.all_tenants && load.type.tenant != principal.tenant) continue;
    Json& json = types[{load.type.tenant, load.type.name}];
    const std::int64_t before = json.is_null() ? 0 : json["waiting"].get<std::int64_t>();
    json = {{"job_type", load.type.name},
            {"running", load.held},
            {"waiting", before + load.waiting},
            {"full", load.room <= 0}};
  }
  Json list = Json::array();
  for (auto& [name, type] : types) list.push_back(std::move(type));
  return list;
}

Outcome get_stats(const Services& services, const Call& call) {
  BELFRY_NEED(totals, call.principal.all_tenants ? services.store.totals()
                                                 : services.store.totals_of(call.principal.tenant));
  BELFRY_NEED(loads, services.store.type_loads());
  const Instant now = services.now();
  // One that stands in line, or waits for its calendar, is ready for later: it waits for no worker.
  const bool is_due = totals.oldest_ready && *totals.oldest_ready <= now;
  return json_response(
      200, {{"now", format_instant(now)},
            {"types", write_types(loads, call.principal)},
            {"jobs",
             {{"active", write_count(totals.active)},
              {"paused", write_count(totals.paused)},
              {"cancelled", write_count(totals.cancelled)},
              {"completed", write_count(totals.completed)},
              {"failing", write_count(totals.failing)}}},
            {"runs",
             {{"ready", write_count(totals.ready)},
              {"running", write_count(totals.running)},
              {"retrying", write_count(totals.retrying)}}},
            {"oldest_ready_at", is_due ? Json(format_instant(*totals.oldest_ready)) : Json()}});
}

Outcome get_forecast(const Services& services, const Call& call,
                     std::vector<Complaint> complaints) {
  const std::int64_t hours = query_number(call.request, "hours", 24, 1, 168, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(forecast, services.forecaster.forecast(call.principal.tenant, services.now(),
                                                     static_cast<std::size_t>(hours)));
  return json_response(200, {{"from", format_instant(forecast.from)},
                             {"hours", hours},
                             {"exact", forecast.exact},
                             {"minutes", forecast.minutes}});
}

// A minute of a large herd names some of its jobs.
Json show_herd(const service::HerdReport::Minute& minute) {
  constexpr std::size_t kMostNamed = 100;
  const auto named = std::min(kMostNamed, minute.jobs.size());
  return {{"at", format_instant(minute.at)},
          {"before", minute.before},
          {"after", minute.after},
          {"job_count", minute.jobs.size()},
          {"jobs", std::vector(minute.jobs.begin(),
                               minute.jobs.begin() + static_cast<std::ptrdiff_t>(named))}};
}

Json show_change(const service::HerdReport::Change& change) {
  return {{"job_id", core::write_job_id(change.job)},
          {"job_name", change.name},
          {"version", change.revision},
          {"field", change.spread.field},
          {"before", change.spread.before.empty() ? Json() : Json(change.spread.before)},
          {"after", change.spread.after}};
}

Outcome get_advice(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const std::int64_t hours = query_number(call.request, "hours", 24, 1, 168, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(report, services.forecaster.advise(call.principal.tenant, services.now(),
                                                 static_cast<std::size_t>(hours)));
  Json minutes = Json::array();
  for (const auto& minute : report.minutes) minutes.push_back(show_herd(minute));
  Json changes = Json::array();
  for (const auto& change : report.changes) changes.push_back(show_change(change));
  return json_response(200, {{"from", format_instant(report.from)},
                             {"hours", hours},
                             {"exact", report.exact},
                             {"minutes", std::move(minutes)},
                             {"changes", std::move(changes)}});
}

}  // namespace

std::vector<Route> cluster_routes() {
  return {
      {"GET", "/api/v1/cluster", Access::kRead, at_once(get_cluster)},
      {"GET", "/api/v1/forecast", Access::kRead, at_once(get_forecast), {"hours"}},
      {"GET", "/api/v1/forecast/advice", Access::kRead, at_once(get_advice), {"hours"}},
      {"GET", "/api/v1/stats", Access::kRead, at_once(get_stats)},
  };
}

}  // namespace belfry::api

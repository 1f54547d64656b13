#include "api/workers/worker_list.h"

#include "api/frame/context.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/queue.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace belfry::api {
namespace {

constexpr std::size_t kMostWorkers = 1'000;
constexpr std::size_t kMostRunsRead = 1'000;
constexpr std::size_t kMostRunsNamed = 10;  // of a worker

Json maybe(const std::optional<Instant>& instant) {
  return instant ? Json(format_instant(*instant)) : Json();
}

std::string_view kind_word(core::TargetKind kind) {
  switch (kind) {
    case core::TargetKind::kHttp: return "HTTP";
    case core::TargetKind::kTopic: return "TOPIC";
    case core::TargetKind::kExec: return "EXEC";
    case core::TargetKind::kCheckIn: return "CHECKIN";
    case core::TargetKind::kWorker: break;
  }
  return "WORKER";
}

// What a queue's name says, as two fields.
Json write_queue(const std::string& queue) {
  const core::QueueName name = core::read_queue(queue);
  return {{"kind", kind_word(name.kind)}, {"name", name.name}};
}

// A worker that has asked here lately, or holds runs, or both.
struct Entry {
  std::optional<engine::RecentWorkers::Worker> asked;
  std::vector<const store::RunRow*> holds;
};
using Entries = std::map<std::string, Entry>;

Json write_held(const std::vector<const store::RunRow*>& runs) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(runs.size(), kMostRunsNamed); ++i) {
    list.push_back({{"run_id", core::write_run_id(runs[i]->run)},
                    {"job_name", runs[i]->job_name},
                    {"job_type", runs[i]->job_type},
                    {"started_at", maybe(runs[i]->started_at)}});
  }
  return list;
}

Json write_worker(const Services& services, const std::string& name, const Entry& entry) {
  Json json{{"worker", name},
            {"region", nullptr},
            {"takes", Json::array()},
            {"room", nullptr},
            {"asked_at", nullptr},
            {"running", entry.holds.size()},
            {"runs", write_held(entry.holds)}};
  if (!entry.asked) return json;
  json["region"] = services.regions.name_of(entry.asked->region);
  for (const std::string& queue : entry.asked->queues) json["takes"].push_back(write_queue(queue));
  json["room"] = entry.asked->room;
  json["asked_at"] =
      format_instant(services.now() - (services.clock.boot_now() - entry.asked->asked_at));
  return json;
}

bool is_asked_for(const store::QueueLoad& load, const service::HealthFacts& facts) {
  return std::ranges::any_of(facts.node.served, [&](const auto& line) {
    return line.queue == load.queue && (!line.tenant || *line.tenant == load.tenant) &&
           (!load.region || line.region == *load.region);
  });
}

Json write_queues(const service::HealthFacts& facts, TenantId tenant) {
  Json list = Json::array();
  if (!facts.cluster) return list;
  for (const store::QueueLoad& load : facts.cluster->queues) {
    if (load.tenant != tenant) continue;
    Json json = write_queue(load.queue);
    json.update({{"region", load.region_name.empty() ? Json() : Json(load.region_name)},
                 {"waiting", load.waiting},
                 {"waiting_since", maybe(load.waiting_since)},
                 {"running", load.held},
                 {"running_since", maybe(load.held_since)},
                 {"asked_for", is_asked_for(load, facts)}});
    list.push_back(std::move(json));
  }
  return list;
}

Outcome list_workers(const Services& services, const Call& call) {
  const TenantId tenant = call.principal.tenant;
  BELFRY_NEED(running,
              services.store.list_runs({.tenant = tenant, .state = core::RunState::kRunning}, "",
                                       kMostRunsRead));
  auto asking = services.reach.workers(tenant, kMostWorkers);
  const bool exact = !running.next && asking.size() < kMostWorkers;
  Entries entries;
  for (const store::RunRow& run : running.runs) entries[run.worker].holds.push_back(&run);
  for (auto& worker : asking) {
    Entry& entry = entries[worker.name];
    entry.asked = std::move(worker);
  }
  Json workers = Json::array();
  for (const auto& [name, entry] : entries) {
    workers.push_back(write_worker(services, name, entry));
  }
  return json_response(200, {{"now", format_instant(services.now())},
                             {"workers", std::move(workers)},
                             {"queues", write_queues(services.health.report().facts, tenant)},
                             {"exact", exact}});
}

}  // namespace

std::vector<Route> worker_list_routes() {
  return {{"GET", "/api/v1/workers", Access::kRead, at_once(list_workers)}};
}

}  // namespace belfry::api

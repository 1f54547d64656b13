#include "service/jobs/target_warning.h"

#include "core/queue.h"

#include <algorithm>

namespace belfry::service {
namespace {

bool knows_broker(const HealthFacts& facts, const std::string& name) {
  return std::ranges::find(facts.node.brokers, name, &NodeFacts::Broker::name) !=
         facts.node.brokers.end();
}

// Whether workers of a region may have the job's runs.
bool may_run_in(const store::JobRow& job, std::optional<RegionNo> region) {
  const bool anywhere = job.definition.policies.run_in == core::RunIn::kAny;
  return anywhere || !region || *region == region_of(job.id);
}

bool is_taken(const store::JobRow& job, const std::string& queue, const HealthFacts& facts) {
  const bool is_asked_for = std::ranges::any_of(facts.node.served, [&](const auto& line) {
    return line.queue == queue && (!line.tenant || *line.tenant == job.tenant) &&
           may_run_in(job, line.region);
  });
  if (is_asked_for || !facts.cluster) return true;  // or nothing is known yet
  return std::ranges::any_of(facts.cluster->queues, [&](const store::QueueLoad& load) {
    return load.queue == queue && load.tenant == job.tenant && load.held > 0 &&
           may_run_in(job, load.region);
  });
}

}  // namespace

std::optional<TargetWarning> warn_of_queue(const store::JobRow& job, const HealthFacts& facts) {
  const std::string queue = core::queue_of(job.definition);
  const core::QueueName name = core::read_queue(queue);
  const bool is_topic = name.kind == core::TargetKind::kTopic;
  const bool is_work =
      name.kind == core::TargetKind::kWorker || name.kind == core::TargetKind::kExec;
  if (is_topic && !knows_broker(facts, name.name)) {
    return TargetWarning{"unknown_broker",
                         "this node has no broker `" + name.name +
                             "`: its runs wait for one that is started with --broker " + name.name +
                             "=URL"};
  }
  if (!is_work || is_taken(job, queue, facts)) return std::nullopt;
  return TargetWarning{
      "no_worker",
      "nobody has asked this node for its runs lately: they wait for " + taker_of(queue)};
}

TargetWarning warn_of_host(const Error& error) {
  return {"unknown_host",
          "calls would fail now: " + error.message + (error.hint.empty() ? "" : "; " + error.hint)};
}

}  // namespace belfry::service

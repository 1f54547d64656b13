#include "service/health/queue_troubles.h"

#include "base/text/instant_text.h"
#include "core/job_type.h"
#include "core/queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::service {
namespace {

// What is shorter passes by itself: a worker restarts, a broker reconnects, a node takes over.
constexpr Duration kPatience = std::chrono::seconds(20);

class QueueFinder {
 public:
  explicit QueueFinder(const HealthFacts& facts)
      : facts_(facts), node_(facts.node), cluster_(*facts.cluster) {}

  std::vector<Trouble> find() {
    for (const auto& load : cluster_.queues) queue(load, given_up_of(load));
    for (const auto& runs : cluster_.given_up) {
      const store::QueueLoad nothing_waits{.queue = runs.queue,
                                           .tenant = runs.tenant,
                                           .region = runs.region,
                                           .region_name = runs.region_name};
      if (!is_loaded(runs)) queue(nothing_waits, &runs);
    }
    for (const auto& load : cluster_.types) type(load);
    return std::move(found_);
  }

 private:
  void add(Trouble trouble) { found_.push_back(std::move(trouble)); }

  bool is_served(const store::QueueLoad& load) const {
    return std::ranges::any_of(node_.served, [&](const auto& line) {
      return line.queue == load.queue && (!line.tenant || *line.tenant == load.tenant) &&
             (!load.region || line.region == *load.region);
    });
  }

  static bool are_of(const GivenUpRuns& runs, const store::QueueLoad& load) {
    return runs.queue == load.queue && runs.tenant == load.tenant && runs.region == load.region;
  }

  const NodeFacts::Broker* broker_named(const std::string& name) const {
    const auto found = std::ranges::find(node_.brokers, name, &NodeFacts::Broker::name);
    return found == node_.brokers.end() ? nullptr : &*found;
  }

  // Those of a queue that were given up because nobody started them in time; null: none.
  const GivenUpRuns* given_up_of(const store::QueueLoad& load) const {
    const auto found = std::ranges::find_if(
        cluster_.given_up, [&](const GivenUpRuns& runs) { return are_of(runs, load); });
    return found == cluster_.given_up.end() ? nullptr : &*found;
  }

  bool is_loaded(const GivenUpRuns& runs) const {
    return std::ranges::any_of(cluster_.queues,
                               [&](const store::QueueLoad& load) { return are_of(runs, load); });
  }

  // Whether some have waited for long, and not for room.
  bool waits_long(const store::QueueLoad& load) const {
    // By the clock of when it was seen: while the store is away nobody can take a run, and that is
    // not for want of workers.
    const Instant seen = cluster_.overview.now;
    if (!load.waiting_since || seen - *load.waiting_since < kPatience) return false;
    return load.waiting > waiting_for_room(load);  // otherwise a note says so
  }

  // Whether those that were given up found nobody, or nobody with a free hand. Where somebody has
  // come since, or runs wait for room, that is open.
  bool is_unattended(const store::QueueLoad& load, const GivenUpRuns& runs) const {
    const bool is_full = std::ranges::any_of(cluster_.types, [&](const store::TypeLoad& type) {
      return type.queue == load.queue && type.type.tenant == load.tenant && type.room <= 0;
    });
    if (is_full) return false;
    return load.held > 0 ? load.held_since <= runs.last : !is_served(load) && !runs.was_served;
  }

  void queue(const store::QueueLoad& load, const GivenUpRuns* given_up) {
    if (load.in_line > 0) {
      add({.code = TroubleCode::kCatchingUp,
           .severity = Severity::kNote,
           .subject = load.queue,
           .tenant = load.tenant,
           .sentence = counted(load.in_line, "run", "runs") +
                       " of missed ticks wait in line for their turn, the last until " +
                       format_instant(*load.line_until),
           .remedy = "wait: they start at no more than twice the usual rate"});
    }
    const bool is_given_up = given_up != nullptr && is_unattended(load, *given_up);
    if (!waits_long(load) && !is_given_up) return;
    const core::QueueName name = core::read_queue(load.queue);
    if (name.kind == core::TargetKind::kCheckIn) return;  // that is what they do
    const auto* broker = name.kind == core::TargetKind::kTopic ? broker_named(name.name) : nullptr;
    if (broker != nullptr && broker->away_for) return;  // said once, for all its runs
    const std::string what = is_given_up ? giving_up(*given_up) : waiting(load);
    Trouble trouble = waiting_trouble(load, name, what);
    trouble.subject = load.queue;
    trouble.tenant = load.tenant;
    trouble.region = load.region;
    trouble.since = is_given_up ? given_up->first : load.waiting_since;
    add(std::move(trouble));
  }

  // How many runs of a queue wait for the limits of their types, and not for a worker.
  std::int64_t waiting_for_room(const store::QueueLoad& load) const {
    std::int64_t waiting = 0;
    for (const store::TypeLoad& type : cluster_.types) {
      const bool is_here = type.queue == load.queue && type.type.tenant == load.tenant;
      if (is_here && type.room <= 0) waiting += type.waiting;
    }
    return waiting;
  }

  void type(const store::TypeLoad& load) {
    if (load.waiting == 0 || load.room > 0) return;
    add({.code = TroubleCode::kTypeLimit,
         .severity = Severity::kNote,
         .subject = load.queue,
         .tenant = load.type.tenant,
         .since = load.waiting_since,
         .sentence = counted(load.waiting, "run waits", "runs wait") + " because " + limit_of(load),
         .remedy = raise_limit(load)});
  }

  static std::string waiting(const store::QueueLoad& load) {
    return counted(load.waiting, "run waits", "runs wait") + " for " +
           taker_of(load.queue, load.region_name) + " since " + format_instant(*load.waiting_since);
  }

  static std::string giving_up(const GivenUpRuns& runs) {
    return (runs.exact ? "" : "at least ") + counted(runs.runs, "run was", "runs were") +
           " given up unstarted (start_within) in the last 10m, the last at " +
           format_instant(runs.last) + ", for want of " + taker_of(runs.queue, runs.region_name);
  }

  // `wait` says what waits, or waited in vain.
  Trouble waiting_trouble(const store::QueueLoad& load, const core::QueueName& name,
                          const std::string& wait) const {
    const bool is_topic = name.kind == core::TargetKind::kTopic;
    if (is_topic && load.held == 0 && broker_named(name.name) == nullptr) {
      return {.code = TroubleCode::kBrokerUnknown,
              .severity = Severity::kWarning,
              .sentence = wait + ", and no node that has taken any knows that broker",
              .remedy = "start the nodes with --broker " + name.name +
                        "=URL, or change the job's target"};
    }
    if (load.held == 0 && !is_served(load)) {
      return {.code = TroubleCode::kNoWorker,
              .severity = Severity::kWarning,
              .sentence = wait + ", and nobody has asked for any",
              .remedy = "start " + taker_of(load.queue, load.region_name)};
    }
    return {.code = TroubleCode::kWorkersBusy,
            .severity = Severity::kWarning,
            .sentence = wait + "; " +
                        (load.held > 0 ? counted(load.held, "run is", "runs are") +
                                             " in workers' hands, the oldest since " +
                                             format_instant(load.held_since.value_or(facts_.now))
                                       : "workers ask, but are given none"),
            .remedy = load.held > 0 ? "start more workers, or give them more runs at once"
                                    : "look at the tenant's limit max_in_flight"};
  }

  const HealthFacts& facts_;
  const NodeFacts& node_;
  const ClusterFacts& cluster_;
  std::vector<Trouble> found_;
};

}  // namespace

std::string counted(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::vector<Trouble> find_queue_troubles(const HealthFacts& facts) {
  return QueueFinder(facts).find();
}

std::string limit_of(const store::TypeLoad& load) {
  const core::TypeLimits& limits = load.type.limits;
  const std::string type = "type `" + load.type.name + "` ";
  if (limits.max_concurrent > 0 && load.held >= limits.max_concurrent) {
    return type + "has at most " + std::to_string(limits.max_concurrent) + " at a time";
  }
  return type + "starts at most " + core::write_rate(limits);
}

std::string raise_limit(const store::TypeLoad& load) {
  return "wait, or raise the limit: `belfry types put " + load.type.name + "`";
}

std::string taker_of(std::string_view queue, std::string_view region) {
  const core::QueueName name = core::read_queue(queue);
  const std::string where = region.empty() ? "" : " in region `" + std::string(region) + "`";
  switch (name.kind) {
    case core::TargetKind::kHttp: return "a node that delivers webhooks" + where;
    case core::TargetKind::kTopic: return "broker `" + name.name + "`" + where;
    case core::TargetKind::kExec: return "an exec worker of type `" + name.name + "`" + where;
    case core::TargetKind::kCheckIn: return "its check-in";
    case core::TargetKind::kWorker: break;
  }
  return "a worker of type `" + name.name + "`" + where;
}

std::optional<Trouble> trouble_of_queue(const std::vector<Trouble>& troubles,
                                        std::string_view queue, TenantId tenant,
                                        std::optional<RegionNo> region) {
  for (const Trouble& trouble : troubles) {
    if (trouble.severity == Severity::kNote || trouble.subject != queue) continue;
    if (subject_of(trouble.code) != Subject::kQueue) continue;
    if (trouble.region && trouble.region != region) continue;
    if (!trouble.tenant || *trouble.tenant == tenant) return trouble;
  }
  return std::nullopt;
}

}  // namespace belfry::service

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/queue.h"
#include "service/health/health_facts.h"
#include "store/full_disk.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace belfry::service {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

// What is shorter passes by itself: a worker restarts, a broker reconnects, a node takes over.
constexpr Duration kPatience = seconds(20);
constexpr Duration kLate = seconds(10);  // an undecided tick; on time is milliseconds
constexpr Duration kUnheard = seconds(3);
constexpr Duration kSlowAnswer = seconds(1);
constexpr Duration kClockTolerance = seconds(2);
constexpr Duration kBrokerPatience = seconds(5);
constexpr Duration kLostFor = minutes(10);  // then a lost node is history

std::string counted(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// Whole seconds: nobody reads more of "how long".
std::string how_long(Duration duration) {
  return format_duration(std::chrono::floor<seconds>(duration));
}

class Finder {
 public:
  explicit Finder(const HealthFacts& facts) : facts_(facts), node_(facts.node) {}

  std::vector<Trouble> find() {
    store();
    loading();
    behind();
    if (facts_.cluster) {
      owners();
      lost_nodes();
      for (const auto& load : facts_.cluster->queues) queue(load);
    }
    clock();
    brokers();
    endpoints();
    std::ranges::stable_sort(found_, std::ranges::greater(), &Trouble::severity);
    return std::move(found_);
  }

 private:
  void add(Trouble trouble) { found_.push_back(std::move(trouble)); }
  Instant ago(Duration duration) const { return facts_.now - duration; }

  void store() {
    const bool silent = node_.unheard_for && *node_.unheard_for > kUnheard;
    const bool refused = node_.refusal && (silent || !node_.unheard_for);
    const auto since = node_.unheard_for ? std::optional(ago(*node_.unheard_for)) : std::nullopt;
    const std::string what = node_.refusal ? ": " + node_.refusal->message : "";
    if (node_.refusal && store::is_full_disk(*node_.refusal)) {
      return add(
          {.code = TroubleCode::kDiskFull,
           .severity = Severity::kCritical,
           .subject = node_.name,
           .since = since,
           .sentence = "the disk of the database is full" + what,
           .remedy = "make room on the disk; nothing is lost, and Belfry goes on by itself"});
    }
    if (silent || refused) {
      return add({.code = TroubleCode::kDatabaseAway,
                  .severity = Severity::kCritical,
                  .subject = node_.name,
                  .since = since,
                  .sentence = "the database does not answer node " + node_.name +
                              (node_.unheard_for ? ", for " + how_long(*node_.unheard_for) : "") +
                              what,
                  .remedy = "look at the database and the way to it; ticks wait and are decided "
                            "when it is back"});
    }
    if (node_.answer_time > kSlowAnswer) {
      add({.code = TroubleCode::kDatabaseSlow,
           .severity = Severity::kWarning,
           .subject = node_.name,
           .sentence =
               "the database takes " + format_duration(node_.answer_time) + " for a plain answer",
           .remedy = "look for load, locks or a slow network at the database"});
    }
  }

  void loading() {
    if (node_.waits_for.empty()) return;
    add({.code = TroubleCode::kLoading,
         .severity = Severity::kWarning,
         .subject = node_.name,
         .sentence = "node " + node_.name + " is starting and waits for " + node_.waits_for,
         .remedy = "wait; it goes by itself"});
  }

  void behind() {
    const auto oldest = oldest_undecided(facts_, true);
    if (!oldest || facts_.now - *oldest < kLate) return;
    const auto unowned = facts_.cluster ? facts_.cluster->ticks.orphaned : std::nullopt;
    const bool is_unowned = unowned && unowned->tick == *oldest;
    add({.code = TroubleCode::kBehind,
         .severity = Severity::kCritical,
         .since = oldest,
         .sentence = "a tick of " + format_instant(*oldest) + " is undecided, " +
                     how_long(facts_.now - *oldest) + " after its time" +
                     (is_unowned ? "; nobody owns its partition" : ""),
         .remedy = is_unowned ? "start a node for the region that has none"
                              : "look for a database that is away or slow, and for a node without "
                                "CPU; ticks are decided late, by their misfire policies"});
  }

  void owners() {
    const store::Overview& overview = facts_.cluster->overview;
    std::map<Incarnation, const store::Overview::Node*> nodes;
    for (const auto& node : overview.nodes) nodes.emplace(node.incarnation, &node);
    std::int64_t unowned = 0;
    std::optional<Instant> since;
    for (const auto& partition : overview.partitions) {
      const auto owner = partition.owner ? nodes.find(*partition.owner) : nodes.end();
      if (owner != nodes.end() && owner->second->lease_until > overview.now) continue;
      ++unowned;
      if (owner == nodes.end()) continue;
      const Instant end = owner->second->lease_until;
      since = since ? std::min(*since, end) : end;
    }
    if (unowned == 0) return;
    add({.code = TroubleCode::kPartitionsUnowned,
         .severity = Severity::kWarning,
         .since = since,
         .sentence = counted(unowned, "partition has", "partitions have") + " no live owner",
         .remedy = "start a node for the region that has none; `belfry cluster` shows it"});
  }

  // One that came back under its name is not lost.
  void lost_nodes() {
    const store::Overview& overview = facts_.cluster->overview;
    const auto is_back = [&](const store::Overview::Node& lost) {
      return std::ranges::any_of(overview.nodes, [&](const auto& node) {
        return node.name == lost.name && node.lease_until > overview.now;
      });
    };
    for (const auto& node : overview.nodes) {
      const Duration gone = overview.now - node.lease_until;
      if (gone <= Duration(0) || gone > kLostFor || is_back(node)) continue;
      add({.code = TroubleCode::kNodeLost,
           .severity = Severity::kWarning,
           .subject = node.name,
           .since = node.lease_until,
           .sentence = "node " + node.name + " is gone without a goodbye since " +
                       format_instant(node.lease_until),
           .remedy = "start it again, or leave it: others of its region take over, and it is "
                     "forgotten after " +
                     format_duration(kLostFor)});
    }
  }

  bool is_served(const store::QueueLoad& load) const {
    return std::ranges::any_of(node_.served, [&](const auto& line) {
      return line.queue == load.queue && (!line.tenant || *line.tenant == load.tenant);
    });
  }

  const NodeFacts::Broker* broker_named(const std::string& name) const {
    const auto found = std::ranges::find(node_.brokers, name, &NodeFacts::Broker::name);
    return found == node_.brokers.end() ? nullptr : &*found;
  }

  void queue(const store::QueueLoad& load) {
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
    // By the clock of when it was seen: while the store is away nobody can take a run, and that is
    // not for want of workers.
    const Instant seen = facts_.cluster->overview.now;
    if (!load.waiting_since || seen - *load.waiting_since < kPatience) return;
    const core::QueueName name = core::read_queue(load.queue);
    if (name.kind == core::TargetKind::kCheckIn) return;  // that is what they do
    const auto* broker = name.kind == core::TargetKind::kTopic ? broker_named(name.name) : nullptr;
    if (broker != nullptr && broker->away_for) return;  // said once, for all its runs
    Trouble trouble = waiting_trouble(load, name);
    trouble.subject = load.queue;
    trouble.tenant = load.tenant;
    trouble.since = load.waiting_since;
    add(std::move(trouble));
  }

  Trouble waiting_trouble(const store::QueueLoad& load, const core::QueueName& name) const {
    const std::string wait = counted(load.waiting, "run waits", "runs wait") + " for " +
                             taker_of(load.queue) + " since " + format_instant(*load.waiting_since);
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
              .remedy = "start " + taker_of(load.queue)};
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

  Trouble broker_trouble(const NodeFacts::Broker& broker) const {
    return {.code = TroubleCode::kBrokerAway,
            .severity = Severity::kWarning,
            .subject = core::topic_queue(broker.name),
            .since = ago(*broker.away_for),
            .sentence = "broker `" + broker.name + "` does not answer, for " +
                        how_long(*broker.away_for) + ": " + broker.error,
            .remedy = "look at the broker; its runs wait and cost no attempt"};
  }

  void brokers() {
    for (const auto& broker : node_.brokers) {
      if (!broker.away_for || *broker.away_for < kBrokerPatience) continue;
      add(broker_trouble(broker));
    }
  }

  void endpoints() {
    for (const auto& endpoint : node_.endpoints) {
      add({.code = TroubleCode::kEndpointAway,
           .severity = Severity::kWarning,
           .subject = endpoint.host,
           .tenant = endpoint.tenant,
           .since = ago(endpoint.silent_for),
           .sentence = "`" + endpoint.host + "` has not answered webhooks for " +
                       how_long(endpoint.silent_for) + "; it is called rarely until it does",
           .remedy = "look at the endpoint; its runs are put off"});
    }
  }

  void clock() {
    if (node_.clock_stepped) {
      add({.code = TroubleCode::kClockStepped,
           .severity = Severity::kWarning,
           .subject = node_.name,
           .sentence = "the database's clock has jumped ahead; node " + node_.name +
                       " waits until it is sure",
           .remedy = "look at the time service of the database's machine"});
    }
    if (!node_.clock_offset) return;
    const Duration size = std::max(*node_.clock_offset, -*node_.clock_offset);
    if (size <= kClockTolerance) return;
    add({.code = TroubleCode::kClockOffset,
         .severity = Severity::kWarning,
         .subject = node_.name,
         .sentence = "the clock of node " + node_.name + " is " + how_long(size) +
                     (*node_.clock_offset > Duration(0) ? " ahead of" : " behind") +
                     " the database's",
         .remedy =
             "run a time service (NTP); jobs are safe, because the database's clock decides"});
  }

  const HealthFacts& facts_;
  const NodeFacts& node_;
  std::vector<Trouble> found_;
};

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::kNote: return "note";
    case Severity::kWarning: return "warning";
    case Severity::kCritical: break;
  }
  return "critical";
}

bool is_unready(TroubleCode code) {
  return code == TroubleCode::kDatabaseAway || code == TroubleCode::kDiskFull ||
         code == TroubleCode::kLoading;
}

std::optional<Instant> oldest_undecided(const HealthFacts& facts, bool with_others) {
  std::optional<Instant> oldest;
  const auto take = [&](std::optional<Instant> tick) {
    if (!tick || *tick > facts.now) return;
    oldest = oldest ? std::min(*oldest, *tick) : tick;
  };
  take(facts.node.first_undecided);
  if (facts.cluster) {
    const auto& [owned, orphaned, complete] = facts.cluster->ticks;
    if (orphaned) take(orphaned->tick);
    if (owned && with_others) take(owned->tick);
  }
  return oldest;
}

std::vector<Trouble> find_troubles(const HealthFacts& facts) {
  return Finder(facts).find();
}

std::string taker_of(std::string_view queue) {
  const core::QueueName name = core::read_queue(queue);
  switch (name.kind) {
    case core::TargetKind::kHttp: return "a node that delivers webhooks";
    case core::TargetKind::kTopic: return "broker `" + name.name + "`";
    case core::TargetKind::kExec: return "an exec worker of type `" + name.name + "`";
    case core::TargetKind::kCheckIn: return "its check-in";
    case core::TargetKind::kWorker: break;
  }
  return "a worker of type `" + name.name + "`";
}

std::optional<Trouble> trouble_of_queue(const std::vector<Trouble>& troubles,
                                        std::string_view queue, TenantId tenant) {
  for (const Trouble& trouble : troubles) {
    if (trouble.severity == Severity::kNote || trouble.subject != queue) continue;
    if (subject_of(trouble.code) != Subject::kQueue) continue;
    if (!trouble.tenant || *trouble.tenant == tenant) return trouble;
  }
  return std::nullopt;
}

}  // namespace belfry::service

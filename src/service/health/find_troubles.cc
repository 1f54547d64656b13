#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/queue.h"
#include "service/health/health_facts.h"
#include "service/health/queue_troubles.h"
#include "store/common/full_disk.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace belfry::service {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr Duration kLate = seconds(10);  // an undecided tick; on time is milliseconds
constexpr Duration kUnheard = seconds(3);
constexpr Duration kSlowAnswer = seconds(1);
constexpr Duration kClockTolerance = seconds(2);
constexpr Duration kBrokerPatience = seconds(5);
constexpr Duration kLostFor = minutes(10);  // then a lost node is history
constexpr Duration kLossToldFor = std::chrono::hours(1);

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
      for (Trouble& trouble : find_queue_troubles(facts_)) add(std::move(trouble));
      for (const auto& alerts : facts_.cluster->undelivered) undelivered(alerts);
      violations();
    }
    clock();
    lost_commits();
    brokers();
    endpoints();
    archive();
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

  // By what the store said last: while it is away, nothing can be delivered.
  void undelivered(const store::UndeliveredAlerts& alerts) {
    const std::string last = alerts.error.empty() ? "nobody has tried to deliver any"
                                                  : "the last error: " + alerts.error;
    const bool is_over = alerts.given_up == alerts.messages;
    add({.code = TroubleCode::kAlertsUndelivered,
         .severity = Severity::kWarning,
         .subject = alerts.rule,
         .tenant = alerts.tenant,
         .since = alerts.since,
         .sentence = counted(alerts.messages, "message", "messages") + " of the alert rule `" +
                     alerts.rule + "` " + (is_over ? "could not be" : "cannot be") +
                     " delivered; " + last,
         .remedy = "look at the receivers with `belfry alerts sent`; nodes that are to send mail "
                   "need --smtp, and a topic's broker --broker; then `belfry alerts test " +
                   alerts.rule + "`"});
  }

  // One for each tenant: it stands for some days, because a tick that was lost stays lost.
  void violations() {
    std::map<TenantId, std::vector<const store::LedgerViolation*>> tenants;
    for (const auto& each : facts_.cluster->violations) tenants[each.tenant].push_back(&each);
    for (const auto& [tenant, found] : tenants) {
      const store::LedgerViolation& first = *found.back();
      const auto more = static_cast<std::int64_t>(found.size()) - 1;
      add({.code = TroubleCode::kLedgerViolated,
           .severity = Severity::kWarning,
           .tenant = tenant,
           .since = first.found_at,
           .sentence = "the ledger of job `" + first.name +
                       "` is not what its definition asks for: " +
                       std::string(core::name_of(first.flaw.kind)) + " at " +
                       format_instant(first.flaw.first.instant()) + ", " + first.flaw.evidence +
                       (more > 0 ? "; and " + counted(more, "more finding", "more findings") : ""),
           .remedy = "look at `belfry proof` and `belfry verify " + first.name +
                     "`; has somebody changed the database, or restored a part of it? If not, "
                     "please report it. It is told for a week"});
    }
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

  void archive() {
    if (!node_.archive) return;
    add({.code = TroubleCode::kArchiveStuck,
         .severity = Severity::kWarning,
         .subject = node_.name,
         .since = ago(node_.archive->refused_for),
         .sentence = "node " + node_.name +
                     " cannot archive past runs, and so drops none: " + node_.archive->error,
         .remedy = "make room on the archive's disk; nothing is lost, and it goes on by itself"});
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

  void lost_commits() {
    if (!node_.lost_commits || facts_.now - node_.lost_commits->through > kLossToldFor) return;
    const engine::LostCommits& lost = *node_.lost_commits;
    add({.code = TroubleCode::kCommitsLost,
         .severity = Severity::kWarning,
         .subject = node_.name,
         .since = lost.after ? lost.after : lost.through,
         .sentence = "a standby took over that lacks the last commits" +
                     (lost.after ? ", from " + format_instant(*lost.after) : "") + " to about " +
                     format_instant(lost.through) + "; what was changed or completed then is gone",
         .remedy = "look at what was changed at that time, and make the standby synchronous; ticks "
                   "of that time were decided again, or skipped if after_lost_commits says so"});
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

}  // namespace belfry::service

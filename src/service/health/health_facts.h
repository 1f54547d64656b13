#pragma once

#include "base/error.h"
#include "base/time.h"
#include "engine/dispatch/recent_workers.h"
#include "engine/ticks/tick_watch.h"
#include "service/health/trouble.h"
#include "store/overview.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace belfry::service {

// What a node knows of itself without asking anybody.
struct NodeFacts {
  std::string name;
  std::string waits_for;  // engine::Node::Standing::waits_for
  std::optional<Instant> first_undecided;
  std::optional<Duration> unheard_for;  // since the store last granted its lease; none: never yet
  Duration answer_time{};
  std::optional<Error> refusal;
  std::optional<Duration> clock_offset;  // this machine's clock minus the database's
  bool clock_stepped = false;
  std::set<engine::RecentWorkers::Line> served;

  struct Broker {
    std::string name;
    std::optional<Duration> away_for;  // none: it is there
    std::string error;
  };
  std::vector<Broker> brokers;
  struct Endpoint {
    std::string host;
    TenantId tenant;
    Duration silent_for{};
  };
  std::vector<Endpoint> endpoints;
};

// What the store says of the whole cluster.
struct ClusterFacts {
  store::Overview overview;
  engine::TickWatch::Report ticks;
  std::vector<store::QueueLoad> queues;
};

struct HealthFacts {
  Instant now;  // the database's clock, as far as this node knows it
  NodeFacts node;
  std::optional<ClusterFacts> cluster;  // none: the store has not said yet
};

// The oldest tick that is due and undecided: this node's, and those that nobody decides.
// `with_others` counts also what other nodes, which are alive, are late with.
std::optional<Instant> oldest_undecided(const HealthFacts& facts, bool with_others);

// All that is wrong, the worst first. Pure.
std::vector<Trouble> find_troubles(const HealthFacts& facts);

// Who would have to take the runs of a queue, in words: "a worker of type `mail`".
std::string taker_of(std::string_view queue);

// Why runs of a tenant's queue are not taken, as far as the troubles tell.
std::optional<Trouble> trouble_of_queue(const std::vector<Trouble>& troubles,
                                        std::string_view queue, TenantId tenant);

}  // namespace belfry::service

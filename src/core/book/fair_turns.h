#pragma once

#include "base/ids.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace belfry::core {

// A queue of core/queue.h, by number.
using QueueNo = std::uint32_t;

// Whose turn it is: in every queue tenants take turns, as often as their weights say.
//
// Each tenant has a clock that a turn moves on by 1/weight; the one that is furthest behind is
// next. The clock is the tenant's, not the queue's: who is served in one queue waits in the others.
// One who comes back after a pause starts where the others are, so nobody saves up turns.
class FairTurns {
 public:
  void set_weight(TenantId tenant, std::int32_t weight);

  // The tenant has something in this queue now, or has nothing any more.
  void enter(QueueNo queue, TenantId tenant);
  void leave(QueueNo queue, TenantId tenant);

  // A tenant that is put aside is nobody's next until it is brought back.
  void put_aside(TenantId tenant);
  void bring_back(TenantId tenant);
  bool is_aside(TenantId tenant) const;

  // Who is next in any of these queues.
  std::optional<TenantId> next(std::span<const QueueNo> queues) const;
  // The tenant has had its turn.
  void took(TenantId tenant);

 private:
  // A turn of weight 1, in steps small enough for any weight.
  static constexpr std::uint64_t kTurn = 1'000'000'000;

  struct Tenant {
    std::uint64_t clock = 0;
    std::uint64_t weight = 1;
    bool aside = false;
    std::vector<QueueNo> queues;  // in which it has something
  };
  using Turns = std::set<std::pair<std::uint64_t, TenantId>>;

  void stand_in_line(TenantId id, const Tenant& tenant);
  void step_out(TenantId id, const Tenant& tenant);

  std::unordered_map<TenantId, Tenant> tenants_;  // those with a queue, a weight, or put aside
  std::unordered_map<QueueNo, Turns> turns_;
  std::uint64_t last_ = 0;  // the clock of whoever had the last turn, before it
};

}  // namespace belfry::core

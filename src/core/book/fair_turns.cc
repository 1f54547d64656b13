#include "core/book/fair_turns.h"

#include <algorithm>

namespace belfry::core {

void FairTurns::set_weight(TenantId tenant, std::int32_t weight) {
  tenants_[tenant].weight = static_cast<std::uint64_t>(std::max(weight, 1));
}

void FairTurns::enter(QueueNo queue, TenantId tenant) {
  Tenant& entry = tenants_[tenant];
  if (entry.queues.empty()) entry.clock = std::max(entry.clock, last_);
  step_out(tenant, entry);
  entry.queues.push_back(queue);
  stand_in_line(tenant, entry);
}

void FairTurns::leave(QueueNo queue, TenantId tenant) {
  const auto found = tenants_.find(tenant);
  if (found == tenants_.end()) return;
  step_out(tenant, found->second);
  std::erase(found->second.queues, queue);
  stand_in_line(tenant, found->second);
}

void FairTurns::put_aside(TenantId tenant) {
  Tenant& entry = tenants_[tenant];
  step_out(tenant, entry);
  entry.aside = true;
}

void FairTurns::bring_back(TenantId tenant) {
  const auto found = tenants_.find(tenant);
  if (found == tenants_.end() || !found->second.aside) return;
  found->second.aside = false;
  found->second.clock = std::max(found->second.clock, last_);
  stand_in_line(tenant, found->second);
}

bool FairTurns::is_aside(TenantId tenant) const {
  const auto found = tenants_.find(tenant);
  return found != tenants_.end() && found->second.aside;
}

std::optional<TenantId> FairTurns::next(std::span<const QueueNo> queues) const {
  const std::pair<std::uint64_t, TenantId>* first = nullptr;
  for (const QueueNo queue : queues) {
    const auto turns = turns_.find(queue);
    if (turns == turns_.end() || turns->second.empty()) continue;
    const auto& candidate = *turns->second.begin();
    if (first == nullptr || candidate < *first) first = &candidate;
  }
  return first == nullptr ? std::nullopt : std::optional(first->second);
}

void FairTurns::took(TenantId tenant) {
  Tenant& entry = tenants_[tenant];
  step_out(tenant, entry);
  last_ = std::max(last_, entry.clock);
  entry.clock += kTurn / entry.weight;
  stand_in_line(tenant, entry);
}

void FairTurns::stand_in_line(TenantId id, const Tenant& tenant) {
  if (tenant.aside) return;
  for (const QueueNo queue : tenant.queues) turns_[queue].emplace(tenant.clock, id);
}

void FairTurns::step_out(TenantId id, const Tenant& tenant) {
  for (const QueueNo queue : tenant.queues) turns_[queue].erase({tenant.clock, id});
}

}  // namespace belfry::core

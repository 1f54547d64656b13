#include "service/jobs/type_defaults.h"

#include <chrono>

namespace belfry::service {
namespace {

constexpr Duration kFresh = std::chrono::seconds(1);
constexpr std::size_t kMostRemembered = 10'000;

}  // namespace

Result<std::shared_ptr<const TypeDefaults::ByType>> TypeDefaults::of(TenantId tenant) {
  const BootInstant now = clock_.boot_now();
  {
    const MutexLock lock(mutex_);
    const auto found = known_.find(tenant);
    if (found != known_.end() && now < found->second.read_at + kFresh) return found->second.types;
  }
  BELFRY_TRY(rows, store_.list_types(tenant, "", store::kMostTypes));
  ByType types;
  for (store::JobType& row : rows) types.emplace(std::move(row.name), row.defaults);
  const auto read = std::make_shared<const ByType>(std::move(types));
  const MutexLock lock(mutex_);
  if (known_.size() >= kMostRemembered) known_.clear();
  known_[tenant] = {read, now};
  return read;
}

void TypeDefaults::forget(TenantId tenant) {
  const MutexLock lock(mutex_);
  known_.erase(tenant);
}

}  // namespace belfry::service

#include "service/access/regions.h"

namespace belfry::service {

Status Regions::refresh() {
  BELFRY_TRY(regions, store_.list_regions());
  const MutexLock lock(mutex_);
  for (const auto& region : regions) by_name_[region.name] = region.no;
  return {};
}

Result<RegionNo> Regions::find(const std::string& name) {
  for (const bool again : {false, true}) {
    if (again) BELFRY_CHECK(refresh());
    const MutexLock lock(mutex_);
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return found->second;
  }
  return fail({.code = Errc::kInvalid,
               .message = "no node has ever served the region `" + name + "`",
               .field = "home_region",
               .hint = "start a node with `--region " + name + "` first"});
}

std::string Regions::name_of(RegionNo region) {
  for (const bool again : {false, true}) {
    if (again && !refresh()) break;
    const MutexLock lock(mutex_);
    for (const auto& [name, number] : by_name_) {
      if (number == region) return name;
    }
  }
  return "region-" + std::to_string(region.value());
}

bool Regions::are_several() {
  for (const bool again : {false, true}) {
    if (again && !refresh()) break;
    const MutexLock lock(mutex_);
    if (by_name_.size() > 1) return true;
  }
  return false;
}

}  // namespace belfry::service

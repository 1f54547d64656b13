#pragma once

#include "base/fair_share.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "net/server/front_door.h"
#include "net/server/work_pool.h"
#include "net/url.h"
#include "service/access/key_watch.h"
#include "service/services.h"

#include <atomic>
#include <memory>
#include <string>

namespace belfry::rpc {

// Places for streams and for claims that wait, divided among tenants. Thread-safe.
class Places {
 public:
  bool take(TenantId tenant) {
    const MutexLock lock(mutex_);
    return share_.take(std::to_string(tenant.value()));
  }
  void give_back(TenantId tenant) {
    const MutexLock lock(mutex_);
    share_.give_back(std::to_string(tenant.value()));
  }

 private:
  static constexpr std::size_t kPlaces = 12'000;
  Mutex mutex_;
  FairShare share_ BELFRY_GUARDED_BY(mutex_){kPlaces};
};

// What the calls of the services share.
struct Shared {
  const service::Services& services;
  net::WorkPool& pool;  // whatever may wait for the store runs there, not on gRPC's threads
  // Shared with claims, which the dispatcher may let go of a moment later than gRPC.
  std::shared_ptr<Places> places = std::make_shared<Places>();
  service::KeyWatch keys{services.keys};  // of claims that wait
  // Set before the first call:
  net::HostPort here = {};  // where the server listens
  const net::FrontDoor* door = nullptr;
  std::atomic<bool> draining = false;
};

}  // namespace belfry::rpc

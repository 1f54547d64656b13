#pragma once

#include "base/fair_share.h"
#include "base/mutex.h"
#include "belfry/v1/dispatcher.grpc.pb.h"
#include "net/server/work_pool.h"
#include "net/url.h"
#include "service/access/key_watch.h"
#include "service/services.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belfry::rpc {

class WorkStream;

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

// What the calls of the service share.
struct Shared {
  const service::Services& services;
  net::WorkPool& pool;  // whatever may wait for the store runs there, not on gRPC's threads
  // Shared with claims, which the dispatcher may let go of a moment later than gRPC.
  std::shared_ptr<Places> places = std::make_shared<Places>();
  service::KeyWatch keys{services.keys};  // of claims that wait
  net::HostPort here = {};                // where the server listens; set before the first call
  std::atomic<bool> draining = false;
};

grpc::Status too_many_wait();  // the tenant has its share of the places

// Whether the caller may work, and as whom. May wait for the store.
std::optional<grpc::Status> admit(const Shared& shared, const grpc::CallbackServerContext& context,
                                  const service::Caller& caller, service::Principal& principal);

// The service, on gRPC's callbacks: no call that waits has a thread.
class DispatcherService final : public v1::Dispatcher::CallbackService {
 public:
  explicit DispatcherService(Shared& shared) : shared_(shared) {}

  grpc::ServerUnaryReactor* Claim(grpc::CallbackServerContext* context,
                                  const v1::ClaimRequest* request,
                                  v1::ClaimResponse* response) override;
  grpc::ServerUnaryReactor* Heartbeat(grpc::CallbackServerContext* context,
                                      const v1::HeartbeatRequest* request,
                                      v1::HeartbeatResponse* response) override;
  grpc::ServerUnaryReactor* Complete(grpc::CallbackServerContext* context,
                                     const v1::CompleteRequest* request,
                                     v1::CompleteResponse* response) override;
  grpc::ServerBidiReactor<v1::WorkerMessage, v1::ServerMessage>* Work(
      grpc::CallbackServerContext* context) override;

  // Tells all streams to go elsewhere, and sends nobody runs any more.
  void drain();

  // Checks the keys of open streams and waiting claims again, because a key is otherwise checked
  // only when a call begins. May wait for the store.
  void check_keys();

 private:
  friend class WorkStream;

  std::vector<std::shared_ptr<WorkStream>> streams();

  Shared& shared_;
  Mutex mutex_;
  std::map<const WorkStream*, std::weak_ptr<WorkStream>> streams_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::rpc

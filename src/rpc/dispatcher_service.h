#pragma once

#include "base/mutex.h"
#include "belfry/v1/dispatcher.grpc.pb.h"
#include "rpc/shared.h"

#include <map>
#include <memory>
#include <vector>

namespace belfry::rpc {

class WorkStream;

// The service, on gRPC's callbacks: no call that waits has a thread. Here are its streams; calls of
// one message are taken by UnaryService.
class DispatcherService final
    : public v1::Dispatcher::WithCallbackMethod_Work<
          v1::Dispatcher::WithGenericMethod_Claim<v1::Dispatcher::WithGenericMethod_Heartbeat<
              v1::Dispatcher::WithGenericMethod_Complete<v1::Dispatcher::Service>>>> {
 public:
  explicit DispatcherService(Shared& shared) : shared_(shared) {}

  grpc::ServerBidiReactor<v1::WorkerMessage, v1::ServerMessage>* Work(
      grpc::CallbackServerContext* context) override;

  // Tells all streams to go elsewhere, and sends nobody runs any more.
  void drain();

  // Checks the keys of open streams and waiting claims again, because a key is otherwise checked
  // only when a call begins. May wait for the store.
  void check_keys();

 private:
  std::vector<std::shared_ptr<WorkStream>> streams();

  Shared& shared_;
  Mutex mutex_;
  std::map<const WorkStream*, std::weak_ptr<WorkStream>> streams_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::rpc

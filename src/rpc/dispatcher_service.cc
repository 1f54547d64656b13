#include "rpc/dispatcher_service.h"

#include "rpc/work_stream.h"

namespace belfry::rpc {

grpc::ServerBidiReactor<v1::WorkerMessage, v1::ServerMessage>* DispatcherService::Work(
    grpc::CallbackServerContext* context) {
  auto stream = std::make_shared<WorkStream>(shared_, context, [this](const WorkStream* gone) {
    const MutexLock lock(mutex_);
    streams_.erase(gone);
  });
  {
    const MutexLock lock(mutex_);
    streams_[stream.get()] = stream;
  }
  return stream->begin();
}

std::vector<std::shared_ptr<WorkStream>> DispatcherService::streams() {
  std::vector<std::shared_ptr<WorkStream>> streams;
  const MutexLock lock(mutex_);
  for (const auto& [key, stream] : streams_) {
    if (auto alive = stream.lock()) streams.push_back(std::move(alive));
  }
  return streams;
}

void DispatcherService::drain() {
  shared_.draining = true;
  for (const auto& stream : streams()) stream->drain();
}

void DispatcherService::check_keys() {
  for (const auto& stream : streams()) stream->check_key();
  shared_.keys.check();
}

}  // namespace belfry::rpc

#include "server/demo_shift.h"

#include <chrono>

namespace belfry::server {

DemoShift::DemoShift(engine::Dispatch& dispatch, store::Store& store, const Clock& clock)
    : crew_(dispatch, store, clock, clock.wall_now()), thread_([this] { run(); }) {}

void DemoShift::stop() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  ends_.notify_all();
  thread_.join();
}

void DemoShift::run() {
  constexpr Duration kLookEvery = std::chrono::milliseconds(200);
  while (true) {
    crew_.work();
    const MutexLock lock(mutex_);
    if (!stopping_) ends_.wait_for(mutex_, kLookEvery);
    if (stopping_) return;
  }
}

}  // namespace belfry::server

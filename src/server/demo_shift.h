#pragma once

#include "base/clock.h"
#include "base/condition.h"
#include "base/mutex.h"
#include "demo/crew.h"
#include "engine/dispatch/dispatch.h"
#include "store/store.h"

#include <thread>

namespace belfry::server {

// The crew of a demonstration goes on working while the node serves, so that what is looked at
// lives. A thread of its own.
class DemoShift {
 public:
  DemoShift(engine::Dispatch& dispatch, store::Store& store, const Clock& clock);
  ~DemoShift() { stop(); }
  DemoShift(const DemoShift&) = delete;
  DemoShift& operator=(const DemoShift&) = delete;

  // Before the dispatch ends. Safe to call twice.
  void stop();

 private:
  void run();

  demo::Crew crew_;
  Mutex mutex_;
  Condition ends_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace belfry::server

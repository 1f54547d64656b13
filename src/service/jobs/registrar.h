#pragma once

#include "base/mutex.h"
#include "engine/observer.h"
#include "store/store.h"

#include <functional>
#include <optional>
#include <vector>

namespace belfry::service {

// Group commit for registrations: those that come while transactions are under way share the next,
// so that a hundred clients cost a few commits and not a hundred. Each request keeps its own
// answer; one that is refused does not affect the others. Thread-safe.
//
// There is no thread here: a caller that finds too few at work does the work, for itself and for
// all that come meanwhile.
class Registrar {
 public:
  Registrar(store::JobStore& store, engine::Observer& observer)
      : store_(store), observer_(observer) {}

  struct Request {
    std::vector<store::NewJob> jobs;
    bool replace = false;
    bool paused = false;
    bool may_exec = false;  // as store::Registration has it
    store::Author author;
    std::optional<store::IdempotencyKey> idempotency;
  };
  using OnDone = std::function<void(store::JobStore::Registered)>;

  // Calls `on_done` once, from this thread or another.
  void submit(Request request, OnDone on_done);

 private:
  struct Waiting {
    Request request;
    OnDone on_done;
  };
  std::vector<Waiting> next_batch();
  void register_batch(std::vector<Waiting> batch) noexcept;
  void tell(const store::JobStore::Registered& registered);

  store::JobStore& store_;
  engine::Observer& observer_;
  Mutex mutex_;
  std::vector<Waiting> waiting_ BELFRY_GUARDED_BY(mutex_);
  int at_work_ BELFRY_GUARDED_BY(mutex_) = 0;  // transactions under way
  std::size_t jobs_at_work_ BELFRY_GUARDED_BY(mutex_) = 0;
};

}  // namespace belfry::service

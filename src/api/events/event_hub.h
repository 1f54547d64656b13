#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "base/time.h"
#include "net/server/responder.h"
#include "store/store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace belfry::api {

// Passes the store's events on to the streams of this node. The store is read once for all of them,
// at most four times a second, and what comes in between is put together: a stream gets at most one
// event about jobs and one about runs each time, however busy the tenant is. Thread-safe.
class EventHub {
 public:
  struct Threads {
    std::function<bool(std::function<void()>)> submit;           // work that asks the store
    std::function<void(Duration, std::function<void()>)> later;  // soon, on the loop
  };
  EventHub(store::EventStore& store, const Clock& clock, Threads threads)
      : store_(store), clock_(clock), threads_(std::move(threads)) {}

  // Where to begin a stream that has seen events up to `after`, or none. Asks the store.
  struct Start {
    store::EventId from;
    bool missed = false;  // the stream may have lost what came before
  };
  Result<Start> find_start(std::optional<store::EventId> after);

  // Whether a tenant has as many streams as it may: each takes a place from others.
  bool is_full(TenantId tenant);

  // Begins a stream for a tenant.
  void subscribe(TenantId tenant, const Start& start, const net::Stream& stream);

  // Call it, from any thread, when a hint says that there may be events.
  void poke();

 private:
  struct Subscriber {
    TenantId tenant;
    store::EventId after;  // what it has seen
    net::Stream stream;
  };

  void plan(Duration delay);
  void begin(std::uint64_t ticket);
  void pump();
  Status look_back();
  Status read_on();
  void ping();
  void drop(std::uint64_t id);

  store::EventStore& store_;
  const Clock& clock_;
  const Threads threads_;
  Mutex mutex_;
  std::map<std::uint64_t, Subscriber> subscribers_ BELFRY_GUARDED_BY(mutex_);
  std::uint64_t next_id_ BELFRY_GUARDED_BY(mutex_) = 1;
  store::EventId position_ BELFRY_GUARDED_BY(mutex_);  // all streams have what comes before
  std::optional<BootInstant> planned_ BELFRY_GUARDED_BY(mutex_);  // when the next round begins
  std::uint64_t ticket_ BELFRY_GUARDED_BY(mutex_) = 0;            // of the round that is planned
  bool at_work_ BELFRY_GUARDED_BY(mutex_) = false;
  bool poked_ BELFRY_GUARDED_BY(mutex_) = false;
  BootInstant last_round_ BELFRY_GUARDED_BY(mutex_){};
  BootInstant last_ping_ BELFRY_GUARDED_BY(mutex_){};
};

// One event, or several of one tenant put together, as a stream carries it; empty for nothing.
std::string write_events(std::span<const store::Event> events);

std::string write_event_id(const store::EventId& id);
std::optional<store::EventId> read_event_id(std::string_view text);

}  // namespace belfry::api

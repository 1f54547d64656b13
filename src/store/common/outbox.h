#pragma once

#include "store/events.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

// Events as the table `outbox` keeps them.
namespace belfry::store {

enum class EventKind : std::uint8_t { kJobs, kRuns, kViolations };

// `job:revision:status job:revision:status`, or `job:key:state`, or `job:tick:kind`; and back.
std::string write_event_items(const Event& event);
void read_event_items(EventKind kind, std::string_view text, Event& event);

// Collects what a transaction changes, by tenant.
class EventCollector {
 public:
  void add(TenantId tenant, const JobEvent& job);
  void add(TenantId tenant, const RunEvent& run);
  void add(TenantId tenant, const ViolationEvent& violation);

  bool empty() const { return events_.empty(); }
  // Without id and time.
  const std::map<std::pair<TenantId, EventKind>, Event>& events() const { return events_; }

 private:
  std::map<std::pair<TenantId, EventKind>, Event> events_;
};

}  // namespace belfry::store

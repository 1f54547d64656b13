#pragma once

#include "base/result.h"
#include "core/alerts/judge.h"
#include "core/schedule/zone_catalog.h"
#include "store/alerts.h"
#include "store/calendars.h"
#include "store/overview.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace belfry::service {

// Looks at what the rules of all tenants watch, and writes down what began, what ended and who is
// to be told. The store lets only one look at a time take effect, so any number of nodes may look;
// one is enough. What it costs follows what fails, waits or runs, not how many jobs there are.
class AlertWatch {
 public:
  // What it needs of a store.
  struct Stores {
    store::AlertStore& alerts;
    store::OverviewStore& overview;
    store::CalendarStore& calendars;
  };
  AlertWatch(const Stores& stores, core::ZoneCatalog& zones) : stores_(stores), zones_(zones) {}

  struct Report {
    std::size_t opened = 0;
    std::size_t ended = 0;
    std::size_t messages = 0;
  };
  // kConflict: somebody else looked meanwhile; look again.
  Result<Report> run_once();

 private:
  struct Tenant;

  Result<core::AlertFacts> facts_of(const store::AlertLook& look, const Tenant& tenant);
  Result<std::vector<std::string>> quiet_rules(const Tenant& tenant, Instant now);

  const Stores stores_;
  core::ZoneCatalog& zones_;
};

}  // namespace belfry::service

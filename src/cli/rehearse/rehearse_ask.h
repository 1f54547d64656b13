#pragma once

#include "cli/frame/session.h"
#include "core/schedule/zone_catalog.h"
#include "rehearse/plan.h"

#include <span>
#include <string>
#include <vector>

namespace belfry::cli {

// What was typed after `belfry rehearse`.
struct RehearseAsk {
  std::vector<std::string> files;
  std::vector<std::string> before;  // --diff
  std::string from;
  std::string to;
  std::string timezone;
  std::vector<std::string> down;
  std::vector<std::string> durations;
  std::vector<std::string> calendars;
  bool list = false;
};

// The zone in which times without one are meant: --tz, or this machine's.
std::string zone_meant(const RehearseAsk& ask, const Session& session);

// A plan without jobs: --from, --to and --down.
Answer<rehearse::Plan> times_of(const RehearseAsk& ask, const Session& session,
                                core::ZoneCatalog& zones);

// Adds the jobs of these files to a plan. Calendars that --calendar does not give are asked for at
// the server.
Answer<void> add_jobs(const std::vector<std::string>& files, const RehearseAsk& ask,
                      Session& session, core::ZoneCatalog& zones, rehearse::Plan& plan);

// How long the runs of the plans' jobs take: --durations 5m, NAME=5m, or a file. One that no plan
// has is a problem.
Answer<void> take_durations(const RehearseAsk& ask, const Session& session,
                            std::span<rehearse::Plan> plans);

}  // namespace belfry::cli

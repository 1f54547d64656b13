#pragma once

#include "base/json.h"
#include "base/time.h"
#include "client/client.h"
#include "core/schedule/calendar.h"
#include "core/schedule/zone_catalog.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belfry::cli {

// When a job fires, as far as we looked.
struct Fires {
  std::vector<Instant> at;
  Instant until;  // every fire up to here is in the list
};

// What a change of schedule does to the fires that both windows cover.
struct FireDiff {
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t gained = 0;
  std::size_t lost = 0;
  Duration window{};

  bool is_same() const { return gained == 0 && lost == 0; }
};

// Both must be ascending.
FireDiff diff_of(const Fires& before, const Fires& after, Instant from);

// "in the next 30d: 26 of 30 fires change (26 gained, 26 lost)"
std::string to_string(const FireDiff& diff);

// Computes fires from definitions (normalised, job_diff.h), here, with the engine's own code. The
// server is asked only for what depends on the tenant: `H` and jitter, drawn by its number.
class FirePlan {
 public:
  // `client` must outlive it.
  FirePlan(client::Client& client, Instant from) : client_(client), from_(from) {}

  // From now through 30 days or the 50,000th fire.
  client::Answer<Fires> fires_of(const Json& job);

  Instant from() const { return from_; }

 private:
  client::Answer<Fires> ask(const Json& job) const;
  client::Answer<std::shared_ptr<const core::Calendar>> calendar(const std::string& name);

  client::Client& client_;
  Instant from_;
  core::ZoneCatalog zones_;
  std::map<std::string, std::shared_ptr<const core::Calendar>> calendars_;
};

}  // namespace belfry::cli

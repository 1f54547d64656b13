#pragma once

#include "store/store.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// A store's live runs handed out as a node does it, by the book, for tests without a node.
namespace belfry::test {

struct Wanted {
  std::string worker = "worker";
  std::size_t max_runs = 1;
  Duration lease = std::chrono::seconds(30);
};
struct ClaimRequest {
  std::vector<std::string> job_types;
  std::vector<Wanted> takers;
  std::optional<TenantId> tenant = {};
  RegionNo region = {};  // of the takers
};

// Reads all live runs, and hands out what the store grants of them; ordered by taker.
Result<std::vector<store::ClaimedRun>> claim(store::Store& store, const ClaimRequest& request);

// Facts of the runs whose lease or deadline is over, those first whose time was over first.
Result<std::vector<store::AttemptFacts>> find_expired(store::Store& store, std::size_t most);

// When the next waiting run becomes due, if it is not due yet.
Result<std::optional<Instant>> next_due(store::Store& store);

}  // namespace belfry::test

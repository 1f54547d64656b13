#pragma once

#include "store/decisions.h"
#include "store/runs.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace belfry::engine {

// Workers that wait, for runs that are about to be decided: such a run is written as granted, and
// nobody has to claim it.
class Hands {
 public:
  virtual ~Hands() = default;

  // A run that is about to be decided.
  struct Run {
    core::RunRef run;
    const std::string* queue = nullptr;
    TenantId tenant;
    std::optional<RegionNo> region;  // core::region_for
  };
  // Workers taken out of their lines. Until it is delivered nobody else serves them.
  class Reservation {
   public:
    virtual ~Reservation() = default;
    // For each run the worker it may be granted to; null where nobody waits for it.
    virtual const std::vector<const store::Taker*>& takers() const = 0;
  };

  // A run gets a worker only if nothing else waits for that worker: order and fairness among runs
  // that wait are the book's.
  virtual std::unique_ptr<Reservation> reserve(std::span<const Run> runs) = 0;

  // What became of it: the runs that were granted. Workers that get nothing stand in line again, at
  // their old places.
  virtual void deliver(std::unique_ptr<Reservation> reservation,
                       std::vector<store::ClaimedRun> granted) = 0;
};

}  // namespace belfry::engine

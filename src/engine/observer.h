#pragma once

#include "core/book/live_run.h"
#include "core/run.h"
#include "engine/ownership/lost_commits.h"
#include "store/decisions.h"
#include "store/proof.h"
#include "store/runs.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace belfry::engine {

// Hears from the duties what they have done, once it is written; for metrics. Nothing depends on
// it, and duties behave the same whoever listens. Called from the threads of the duties, so an
// implementation has to be quick and thread-safe. This one ignores everything.
class Observer {
 public:
  virtual ~Observer() = default;

  // The ticker hands a decision to the store.
  virtual void deciding() {}
  // These runs of its decision were not there before.
  virtual void made(std::span<const core::LiveRun> /*runs*/, Instant /*at*/) {}
  // A run was made because somebody asked for it: by hand, for a past tick, or again. Who traces
  // what they do sent a `traceparent`; it may be anything.
  virtual void asked(const core::RunRef& /*run*/, Instant /*at*/,
                     std::string_view /*traceparent*/) {}
  // Ticks got their fates; `overlaps` of the runs became skips after all, because other runs of
  // their jobs were live.
  virtual void decided(const store::Decisions& /*decisions*/, std::size_t /*overlaps*/,
                       Instant /*at*/) {}
  // A worker was handed a run.
  virtual void claimed(const store::ClaimedRun& /*run*/, Instant /*at*/) {}
  // An attempt ended; the run with it, unless it is to be tried again. Of a run that nobody has
  // started in time there was no attempt: the grant has no fence.
  virtual void ended(const store::AttemptEnd& /*end*/) {}
  // The ledger is not what the definitions ask for; told once.
  virtual void violated(const store::LedgerViolation& /*violation*/) {}
  // Partitions were taken from nodes that were gone.
  virtual void took_over(std::size_t /*partitions*/) {}
  // The database lacks what this node was told was committed.
  virtual void lost_commits(const LostCommits& /*lost*/) {}
};

}  // namespace belfry::engine

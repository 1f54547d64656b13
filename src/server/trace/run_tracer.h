#pragma once

#include "base/mutex.h"
#include "engine/observer.h"
#include "store/ledger.h"
#include "trace/exporter.h"

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace belfry::server {

// Makes spans of what the duties of a node do, and tells another observer the same. The tick of a
// run is the root of its trace, and its parts hang on that: decide, claim and attempt, with the
// delivery in it (traced_carrier.h). Any node may see any part, because nothing has to be known of
// the others but the run's id and fence.
class RunTracer final : public engine::Observer {
 public:
  // What it works with; all of it must outlive it.
  struct World {
    engine::Observer& next;
    trace::Exporter& exporter;
    store::LedgerStore& ledger;
    std::function<Instant()> now;  // the database's time
    double ratio = 1;              // of all runs
  };
  explicit RunTracer(World world) : world_(std::move(world)) {}

  void deciding() override;
  void made(std::span<const core::LiveRun> runs, Instant at) override;
  void asked(const core::RunRef& run, Instant at, std::string_view traceparent) override;
  void claimed(const store::ClaimedRun& run, Instant at) override;
  void ended(const store::AttemptEnd& end) override;

  void decided(const store::Decisions& decisions, std::size_t overlaps, Instant at) override {
    world_.next.decided(decisions, overlaps, at);
  }
  void violated(const store::LedgerViolation& violation) override {
    world_.next.violated(violation);
  }
  void took_over(std::size_t partitions) override { world_.next.took_over(partitions); }
  void lost_commits(const engine::LostCommits& lost) override { world_.next.lost_commits(lost); }

 private:
  // An attempt that was granted here.
  struct Begun {
    AttemptNo attempt;
    Instant at;
  };

  std::optional<Begun> take(const core::RunGrant& grant);
  void add_begin(trace::Span& span, const core::RunGrant& grant) const;

  const World world_;
  std::atomic<Instant> deciding_since_ = Instant();
  Mutex mutex_;
  std::map<core::RunGrant, Begun> begun_ BELFRY_GUARDED_BY(mutex_);
  std::deque<core::RunGrant> order_ BELFRY_GUARDED_BY(mutex_);  // of what was begun, oldest first
};

}  // namespace belfry::server

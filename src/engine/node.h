#pragma once

#include "base/clock.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "base/rng.h"
#include "engine/db_clock.h"
#include "engine/dispatch/dispatcher.h"
#include "engine/dispatch/live_runs.h"
#include "engine/dispatch/reaper.h"
#include "engine/loading/loader.h"
#include "engine/ownership/ownership.h"
#include "engine/ticks/decision_lead.h"
#include "engine/ticks/ticker.h"
#include "store/store.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belfry::engine {

struct NodeConfig {
  std::string name = "node";
  RegionNo region;
  OwnershipConfig ownership;
  TickerConfig ticker;
  DispatcherConfig dispatcher;
  LiveRunsConfig live;
  AfterLostCommits after_lost_commits = AfterLostCommits::kRun;
};

// One scheduler node: its duties, each to be called again and again by the owner of the threads (or
// by a simulation, in one thread and in any order). renew() has a thread of its own, so that a slow
// decision never costs the lease; what it learns is handed to tick() through a small mailbox.
class Node {
 public:
  // What it needs of a store.
  struct Stores {
    Stores(store::Store& whole)  // NOLINT(google-explicit-constructor): a store is all of them
        : ownership(whole), decisions(whole), runs(whole), hints(whole) {}
    store::OwnershipStore& ownership;
    store::DecisionStore& decisions;
    store::RunStore& runs;
    store::HintStore& hints;
  };
  struct World {
    Stores stores;
    const Clock& clock;
    core::ZoneCatalog& zones;
    Logger& log;
    Observer& observer;
  };

  Node(const World& world, NodeConfig config, Rng rng);

  // Prolongs the lease, takes partitions. Every `ownership.renew`, at renew_at(), and when
  // has_loaded() says so.
  Status renew();
  std::optional<BootInstant> renew_at() const { return ownership_.look_at(); }
  // Whether partitions that are to be taken have been loaded, several or all of them, and tick()
  // has taken in those before. Loading and tick() may make it so.
  bool has_loaded() const;

  // Loads, pops, decides. At wake_at(), and after every renewal.
  Result<Ticker::Report> tick();

  // Reads one partition for tick(). False when there is none to read. From as many threads as there
  // are readers, each with its own number; on_loaded of the loader tells when tick() has something
  // to take in.
  static constexpr std::size_t kReaders = 2;
  Result<bool> load(std::size_t reader) { return loader_.run_once(readers_.at(reader)); }
  Loader& loader() { return loader_; }

  // Waits for hints, at most `longest`; tick() then looks where jobs are said to have changed, and
  // claims look for runs. In a thread of its own, or never: nothing depends on it.
  Result<store::Hints> listen(Duration longest);
  void stop_listening() { hints_.interrupt_hints(); }
  // `call` is called, from the listening thread, when there are events to read. Set it first.
  void on_events(std::function<void()> call) { events_ = std::move(call); }

  // Reads live runs that it does not know of yet, and rescues those whose worker is gone; when
  // live().next_wakeup() says so.
  Result<Reaper::Report> reap();
  LiveRuns& live() { return live_; }

  // Hands runs to the workers that wait; writes down what workers report.
  Dispatcher& dispatcher() { return dispatcher_; }

  // Lets others take over; tick() goes on for what they have not taken yet, at most for `longest`.
  // Do not renew any more. False when there is no other node.
  Result<bool> retire(Duration longest);
  // After that: whether somebody is still to take over.
  Result<bool> is_awaited() const { return ownership_.is_awaited(); }
  // Hands over what is left and stops deciding.
  Status leave();

  // When tick() will have something to do, on the database's clock; "at once" is Instant::min(). A
  // little before the next tick where the store takes decisions beforehand.
  std::optional<Instant> wake_at() const;
  std::optional<Instant> now() const;
  BootInstant boot_now() const { return clock_.boot_now(); }

  const store::OwnershipStore::Node& self() const { return ownership_.node(); }
  bool trusted() const;

  // The state of the node, as far as it can trust what it knows. From any thread.
  struct Standing {
    std::size_t partitions = 0;
    Duration lease_left{};  // until it trusts nothing any more
    std::size_t jobs = 0;   // in the timetable
    std::size_t schedules = 0;
    // The first tick that is not decided, of the jobs that this node decides for, or did until it
    // lost touch with the store; may lie ahead.
    std::optional<Instant> first_undecided;
    std::size_t unloaded = 0;  // partitions whose jobs are not in the timetable yet
    std::size_t planned = 0;   // partitions that it will take when it has read their jobs
    bool settled = false;      // it had all of its share once, with all jobs
    std::optional<BootInstant> heard_at;      // when the store last granted a renewal
    Duration answer_time{};                   // of a plain question to the store, then
    std::optional<Error> refusal;             // why the renewals since then failed, lately
    bool clock_stepped = false;               // the database's clock ran away from this machine's
    std::optional<LostCommits> lost_commits;  // the last time
    Ticker::Slices known;                     // partitions whose jobs it knows as they are
    // Jobs of these that it cannot evaluate; null before the first are known.
    std::shared_ptr<const std::vector<store::BrokenSchedule>> broken;

    // What a node that has not settled yet waits for, in words; empty if it has.
    std::string waits_for() const;
  };
  Standing standing() const;

 private:
  // What renew() and tick() tell each other.
  struct Mailbox {
    std::vector<Ownership::Changes> changes;
    BootInstant trusted_until = BootInstant::min();
    std::vector<PartitionNo> hinted;
    bool doubted = false;              // tick() dropped everything: renew() must hand it out anew
    bool complete = false;             // renew() has taken the node's whole share
    std::vector<PartitionNo> to_take;  // by renew(), when they are loaded
    std::size_t ticking = 0;           // partitions whose jobs tick() has taken in
    Standing standing;                 // what standing() returns
  };

  void apply(const Ownership::Changes& changes);
  void plan_loads(const Ownership::Changes& changes, const std::vector<PartitionNo>& loaded);
  std::size_t room() const;
  void bring();
  void publish();
  void remember_undecided();
  bool has_all_back() const;
  Instant moment_after(Instant now) const;

  store::HintStore& hints_;
  Observer& observer_;
  const AfterLostCommits after_lost_commits_;
  std::function<void()> events_;
  const Clock& clock_;
  mutable Mutex mutex_;
  Mailbox mailbox_ BELFRY_GUARDED_BY(mutex_);
  DbClock db_clock_ BELFRY_GUARDED_BY(mutex_);
  LiveRuns live_;
  Dispatcher dispatcher_;
  Ownership ownership_;          // renew()'s own
  Ticker ticker_;                // tick()'s own
  DecisionLead lead_;            // likewise
  std::optional<Instant> left_;  // tick()'s own: undecided when it dropped everything in doubt
  std::optional<std::uint64_t> broken_published_;  // likewise
  Loader loader_;
  std::array<PartitionReader, kReaders> readers_;
  Reaper reaper_;
};

}  // namespace belfry::engine

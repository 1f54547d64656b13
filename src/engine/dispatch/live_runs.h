#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "base/rng.h"
#include "core/book/run_book.h"
#include "store/hints.h"
#include "store/runs.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace belfry::engine {

struct LiveRunsConfig {
  std::size_t partitions_per_read = 16;
  std::size_t runs_per_look = 1'000;
  // Every partition is read again this often: whatever was missed is found then.
  Duration patrol = std::chrono::seconds(60);
  // How often shares of tenants and limits of types are read, and those without room tried again.
  Duration look_every = std::chrono::seconds(1);
  // Before a run is tried again that waits and still was not granted.
  Duration after_refusal = std::chrono::milliseconds(100);
  std::size_t most_from_elsewhere = 5'000;  // read at a time
  // For so long a call whose reply was lost may still take effect.
  Duration doubt = std::chrono::seconds(30);
};

// Runs for several workers at once, all of whom can do these job types (or serve these queues:
// core/queue.h).
struct ClaimRequest {
  struct Share {
    store::Taker taker;
    std::size_t max_runs = 1;
  };
  std::vector<std::string> job_types;
  std::vector<Share> shares;       // the first gets as much as it may have, then the second, ...
  std::optional<TenantId> tenant;  // only this tenant's runs
  RegionNo region = {};            // where they work
  bool elsewhere = false;          // also runs of other nodes' partitions

  std::size_t max_runs() const;
};

// What this node knows of live runs: those of the partitions it owns, and for a moment some of
// other nodes'. It hands them out by the book, in the book's order, but only as the store grants
// them: this object may be wrong in any way, and nothing is lost or doubled for it.
//
// It learns of runs from the ticker that decides them, from the grants it makes, and from hints
// about all else (triggers, retries, other nodes' grants). Hints get lost, so every partition is
// also read again from time to time.
//
// Thread-safe; run_once, find_expired and claim are each for one thread.
class LiveRuns {
 public:
  // The database's time as this node knows it; none if it does not yet.
  using Now = std::function<std::optional<Instant>()>;

  struct Stores {
    store::RunStore& runs;
    store::HintStore& hints;
  };

  LiveRuns(const Stores& stores, Now now, Rng rng, LiveRunsConfig config = {})
      : store_(stores.runs),
        hints_(stores.hints),
        now_(std::move(now)),
        rng_(std::move(rng)),
        config_(config) {}

  // ---- Which partitions; each time a partition is owned anew, it is read anew.
  void own(PartitionNo partition);
  void disown(PartitionNo partition);

  // ---- What has happened.
  void decided(std::span<const core::LiveRun> runs);
  void ended(std::span<const store::RunGrant> grants);
  // Runs wait again, or nobody knows; also somebody else's, who is then told.
  void changed(std::span<const core::RunRef> runs);
  void look_at(const store::Hints& hints);
  // Something may have been written, but nobody knows what.
  void doubt(PartitionNo partition);
  // A call whose reply was lost may have granted these, now or a little later, and nobody was told:
  // what carries its number is taken back, whoever owns the partition by then.
  void doubt_claim(std::uint64_t claim, std::set<core::RunRef> runs);
  // A number for a call that grants.
  std::uint64_t draw_claim();

  // `call` is called, without locks, when run_once has something to read, or when there may be
  // something new to hand out. Set them first.
  void on_work(std::function<void()> call) { work_ = std::move(call); }
  void on_ready(std::function<void()> call) { ready_ = std::move(call); }

  // Reads what is to be read.
  Status run_once(BootInstant now);
  // When run_once will have something to do; "at once" is BootInstant::min().
  BootInstant next_wakeup() const;

  // Hands out runs in the book's order; ordered by share.
  Result<std::vector<store::ClaimedRun>> claim(const ClaimRequest& request);
  // Whether runs of these queues wait that somebody of this region may have.
  bool offers(const std::set<std::string>& queues, std::optional<TenantId> tenant, RegionNo region);
  // Until the next run that waits for its time becomes due.
  std::optional<Duration> until_next_due() const;

  // Runs whose holders have let their time pass, or were nodes that are gone.
  struct Expired {
    store::RunGrant grant;
    bool is_node_gone = false;
    friend bool operator==(const Expired&, const Expired&) = default;
  };
  Result<std::vector<Expired>> find_expired(std::size_t most);
  // Runs that nobody has started by the time they had, as far as this node knows.
  std::vector<core::RunRef> find_unstarted(std::size_t most);
  // The nodes that are alive.
  void note_nodes(std::set<Incarnation> nodes);

  std::size_t size() const;

 private:
  Instant now() const { return now_().value_or(Instant::max()); }
  void tell() const {
    if (work_) work_();
  }
  void tell_ready() const {
    if (ready_) ready_();
  }

  Status read_shares();
  Status read_limits();
  Status read_all(std::span<const PartitionNo> partitions, std::span<const core::RunRef> runs);
  Status read_partitions(std::span<const PartitionNo> partitions);
  Status look_up(std::span<const core::RunRef> runs);
  std::vector<PartitionNo> take_unread(BootInstant now);
  Status take_back_lost(std::span<const core::LiveRun> seen);
  void look_again(BootInstant now);
  void bring_all_back() BELFRY_REQUIRES(mutex_);

  // One claim's way through the book.
  struct Claiming {
    const ClaimRequest& request;
    std::vector<std::size_t> left = {};  // of each share
    std::vector<store::ClaimedRun> granted = {};
    std::size_t wanted() const;
  };
  enum class Whose : std::uint8_t { kOurs, kElsewhere };
  core::RunBook& book_of(Whose whose) BELFRY_REQUIRES(mutex_) {
    return whose == Whose::kOurs ? book_ : elsewhere_;
  }
  Result<bool> grant_some(Whose whose, Claiming& claiming);
  store::GrantRequest request_for(std::span<const core::RunBook::Picked> picked,
                                  const Claiming& claiming) const;
  void note_granted(Whose whose, const Claiming& claiming,
                    const std::vector<store::ClaimedRun>& granted);
  void settle_refused(Whose whose, const std::vector<core::RunRef>& refused);
  bool put_type_aside(const core::LiveRun& run, Instant at) BELFRY_REQUIRES(mutex_);
  Status visit(const ClaimRequest& request);

  store::RunStore& store_;
  store::HintStore& hints_;
  const Now now_;
  Rng rng_ BELFRY_GUARDED_BY(mutex_);
  const LiveRunsConfig config_;
  std::function<void()> work_;
  std::function<void()> ready_;

  mutable Mutex mutex_;
  core::RunBook book_ BELFRY_GUARDED_BY(mutex_);
  core::RunBook elsewhere_ BELFRY_GUARDED_BY(mutex_);
  std::set<PartitionNo> owned_ BELFRY_GUARDED_BY(mutex_);
  std::set<PartitionNo> unread_ BELFRY_GUARDED_BY(mutex_);
  std::set<core::RunRef> touched_ BELFRY_GUARDED_BY(mutex_);
  // Claims whose replies were lost, with their runs, until nothing of them can come any more.
  struct LostClaim {
    std::set<core::RunRef> runs;
    std::optional<BootInstant> until;
  };
  std::map<std::uint64_t, LostClaim> lost_claims_ BELFRY_GUARDED_BY(mutex_);
  std::optional<std::set<Incarnation>> nodes_ BELFRY_GUARDED_BY(mutex_);
  std::set<TenantId> limited_ BELFRY_GUARDED_BY(mutex_);
  std::set<TenantId> unusual_ BELFRY_GUARDED_BY(mutex_);
  std::set<TenantId> aside_ BELFRY_GUARDED_BY(mutex_);  // without room, when we last asked
  BootInstant look_at_ BELFRY_GUARDED_BY(mutex_) = BootInstant::min();
  std::optional<PartitionNo> patrolled_ BELFRY_GUARDED_BY(mutex_);  // the last one
};

}  // namespace belfry::engine

#include "engine/node.h"

#include <utility>

namespace belfry::engine {
namespace {

Incarnation draw_incarnation(Rng& rng) {
  const std::uint64_t high = rng.next_u64();
  return Incarnation({high, rng.next_u64()});
}

}  // namespace

Node::Node(const World& world, NodeConfig config, Rng rng)
    : hints_(world.stores.hints),
      observer_(world.observer),
      clock_(world.clock),
      db_clock_(world.clock),
      live_(
          {world.stores.runs, world.stores.hints}, [this] { return now(); }, Rng(rng.next_u64()),
          config.live),
      dispatcher_({world.stores.runs, live_, world.clock, world.observer}, Rng(rng.next_u64()),
                  config.dispatcher),
      ownership_(world.stores.ownership, world.clock,
                 {.incarnation = draw_incarnation(rng),
                  .name = std::move(config.name),
                  .region = config.region},
                 config.ownership),
      ticker_({world.stores.decisions, world.zones, world.log, world.observer, live_,
               dispatcher_.claims()},
              ownership_.node().incarnation, config.ticker),
      reaper_(world.stores.runs, live_, world.observer, Rng(rng.next_u64())) {
  live_.on_ready([this] { dispatcher_.wake(); });
}

Status Node::renew() {
  std::vector<store::OwnershipStore::Holding> let_go;
  {
    const MutexLock lock(mutex_);
    let_go.swap(mailbox_.let_go);
    if (std::exchange(mailbox_.doubted, false)) ownership_.forget();
  }
  // Lost replies and failures are harmless here: the next renewal shows what we still own.
  if (!let_go.empty()) BELFRY_CHECK(ownership_.release(let_go));
  BELFRY_TRY(changes, ownership_.run_once());
  if (changes.failovers > 0) observer_.took_over(changes.failovers);
  const MutexLock lock(mutex_);
  mailbox_.standing.partitions = changes.mine.size();
  db_clock_.observe(changes.asked, changes.now, changes.answered);
  mailbox_.trusted_until = ownership_.deadline();
  mailbox_.changes.push_back(std::move(changes));
  return {};
}

bool Node::trusted() const {
  const MutexLock lock(mutex_);
  return clock_.boot_now() < mailbox_.trusted_until;
}

std::optional<Instant> Node::now() const {
  const MutexLock lock(mutex_);
  return db_clock_.now();
}

void Node::apply(const Ownership::Changes& changes) {
  for (const PartitionNo partition : changes.lost) {
    ticker_.drop(partition);
    live_.disown(partition);
  }
  for (const store::OwnedPartition& partition : changes.gained) {
    ticker_.gain(partition);
    live_.own(partition.partition);
  }
  for (const store::OwnedPartition& partition : changes.mine) ticker_.note(partition);
  for (const auto& holding : changes.surplus) {
    ticker_.drop(holding.partition);
    live_.disown(holding.partition);
  }
}

Result<store::Hints> Node::listen(Duration longest) {
  BELFRY_TRY(hints, hints_.await_hints(longest));
  live_.look_at(hints);
  if (hints.runs) dispatcher_.wake_for_elsewhere();
  if (hints.events && events_) events_();
  const MutexLock lock(mutex_);
  mailbox_.hinted.insert(mailbox_.hinted.end(), hints.changed.begin(), hints.changed.end());
  return hints;
}

Result<Ticker::Report> Node::tick() {
  std::vector<Ownership::Changes> changes;
  std::vector<PartitionNo> hinted;
  std::optional<Instant> now;
  bool trusted = false;
  {
    const MutexLock lock(mutex_);
    changes.swap(mailbox_.changes);
    hinted.swap(mailbox_.hinted);
    now = db_clock_.now();
    trusted = clock_.boot_now() < mailbox_.trusted_until;
  }
  for (const Ownership::Changes& change : changes) {
    apply(change);
    const MutexLock lock(mutex_);
    mailbox_.let_go.insert(mailbox_.let_go.end(), change.surplus.begin(), change.surplus.end());
  }
  if (!trusted || !now) {
    ticker_.drop_all();  // doubt means "not owner"
    publish();
    const MutexLock lock(mutex_);
    mailbox_.doubted = true;
    return Ticker::Report{};
  }
  for (const PartitionNo partition : hinted) ticker_.hint(partition);
  auto report = ticker_.run_once(*now);
  publish();
  return report;
}

// The next tick is undecided from its time on, even while this thread is held up.
void Node::publish() {
  const MutexLock lock(mutex_);
  mailbox_.standing.jobs = ticker_.jobs();
  mailbox_.standing.schedules = ticker_.schedules();
  mailbox_.standing.first_undecided = ticker_.first_undecided();
}

Node::Standing Node::standing() const {
  const BootInstant now = clock_.boot_now();
  const MutexLock lock(mutex_);
  Standing standing = mailbox_.standing;
  if (now < mailbox_.trusted_until) {
    standing.lease_left = mailbox_.trusted_until - now;
  } else {
    standing.partitions = 0;
  }
  return standing;
}

Result<Reaper::Report> Node::reap() {
  BELFRY_CHECK(live_.run_once(clock_.boot_now()));
  return reaper_.run_once();
}

Result<bool> Node::retire() {
  if (ownership_.alone()) return false;
  BELFRY_CHECK(ownership_.retire());
  return true;
}

Status Node::leave() {
  ticker_.drop_all();
  return ownership_.leave();
}

}  // namespace belfry::engine

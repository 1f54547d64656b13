#include "engine/node.h"

#include <algorithm>
#include <utility>

namespace belfry::engine {
namespace {

Incarnation draw_incarnation(Rng& rng) {
  const std::uint64_t high = rng.next_u64();
  return Incarnation({high, rng.next_u64()});
}

TickerConfig brought(TickerConfig config) {
  config.is_brought = true;
  return config;
}

}  // namespace

Node::Node(const World& world, NodeConfig config, Rng rng)
    : hints_(world.stores.hints),
      observer_(world.observer),
      after_lost_commits_(config.after_lost_commits),
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
              ownership_.node().incarnation, brought(config.ticker)),
      lead_(world.stores.decisions.patience()),
      readers_{PartitionReader(world.stores.decisions, world.zones),
               PartitionReader(world.stores.decisions, world.zones)},
      reaper_(world.stores.runs, live_, world.observer, Rng(rng.next_u64())) {
  live_.on_ready([this] { dispatcher_.wake(); });
}

Status Node::renew() {
  {
    const MutexLock lock(mutex_);
    if (std::exchange(mailbox_.doubted, false)) ownership_.forget();
  }
  const std::vector<PartitionNo> loaded = loader_.ready();
  auto answer = ownership_.run_once({.partitions = loaded, .most = room()});
  if (!answer) {
    const MutexLock lock(mutex_);
    mailbox_.standing.refusal = answer.error();
    return fail(std::move(answer).error());
  }
  Ownership::Changes& changes = *answer;
  if (changes.failovers > 0) observer_.took_over(changes.failovers);
  if (changes.lost_commits) observer_.lost_commits(*changes.lost_commits);
  plan_loads(changes, loaded);
  live_.note_nodes(changes.nodes);
  const MutexLock lock(mutex_);
  mailbox_.standing.partitions = changes.mine.size();
  mailbox_.complete = changes.complete;
  if (changes.loads) mailbox_.to_take = changes.loads->to_take;
  mailbox_.standing.planned = mailbox_.to_take.size();
  mailbox_.standing.heard_at = changes.answered;
  mailbox_.standing.answer_time = changes.answered - changes.asked;
  mailbox_.standing.refusal.reset();
  if (changes.lost_commits) mailbox_.standing.lost_commits = changes.lost_commits;
  db_clock_.observe(changes.asked, changes.now, changes.answered);
  mailbox_.standing.clock_stepped = db_clock_.stepped();
  mailbox_.trusted_until = ownership_.deadline();
  mailbox_.changes.push_back(std::move(changes));
  return {};
}

// What has been loaded and taken stays until tick() fetches it.
void Node::plan_loads(const Ownership::Changes& changes, const std::vector<PartitionNo>& loaded) {
  if (!changes.loads) return;
  std::vector<PartitionNo> planned;
  for (const PartitionNo partition : loaded) {
    const auto same = [&](const auto& mine) { return mine.partition == partition; };
    if (std::ranges::any_of(changes.mine, same)) planned.push_back(partition);
  }
  const auto& [to_take, in_case] = *changes.loads;
  planned.insert(planned.end(), to_take.begin(), to_take.end());
  planned.insert(planned.end(), in_case.begin(), in_case.end());
  loader_.plan(std::move(planned));
}

// Whoever decided for a partition stops when it is taken, and it ticks again only when tick() has
// taken in its jobs, which takes milliseconds for some ten thousand. So no more are taken than it
// takes in at once.
std::size_t Node::room() const {
  constexpr std::size_t kMostAhead = 4;
  const MutexLock lock(mutex_);
  const std::size_t ahead =
      mailbox_.standing.partitions - std::min(mailbox_.standing.partitions, mailbox_.ticking);
  return kMostAhead - std::min(kMostAhead, ahead);
}

bool Node::has_loaded() const {
  constexpr std::size_t kSeveral = 4;
  if (room() == 0) return false;
  const std::vector<PartitionNo> loaded = loader_.ready();
  const MutexLock lock(mutex_);
  const auto ready =
      static_cast<std::size_t>(std::ranges::count_if(mailbox_.to_take, [&](PartitionNo partition) {
        return std::ranges::find(loaded, partition) != loaded.end();
      }));
  return ready >= kSeveral || (ready > 0 && ready == mailbox_.to_take.size());
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
  if (changes.lost_commits && after_lost_commits_ == AfterLostCommits::kSkip) {
    ticker_.skip_through(changes.lost_commits->through);
  }
  for (const PartitionNo partition : changes.lost) {
    ticker_.drop(partition);
    live_.disown(partition);
  }
  for (const store::OwnedPartition& partition : changes.gained) {
    ticker_.gain(partition);
    live_.own(partition.partition);
  }
  for (const store::OwnedPartition& partition : changes.mine) ticker_.note(partition);
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
  for (const Ownership::Changes& change : changes) apply(change);
  if (!trusted || !now) {
    remember_undecided();
    ticker_.drop_all();  // doubt means "not owner"
    publish();
    const MutexLock lock(mutex_);
    mailbox_.doubted = true;
    return Ticker::Report{};
  }
  for (const PartitionNo partition : hinted) ticker_.hint(partition);
  bring();
  const Instant moment = moment_after(*now);
  auto report = ticker_.run_once(moment);
  if (report && report->spare && moment > *now) lead_.learn(moment - *now - *report->spare);
  loader_.need(ticker_.unloaded());
  if (has_all_back()) left_.reset();
  publish();
  return report;
}

void Node::bring() {
  for (const PartitionNo partition : ticker_.unloaded()) {
    if (!ticker_.has_room()) return;
    if (auto loaded = loader_.fetch(partition)) ticker_.bring(*std::move(loaded));
  }
}

std::optional<Instant> Node::wake_at() const {
  if (loader_.has_needed()) return Instant::min();
  const auto next = ticker_.next_wakeup();
  return next && *next != Instant::min() ? *next - lead_.value() : next;
}

// The next tick's, if nothing else is to be done and the store should be told of it by now.
Instant Node::moment_after(Instant now) const {
  const auto next = ticker_.next_wakeup();
  return next && *next > now && *next - now <= lead_.value() ? *next : now;
}

// Nobody may be deciding these ticks now: in an outage of the store every node drops everything.
void Node::remember_undecided() {
  const auto first = ticker_.first_undecided();
  if (first) left_ = left_ ? std::min(*left_, *first) : first;
}

// Whether the store has said since what this node owns, and all of that is loaded: then the ticker
// knows its undecided ticks itself, and the rest are somebody else's.
bool Node::has_all_back() const {
  if (!ticker_.unloaded().empty()) return false;
  const MutexLock lock(mutex_);
  return mailbox_.changes.empty() && ticker_.partitions() >= mailbox_.standing.partitions;
}

// The next tick is undecided from its time on, even while this thread is held up.
void Node::publish() {
  const auto first = ticker_.first_undecided();
  const MutexLock lock(mutex_);
  mailbox_.standing.jobs = ticker_.jobs();
  mailbox_.standing.schedules = ticker_.schedules();
  mailbox_.standing.first_undecided = first && left_ ? std::min(*left_, *first)
                                      : left_        ? left_
                                                     : first;
  mailbox_.standing.unloaded = ticker_.unloaded().size();
  mailbox_.ticking = ticker_.partitions() - mailbox_.standing.unloaded;
  mailbox_.standing.known = ticker_.known();
  if (broken_published_ != ticker_.broken_changes()) {
    broken_published_ = ticker_.broken_changes();
    mailbox_.standing.broken =
        std::make_shared<const std::vector<store::BrokenSchedule>>(ticker_.broken());
  }
  const bool all = mailbox_.complete && mailbox_.changes.empty() && mailbox_.standing.unloaded == 0;
  if (all) mailbox_.standing.settled = true;
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

std::string Node::Standing::waits_for() const {
  if (settled) return {};
  if (partitions + planned == 0) return "its share of the partitions";
  return "the jobs of " + std::to_string(unloaded + planned) + " of " +
         std::to_string(partitions + planned) + " partitions";
}

Result<Reaper::Report> Node::reap() {
  BELFRY_CHECK(live_.run_once(clock_.boot_now()));
  return reaper_.run_once();
}

Result<bool> Node::retire(Duration longest) {
  if (ownership_.alone()) return false;
  BELFRY_CHECK(ownership_.retire());
  const MutexLock lock(mutex_);
  mailbox_.trusted_until = clock_.boot_now() + longest;  // until others take over; the epochs tell
  return true;
}

Status Node::leave() {
  ticker_.drop_all();
  return ownership_.leave();
}

}  // namespace belfry::engine

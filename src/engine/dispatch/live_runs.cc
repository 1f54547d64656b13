#include "engine/dispatch/live_runs.h"

#include <algorithm>

namespace belfry::engine {

using core::LiveRun;
using core::RunBook;
using core::RunRef;
using store::ClaimedRun;
using store::RunGrant;

std::size_t ClaimRequest::max_runs() const {
  std::size_t sum = 0;
  for (const Share& share : shares) sum += share.max_runs;
  return sum;
}

// ---- What it is told ----

void LiveRuns::own(PartitionNo partition) {
  {
    const MutexLock lock(mutex_);
    book_.close(partition);
    book_.open(partition);
    elsewhere_.close(partition);
    owned_.insert(partition);
    unread_.insert(partition);
  }
  tell();
}

void LiveRuns::disown(PartitionNo partition) {
  const MutexLock lock(mutex_);
  book_.close(partition);
  owned_.erase(partition);
  unread_.erase(partition);
}

void LiveRuns::decided(std::span<const LiveRun> runs) {
  if (runs.empty()) return;
  {
    const MutexLock lock(mutex_);
    for (const LiveRun& run : runs) book_.put(run);
  }
  tell_ready();
}

void LiveRuns::ended(std::span<const RunGrant> grants) {
  std::vector<RunRef> of_others;
  {
    const MutexLock lock(mutex_);
    for (const RunGrant& grant : grants) {
      const LiveRun::Held* holder = book_.holder_of(grant.run);
      if (holder != nullptr && holder->fence == grant.fence) book_.remove(grant.run);
      if (!owned_.contains(partition_of(grant.run.job))) of_others.push_back(grant.run);
    }
    bring_all_back();
  }
  if (!of_others.empty()) hints_.touch(of_others);
}

void LiveRuns::changed(std::span<const RunRef> runs) {
  std::vector<RunRef> of_others;
  {
    const MutexLock lock(mutex_);
    for (const RunRef& run : runs) {
      if (owned_.contains(partition_of(run.job))) {
        touched_.insert(run);
      } else {
        of_others.push_back(run);
      }
    }
  }
  if (!of_others.empty()) hints_.touch(of_others);
  if (of_others.size() < runs.size()) tell();
}

void LiveRuns::look_at(const store::Hints& hints) {
  bool news = false;
  {
    const MutexLock lock(mutex_);
    for (const RunRef& run : hints.touched) {
      if (owned_.contains(partition_of(run.job))) news |= touched_.insert(run).second;
    }
    for (const PartitionNo partition : hints.crowded) {
      if (owned_.contains(partition)) news |= unread_.insert(partition).second;
    }
    bring_all_back();
  }
  if (news) tell();
}

void LiveRuns::doubt(PartitionNo partition) {
  {
    const MutexLock lock(mutex_);
    if (owned_.contains(partition)) unread_.insert(partition);
  }
  tell();
}

void LiveRuns::bring_all_back() {
  for (const TenantId tenant : aside_) {
    book_.bring_back(tenant);
    elsewhere_.bring_back(tenant);
  }
  aside_.clear();
  book_.bring_types_back();
  elsewhere_.bring_types_back();
}

// ---- What it reads ----

void LiveRuns::note_nodes(std::set<Incarnation> nodes) {
  const MutexLock lock(mutex_);
  nodes_ = std::move(nodes);
}

BootInstant LiveRuns::next_wakeup() const {
  const MutexLock lock(mutex_);
  return unread_.empty() && touched_.empty() ? look_at_ : BootInstant::min();
}

Status LiveRuns::run_once(BootInstant now) {
  look_again(now);
  const std::vector<PartitionNo> partitions = take_unread(now);
  std::vector<RunRef> touched;
  {
    const MutexLock lock(mutex_);
    touched.assign(touched_.begin(), touched_.end());
    touched_.clear();
  }
  if (partitions.empty() && touched.empty()) return {};
  Status read = read_all(partitions, touched);
  if (!read) {  // the next round tries again
    const MutexLock lock(mutex_);
    for (const PartitionNo partition : partitions) {
      if (owned_.contains(partition)) unread_.insert(partition);
    }
    touched_.insert(touched.begin(), touched.end());
  }
  tell_ready();
  return read;
}

Status LiveRuns::read_all(std::span<const PartitionNo> partitions, std::span<const RunRef> runs) {
  while (!partitions.empty()) {
    const auto some = partitions.first(std::min(config_.partitions_per_read, partitions.size()));
    partitions = partitions.subspan(some.size());
    BELFRY_CHECK(read_partitions(some));
  }
  while (!runs.empty()) {
    const auto some = runs.first(std::min(config_.runs_per_look, runs.size()));
    runs = runs.subspan(some.size());
    BELFRY_CHECK(look_up(some));
  }
  return {};
}

// Those that have to be read, and the next ones of the patrol.
std::vector<PartitionNo> LiveRuns::take_unread(BootInstant now) {
  bool looks = false;
  {
    const MutexLock lock(mutex_);
    looks = now >= look_at_;
    if (looks) look_at_ = now + config_.look_every;
  }
  // A failure is no reason to read nothing; the next look brings the shares.
  if (looks) {
    (void)read_shares();
    (void)read_limits();
  }
  const MutexLock lock(mutex_);
  if (looks) {
    bring_all_back();
    const auto rounds = static_cast<std::size_t>(config_.patrol / config_.look_every);
    for (std::size_t i = 0; i < owned_.size() / rounds + 1 && !owned_.empty(); ++i) {
      auto next = patrolled_ ? owned_.upper_bound(*patrolled_) : owned_.begin();
      if (next == owned_.end()) next = owned_.begin();
      patrolled_ = *next;
      unread_.insert(*next);
    }
  }
  const std::set<PartitionNo> unread = std::exchange(unread_, {});
  return {unread.begin(), unread.end()};
}

Status LiveRuns::read_shares() {
  BELFRY_TRY(tenants, store_.unusual_tenants());
  const MutexLock lock(mutex_);
  for (const TenantId tenant : unusual_) {
    book_.set_weight(tenant, 1);
    elsewhere_.set_weight(tenant, 1);
  }
  unusual_.clear();
  limited_.clear();
  for (const store::TenantShare& share : tenants) {
    unusual_.insert(share.tenant);
    if (share.max_in_flight > 0) limited_.insert(share.tenant);
    book_.set_weight(share.tenant, share.weight);
    elsewhere_.set_weight(share.tenant, share.weight);
  }
  return {};
}

Status LiveRuns::read_limits() {
  BELFRY_TRY(types, store_.limited_types());
  std::vector<RunBook::TypeLimit> limits;
  for (store::LimitedType& type : types) {
    limits.push_back({type.tenant, std::move(type.name), type.limits});
  }
  const MutexLock lock(mutex_);
  book_.set_limits(limits);
  elsewhere_.set_limits(limits);
  return {};
}

Status LiveRuns::read_partitions(std::span<const PartitionNo> partitions) {
  RunBook::Mark before = 0;
  {
    const MutexLock lock(mutex_);
    before = book_.mark();
  }
  BELFRY_TRY(runs, store_.read_live(partitions));
  BELFRY_CHECK(take_back_lost(runs));
  std::map<PartitionNo, std::vector<LiveRun>> by_partition;
  for (LiveRun& run : runs) by_partition[partition_of(run.run.job)].push_back(std::move(run));
  const MutexLock lock(mutex_);
  for (const PartitionNo partition : partitions) {
    book_.compare(partition, by_partition[partition], before);
  }
  return {};
}

void LiveRuns::doubt_claim(std::uint64_t claim, std::set<RunRef> runs) {
  {
    const MutexLock lock(mutex_);
    touched_.insert(runs.begin(), runs.end());
    lost_claims_[claim].runs = std::move(runs);
  }
  tell();
}

std::uint64_t LiveRuns::draw_claim() {
  const MutexLock lock(mutex_);
  return rng_.next_u64();
}

// What the store was told may come to pass after we have looked, so runs of a lost claim are looked
// at with every round for a while.
void LiveRuns::look_again(BootInstant now) {
  const MutexLock lock(mutex_);
  if (now < look_at_) return;
  for (auto& [claim, lost] : lost_claims_) {
    if (!lost.until) lost.until = now + config_.doubt;
    touched_.insert(lost.runs.begin(), lost.runs.end());
  }
  std::erase_if(lost_claims_, [&](const auto& lost) { return *lost.second.until <= now; });
}

// Runs that our own call was given, and nobody was told: back they go, with no attempt used up.
Status LiveRuns::take_back_lost(std::span<const LiveRun> seen) {
  std::vector<RunGrant> grants;
  std::vector<RunRef> runs;
  {
    const MutexLock lock(mutex_);
    if (lost_claims_.empty()) return {};
    for (const LiveRun& run : seen) {
      if (!run.held || !lost_claims_.contains(run.held->claim)) continue;
      grants.push_back({run.run, run.held->fence});
      runs.push_back(run.run);
    }
  }
  if (grants.empty()) return {};
  BELFRY_CHECK(store_.return_runs(grants));
  changed(runs);
  return {};
}

Status LiveRuns::look_up(std::span<const RunRef> runs) {
  BELFRY_TRY(found, store_.find_live(runs));
  BELFRY_CHECK(take_back_lost(found));
  const MutexLock lock(mutex_);
  std::set<RunRef> live;
  for (const LiveRun& run : found) {
    live.insert(run.run);
    book_.put(run);
  }
  for (const RunRef& run : runs) {
    if (!live.contains(run)) book_.remove(run);
  }
  return {};
}

Result<std::vector<LiveRuns::Expired>> LiveRuns::find_expired(std::size_t most) {
  const Instant at = now();
  std::set<RunRef> suspects;
  const auto suspect = [&](const std::vector<RunRef>& runs) {
    suspects.insert(runs.begin(), runs.end());
  };
  {
    const MutexLock lock(mutex_);
    if (at != Instant::max()) suspect(book_.overdue(at, most));
    if (nodes_) suspect(book_.held_by_others(*nodes_, most));
  }
  std::vector<Expired> expired;
  if (suspects.empty()) return expired;
  // Others may have prolonged or ended them.
  BELFRY_CHECK(look_up(std::vector<RunRef>(suspects.begin(), suspects.end())));
  const MutexLock lock(mutex_);
  for (const RunRef& run : suspects) {
    const LiveRun::Held* holder = book_.holder_of(run);
    if (holder == nullptr) continue;
    const bool over = holder->until <= at;
    const bool unknown =
        holder->holder != Incarnation() && nodes_ && !nodes_->contains(holder->holder);
    // The store ends one whose time is not over only if it knows the node to be gone.
    if (over || unknown) expired.push_back({{run, holder->fence}, !over});
  }
  return expired;
}

std::vector<RunRef> LiveRuns::find_unstarted(std::size_t most) {
  const Instant at = now();
  if (at == Instant::max()) return {};
  const MutexLock lock(mutex_);
  return book_.unstarted(at, most);
}

bool LiveRuns::offers(const std::set<std::string>& queues, std::optional<TenantId> tenant,
                      RegionNo region) {
  const std::vector<std::string> names(queues.begin(), queues.end());
  const Instant at = now();
  const MutexLock lock(mutex_);
  return book_.offers({.queues = names, .tenant = tenant, .region = region}, at);
}

std::optional<Duration> LiveRuns::until_next_due() const {
  const auto at = now_();
  const MutexLock lock(mutex_);
  const auto due = book_.next_due();
  if (!due || !at) return std::nullopt;
  return std::max(*due - *at, Duration::zero());
}

std::size_t LiveRuns::size() const {
  const MutexLock lock(mutex_);
  return book_.size();
}

// ---- What it hands out ----

std::size_t LiveRuns::Claiming::wanted() const {
  std::size_t sum = 0;
  for (const std::size_t share : left) sum += share;
  return sum;
}

Result<std::vector<ClaimedRun>> LiveRuns::claim(const ClaimRequest& request) {
  constexpr int kRounds = 3;  // where the book was wrong, there may be more
  Claiming claiming{.request = request};
  for (const ClaimRequest::Share& share : request.shares) claiming.left.push_back(share.max_runs);
  Status status;
  for (int i = 0; i < kRounds; ++i) {
    const auto again = grant_some(Whose::kOurs, claiming);
    if (!again) status = fail(again.error());
    if (!again || !*again) break;
  }
  if (status && request.elsewhere && claiming.wanted() > 0) {
    status = visit(request);
    if (status) {
      if (const auto visited = grant_some(Whose::kElsewhere, claiming); !visited) {
        status = fail(visited.error());
      }
    }
  }
  // What was granted must get to its workers, whatever failed afterwards.
  if (!status && claiming.granted.empty()) return fail(std::move(status).error());
  std::ranges::stable_sort(claiming.granted, {}, &ClaimedRun::taker);
  return std::move(claiming.granted);
}

// Asks the store for what the book offers. True when it refused some, and more is wanted.
Result<bool> LiveRuns::grant_some(Whose whose, Claiming& claiming) {
  const std::size_t wanted = claiming.wanted();
  std::vector<RunBook::Picked> picked;
  if (wanted > 0) {
    const Instant at = now();
    const MutexLock lock(mutex_);
    picked = book_of(whose).pick({.queues = claiming.request.job_types,
                                  .tenant = claiming.request.tenant,
                                  .region = claiming.request.region,
                                  .most = wanted},
                                 at);
  }
  if (picked.empty()) return false;
  store::GrantRequest request = request_for(picked, claiming);
  request.claim = draw_claim();
  auto granted = store_.grant(request);
  std::set<RunRef> open;
  for (const RunBook::Picked& run : picked) open.insert(run.run);
  if (!granted) {
    // It may have happened: the claim's number tells.
    settle_refused(whose, {open.begin(), open.end()});
    doubt_claim(request.claim, std::move(open));
    return fail(std::move(granted).error());
  }
  note_granted(whose, claiming, *granted);
  for (ClaimedRun& run : *granted) {
    open.erase(run.run);
    --claiming.left[run.taker];
    claiming.granted.push_back(std::move(run));
  }
  if (open.empty()) return false;
  settle_refused(whose, {open.begin(), open.end()});
  return claiming.wanted() > 0;
}

store::GrantRequest LiveRuns::request_for(std::span<const RunBook::Picked> picked,
                                          const Claiming& claiming) const {
  store::GrantRequest request;
  for (const ClaimRequest::Share& share : claiming.request.shares) {
    request.takers.push_back(share.taker);
  }
  std::vector<std::size_t> left = claiming.left;
  std::size_t taker = 0;
  for (const RunBook::Picked& run : picked) {
    while (left[taker] == 0) ++taker;
    --left[taker];
    request.runs.push_back({.run = run.run, .tenant = run.tenant, .taker = taker});
  }
  return request;
}

void LiveRuns::note_granted(Whose whose, const Claiming& claiming,
                            const std::vector<ClaimedRun>& granted) {
  std::vector<RunRef> of_others;
  {
    const MutexLock lock(mutex_);
    for (const ClaimedRun& run : granted) {
      if (whose == Whose::kElsewhere) {
        elsewhere_.remove(run.run);
        of_others.push_back(run.run);
      } else {
        book_.hold(run.run, {.fence = run.fence,
                             .until = std::min(run.lease_until, run.deadline),
                             .holder = claiming.request.shares[run.taker].taker.holder});
      }
    }
  }
  if (!of_others.empty()) hints_.touch(of_others);
}

// The book was wrong about these, or they may not run just now.
void LiveRuns::settle_refused(Whose whose, const std::vector<RunRef>& refused) {
  auto found = store_.find_live(refused);
  const auto at = now_();
  const MutexLock lock(mutex_);
  RunBook& book = book_of(whose);
  if (!found) {
    for (const RunRef& run : refused) book.put_back(run);
    return;
  }
  for (const RunRef& run : refused) book.remove(run);
  if (whose == Whose::kElsewhere) return;
  for (LiveRun& run : *found) {
    if (!run.held && at && put_type_aside(run, *at)) {
      book.put(run);
      continue;
    }
    const bool full = !run.held && limited_.contains(run.tenant);
    if (full && aside_.insert(run.tenant).second) {
      book_.put_aside(run.tenant);
      elsewhere_.put_aside(run.tenant);
    }
    if (!run.held && !full && at) run.due = std::max(run.due, *at + config_.after_refusal);
    book.put(run);
  }
}

// True if the run's type has limits: then it is most likely that which has no room. If it is its
// tenant instead, that is seen with runs of other types.
bool LiveRuns::put_type_aside(const LiveRun& run, Instant at) {
  const std::string& type = run.type.empty() ? run.queue : run.type;
  const auto wait = book_.wait_for_room(run.tenant, type);
  if (!wait) return false;
  book_.put_aside(run.tenant, type, at + *wait);
  elsewhere_.put_aside(run.tenant, type, at + *wait);
  return true;
}

// Reads some runs of other nodes' partitions, unless some are left of the last time.
Status LiveRuns::visit(const ClaimRequest& request) {
  store::Elsewhere asked{.queues = request.job_types,
                         .tenant = request.tenant,
                         .region = request.region,
                         .most = config_.most_from_elsewhere};
  {
    const Instant at = now();
    const MutexLock lock(mutex_);
    const RunBook::Wish wish{
        .queues = request.job_types, .tenant = request.tenant, .region = request.region};
    if (elsewhere_.offers(wish, at)) return {};
    asked.but.assign(owned_.begin(), owned_.end());
    const PartitionId slice(static_cast<std::uint8_t>(rng_.below(kPartitionCount)));
    asked.first = partition_no(request.region, slice);
  }
  BELFRY_TRY(runs, store_.find_waiting(asked));
  const MutexLock lock(mutex_);
  for (const LiveRun& run : runs) {
    const PartitionNo partition = partition_of(run.run.job);
    if (owned_.contains(partition)) continue;
    elsewhere_.open(partition);
    elsewhere_.put(run);
  }
  return {};
}

}  // namespace belfry::engine

#include "store/sqlite/implementation.h"
#include "store/sqlite/runs/blocked.h"
#include "store/sqlite/sql.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace belfry::store::sqlite {

namespace {

// How many runs to read first, to see whether a tenant has any. Mostly it has no more.
constexpr std::size_t kFirstLook = 16;

// A run that may be granted, as far as the index alone shows it.
struct Candidate {
  bool exclusive = false;
  Instant due_at;
  core::RunRef run;
};

// Runs of one tenant that wait in one queue and were not looked at yet.
struct Lane {
  const std::string* queue = nullptr;
  TenantId tenant;
  std::int64_t priority = 0;  // the highest
};

// A tenant that has something to claim.
struct Contender {
  TenantId tenant;
  std::vector<Lane> lanes;  // one for each queue where it has
  std::int64_t weight = 1;
  std::int64_t room = 0;        // how many more runs it may have in flight
  std::vector<Candidate> seen;  // the best ones
  std::size_t next = 0;         // index into `seen`
  bool seen_all = false;
};

class Claim {
 public:
  Claim(const Session& session, const ClaimRequest& request)
      : session_(session), request_(request), most_(max_runs_of(request)) {}

  Result<std::vector<ClaimedRun>> run();

 private:
  std::size_t left() const { return most_ - claimed_.size(); }

  Status find_contenders(TenantId after, std::optional<TenantId> last);
  Result<std::vector<Lane>> lanes_after(TenantId tenant);
  Result<std::optional<Lane>> next_lane(const std::string& queue, TenantId after);
  Status consider(std::vector<Lane> lanes);

  Status take(Contender& contender, std::size_t most);
  Status look(Contender& contender, std::size_t most);
  Result<std::vector<Candidate>> candidates(std::vector<Lane> lanes, std::size_t most);
  Status add_due(const Lane& lane, std::size_t wanted, std::vector<Candidate>& found);
  Status leave_priority(std::int64_t priority, std::vector<Lane>& lanes);
  bool has_twin(const Candidate& candidate) const;
  const Taker& next_taker();
  Status grant(const Candidate& candidate);

  const Session& session_;
  const ClaimRequest& request_;
  const std::size_t most_;
  std::size_t taker_ = 0;  // whose turn it is
  std::size_t taken_ = 0;  // what it has
  std::vector<Contender> contenders_;
  Fence fence_;
  std::vector<ClaimedRun> claimed_;
  std::vector<JobId> exclusive_jobs_;  // of what is claimed; sorted
};

Result<std::vector<ClaimedRun>> Claim::run() {
  if (request_.tenant) {
    BELFRY_CHECK(find_contenders(TenantId(request_.tenant->value() - 1), request_.tenant));
  } else {
    BELFRY_CHECK(find_contenders(session_.served, std::nullopt));
    BELFRY_CHECK(find_contenders(TenantId(), session_.served));
  }
  if (contenders_.empty()) return std::move(claimed_);
  BELFRY_TRY(fence, session_.db.value<Fence>(kLastFence));
  fence_ = fence;
  std::int64_t weights = 0;
  for (const Contender& contender : contenders_) weights += contender.weight;
  for (Contender& contender : contenders_) {
    const auto most = static_cast<std::int64_t>(most_);
    const std::int64_t share = std::max<std::int64_t>(1, most * contender.weight / weights);
    if (left() > 0 && !request_.tenant) session_.served = contender.tenant;
    BELFRY_CHECK(take(contender, static_cast<std::size_t>(share)));
  }
  // What some tenants could not use of their shares goes to the others.
  for (Contender& contender : contenders_) BELFRY_CHECK(take(contender, left()));
  BELFRY_CHECK(session_.db.run(kKeepLastFence, fence_));
  return std::move(claimed_);
}

// Looks among the tenants after `after`, up to `last`. Each gets at least one run, so there is no
// need for more contenders than runs.
Status Claim::find_contenders(TenantId after, std::optional<TenantId> last) {
  if (contenders_.size() == most_) return {};
  BELFRY_TRY(lanes, lanes_after(after));
  while (!lanes.empty() && contenders_.size() < most_) {
    const TenantId tenant = std::ranges::min(lanes, {}, &Lane::tenant).tenant;
    if (last && tenant > *last) break;
    std::vector<Lane> its;
    std::vector<Lane> others;
    for (const Lane& lane : lanes) {
      if (lane.tenant != tenant) {
        others.push_back(lane);
        continue;
      }
      its.push_back(lane);
      BELFRY_TRY(next, next_lane(*lane.queue, tenant));
      if (next) others.push_back(*next);
    }
    BELFRY_CHECK(consider(std::move(its)));
    lanes = std::move(others);
  }
  return {};
}

// The next lane of each queue.
Result<std::vector<Lane>> Claim::lanes_after(TenantId tenant) {
  std::vector<Lane> lanes;
  for (const std::string& queue : request_.job_types) {
    BELFRY_TRY(lane, next_lane(queue, tenant));
    if (lane) lanes.push_back(*lane);
  }
  return lanes;
}

Result<std::optional<Lane>> Claim::next_lane(const std::string& queue, TenantId after) {
  std::optional<Lane> lane;
  const auto read = [&](Row& row) {
    lane.emplace(Lane{.queue = &queue});
    row.read(lane->tenant, lane->priority);
  };
  BELFRY_CHECK(session_.db.first(kNextLane, read, queue, after));
  return lane;
}

Status Claim::consider(std::vector<Lane> lanes) {
  Contender contender{.tenant = lanes.front().tenant, .lanes = std::move(lanes)};
  const auto read = [&](Row& row) { row.read(contender.weight, contender.room); };
  BELFRY_CHECK(session_.db.first(kTenantTerms, read, contender.tenant));
  if (contender.room <= 0) return {};
  BELFRY_CHECK(look(contender, kFirstLook));
  if (!contender.seen.empty()) contenders_.push_back(std::move(contender));
  return {};
}

// Two runs of an exclusive job may be candidates together. The better one rules the other out, also
// for the next look, so each look grants something.
Status Claim::take(Contender& contender, std::size_t most) {
  most = std::min({most, left(), static_cast<std::size_t>(contender.room)});
  while (most > 0) {
    if (contender.next == contender.seen.size()) {
      if (contender.seen_all) break;
      BELFRY_CHECK(look(contender, most));
      continue;
    }
    const Candidate& candidate = contender.seen[contender.next++];
    if (has_twin(candidate)) continue;
    BELFRY_CHECK(grant(candidate));
    --most;
    --contender.room;
  }
  return {};
}

Status Claim::look(Contender& contender, std::size_t most) {
  BELFRY_TRY(found, candidates(contender.lanes, most));
  contender.seen_all = found.size() < most;
  contender.seen = std::move(found);
  contender.next = 0;
  return {};
}

// The best `most` of a tenant's lanes: by priority, then by age.
Result<std::vector<Candidate>> Claim::candidates(std::vector<Lane> lanes, std::size_t most) {
  std::vector<Candidate> found;
  while (!lanes.empty() && found.size() < most) {
    const std::int64_t priority = std::ranges::max(lanes, {}, &Lane::priority).priority;
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    const std::size_t wanted = most - found.size();
    for (const Lane& lane : lanes) {
      if (lane.priority != priority) continue;
      BELFRY_CHECK(add_due(lane, wanted, found));
    }
    if (lanes.size() > 1) {
      std::ranges::sort(found.begin() + first, found.end(), {}, &Candidate::due_at);
    }
    if (found.size() > most) found.resize(most);
    if (found.size() < most) BELFRY_CHECK(leave_priority(priority, lanes));
  }
  return found;
}

// Reads due runs of the lane's highest priority, and puts aside those that turn out to be blocked.
Status Claim::add_due(const Lane& lane, std::size_t wanted, std::vector<Candidate>& found) {
  const std::size_t first = found.size();
  std::vector<core::RunRef> blocked;
  const auto add = [&](Row& row) {
    Candidate candidate;
    bool is_blocked = false;
    row.read(candidate.exclusive, is_blocked, candidate.due_at, candidate.run);
    if (is_blocked) {
      blocked.push_back(candidate.run);
    } else {
      found.push_back(candidate);
    }
  };
  do {
    blocked.clear();
    found.resize(first);
    BELFRY_CHECK(session_.db.each(kDueRuns, add, *lane.queue, lane.tenant, lane.priority,
                                  session_.now, wanted));
    for (const core::RunRef& run : blocked) BELFRY_CHECK(block(session_, run));
  } while (blocked.size() + found.size() - first == wanted && !blocked.empty());
  return {};
}

// Moves lanes of this priority on to their next lower one, and drops those that have none.
Status Claim::leave_priority(std::int64_t priority, std::vector<Lane>& lanes) {
  std::vector<Lane> left;
  for (Lane lane : lanes) {
    if (lane.priority == priority) {
      BELFRY_TRY(next, session_.db.value<std::optional<std::int64_t>>(kNextPriority, *lane.queue,
                                                                      lane.tenant, priority));
      if (!next) continue;
      lane.priority = *next;
    }
    left.push_back(lane);
  }
  lanes = std::move(left);
  return {};
}

// Whether another run of the same exclusive job is among the claimed.
bool Claim::has_twin(const Candidate& candidate) const {
  return candidate.exclusive && std::ranges::binary_search(exclusive_jobs_, candidate.run.job);
}

// The taker whose turn it is; grant() is called only while one has room.
const Taker& Claim::next_taker() {
  while (taken_ == request_.takers[taker_].max_runs) {
    ++taker_;
    taken_ = 0;
  }
  ++taken_;
  return request_.takers[taker_];
}

Status Claim::grant(const Candidate& candidate) {
  const Taker& taker = next_taker();
  fence_ = Fence(fence_.value() + 1);
  ClaimedRun run{.taker = taker_, .run = candidate.run, .fence = fence_};
  run.lease_until = session_.now + taker.lease;
  const auto read = [&](Row& row) {
    row.read(run.tenant, run.job_name, run.job_type, run.attempt, run.scheduled_for, run.deadline,
             run.stands_for, run.target, run.payload);
  };
  BELFRY_CHECK(
      session_.db.run(kGrantRun, run.run, run.fence, taker.worker, session_.now, run.lease_until));
  BELFRY_CHECK(session_.db.first(kGrantedRun, read, run.run));
  if (candidate.exclusive) {
    const JobId job = run.run.job;
    exclusive_jobs_.insert(std::ranges::upper_bound(exclusive_jobs_, job), job);
  }
  session_.events.add(run.tenant, RunEvent{run.run, core::RunState::kRunning});
  claimed_.push_back(std::move(run));
  return {};
}

}  // namespace

Result<std::vector<ClaimedRun>> SqliteStore::claim(const ClaimRequest& request) {
  return write([&](const Session& session) { return Claim(session, request).run(); });
}

Result<std::optional<Instant>> SqliteStore::next_due() {
  return read([&](const Session& session) -> Result<std::optional<Instant>> {
    return session.db.value<std::optional<Instant>>(kNextDue, session.now);
  });
}

}  // namespace belfry::store::sqlite

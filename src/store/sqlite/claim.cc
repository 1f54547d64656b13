#include "store/sqlite/claim.h"

#include "store/sqlite/sql.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace belfry::store::sqlite {

namespace {

// Looked at to see whether a tenant has anything at all. Mostly that is all it has.
constexpr std::size_t kFirstLook = 4;

struct Candidate {
  bool exclusive = false;
  Instant due_at;
  Duration timeout{};
  ClaimedRun run;  // as it will be, but for what the grant adds
};

// What waits in a queue for one tenant, as far as it was not looked at yet.
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
  std::int64_t room = 0;  // how many more runs it may have in flight
  bool exhausted = false;
  // Its best runs; all of them when there are fewer than kFirstLook.
  std::vector<Candidate> first_look;
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
  Result<std::vector<Candidate>> next_candidates(Contender& contender, std::size_t most);
  Result<std::vector<Candidate>> candidates(std::vector<Lane> lanes, std::size_t most);
  Status leave_priority(std::int64_t priority, std::vector<Lane>& lanes);
  bool has_twin(const Candidate& candidate) const;
  const Taker& next_taker();
  Status grant(Candidate& candidate);

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
  // What some could not use of their shares goes to those who can.
  for (Contender& contender : contenders_) BELFRY_CHECK(take(contender, left()));
  BELFRY_CHECK(session_.db.run(kKeepLastFence, fence_));
  return std::move(claimed_);
}

// Among the tenants after `after`, up to `last`. Everybody gets at least one run, so there is no
// need to know more contenders than runs to give.
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

// Of each queue the first.
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
  BELFRY_TRY(some, candidates(contender.lanes, kFirstLook));
  if (some.empty()) return {};
  contender.first_look = std::move(some);
  contenders_.push_back(std::move(contender));
  return {};
}

// Two runs of an exclusive job may be candidates together. The better one makes the other no
// candidate any more, so each round grants something.
Status Claim::take(Contender& contender, std::size_t most) {
  most = std::min({most, left(), static_cast<std::size_t>(contender.room)});
  while (most > 0 && !contender.exhausted) {
    BELFRY_TRY(found, next_candidates(contender, most));
    contender.exhausted = found.size() < most;
    for (Candidate& candidate : found) {
      if (has_twin(candidate)) continue;
      BELFRY_CHECK(grant(candidate));
      --most;
      --contender.room;
    }
  }
  return {};
}

// As candidates(), without asking twice for what the first look has shown.
Result<std::vector<Candidate>> Claim::next_candidates(Contender& contender, std::size_t most) {
  std::vector<Candidate> seen = std::exchange(contender.first_look, {});
  const bool suffices = seen.size() >= most || (!seen.empty() && seen.size() < kFirstLook);
  if (!suffices) return candidates(contender.lanes, most);
  if (seen.size() > most) seen.resize(most);
  return seen;
}

// The best `most` of a tenant's lanes: by priority, then by age.
Result<std::vector<Candidate>> Claim::candidates(std::vector<Lane> lanes, std::size_t most) {
  std::vector<Candidate> found;
  const auto add = [&](Row& row) {
    auto& [exclusive, due_at, timeout, run] = found.emplace_back();
    row.read(exclusive, due_at, timeout, run.run, run.tenant, run.job_name, run.job_type);
    row.read(run.attempt, run.scheduled_for, run.stands_for, run.target, run.payload);
  };
  while (!lanes.empty() && found.size() < most) {
    const std::int64_t priority = std::ranges::max(lanes, {}, &Lane::priority).priority;
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    const std::size_t wanted = most - found.size();
    for (const Lane& lane : lanes) {
      if (lane.priority != priority) continue;
      BELFRY_CHECK(session_.db.each(kDueRuns, add, *lane.queue, lane.tenant, priority, session_.now,
                                    wanted));
    }
    if (lanes.size() > 1) {
      std::ranges::sort(found.begin() + first, found.end(), {}, &Candidate::due_at);
    }
    if (found.size() > most) found.resize(most);
    if (found.size() < most) BELFRY_CHECK(leave_priority(priority, lanes));
  }
  return found;
}

// Goes on to what is less urgent, where there is anything.
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
  return candidate.exclusive && std::ranges::binary_search(exclusive_jobs_, candidate.run.run.job);
}

// Whoever comes next; grant() is called at most as often as there is somebody.
const Taker& Claim::next_taker() {
  while (taken_ == request_.takers[taker_].max_runs) {
    ++taker_;
    taken_ = 0;
  }
  ++taken_;
  return request_.takers[taker_];
}

Status Claim::grant(Candidate& candidate) {
  ClaimedRun& run = candidate.run;
  const Taker& taker = next_taker();
  run.taker = taker_;
  fence_ = Fence(fence_.value() + 1);
  run.fence = fence_;
  run.lease_until = session_.now + taker.lease;
  run.deadline = session_.now + candidate.timeout;
  BELFRY_CHECK(session_.db.run(kGrantRun, run.run, run.attempt, run.fence, taker.worker,
                               session_.now, run.lease_until, run.deadline));
  if (candidate.exclusive) {
    const JobId job = run.run.job;
    exclusive_jobs_.insert(std::ranges::upper_bound(exclusive_jobs_, job), job);
  }
  session_.news.add(run.tenant, RunNews{run.run, core::RunState::kRunning});
  claimed_.push_back(std::move(run));
  return {};
}

}  // namespace

Result<std::vector<ClaimedRun>> claim(const Session& session, const ClaimRequest& request) {
  return Claim(session, request).run();
}

}  // namespace belfry::store::sqlite

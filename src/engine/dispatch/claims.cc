#include "engine/dispatch/claims.h"

#include <algorithm>
#include <list>

namespace belfry::engine {

using store::ClaimedRun;
using store::RunGrant;

Result<ClaimId> Claims::claim(Claim claim, Dispatch::OnRuns on_runs) {
  ClaimId id;
  {
    const MutexLock lock(mutex_);
    if (closed_) return fail(Errc::kUnavailable, "this node is stopping; ask another one");
    if (places_.size() >= config_.most_waiting) {
      return fail(Errc::kUnavailable, "too many workers wait at this node; ask another one");
    }
    id = ClaimId(++last_claim_);
    LineKey key{.job_types = {claim.job_types.begin(), claim.job_types.end()},
                .tenant = claim.tenant,
                .region = claim.region};
    Line& line = lines_[std::move(key)];
    places_.emplace(id, &line);
    deadlines_.emplace(claim.until, id);
    line.claims.emplace(id, Waiting{std::move(claim), std::move(on_runs)});
  }
  tell();
  return id;
}

bool Claims::withdraw(ClaimId claim) {
  const MutexLock lock(mutex_);
  const auto place = places_.find(claim);
  if (place == places_.end()) {
    if (reserved_.contains(claim)) gone_.insert(claim);  // it will be called once more
    return false;
  }
  take(*place->second, claim);
  return true;
}

Claims::Waiting Claims::take(Line& line, ClaimId claim) {
  auto node = line.claims.extract(claim);
  places_.erase(claim);
  deadlines_.erase({node.mapped().claim.until, claim});
  return std::move(node.mapped());
}

void Claims::wake() {
  {
    const MutexLock lock(mutex_);
    ++wakes_;
    if (places_.empty()) return;
  }
  tell();
}

void Claims::wake_for_elsewhere() {
  {
    const MutexLock lock(mutex_);
    ++wakes_for_elsewhere_;
  }
  wake();
}

void Claims::wake_at(BootInstant at) {
  const std::int64_t grain = config_.grain.count();
  const BootInstant rounded = BootInstant::from_micros((at.micros() + grain - 1) / grain * grain);
  {
    const MutexLock lock(mutex_);
    if (alarms_.size() >= config_.most_alarms) return;
    const bool is_new = alarms_.insert(rounded).second;
    if (!is_new || alarms_.begin() != alarms_.find(rounded) || places_.empty()) return;
  }
  tell();
}

// When a line should be looked at again. One that got all it asked for may get more.
BootInstant Claims::look_at(const Line& line) const {
  if (line.claims.empty()) return BootInstant::max();
  const bool quiet = line.dry && line.wakes_seen == wakes_;
  return std::max(line.not_before,
                  quiet ? line.looked_at + config_.look_every : BootInstant::min());
}

std::optional<BootInstant> Claims::next_wakeup() const {
  const MutexLock lock(mutex_);
  if (!delivered_.empty()) return BootInstant::min();
  if (places_.empty()) return std::nullopt;
  BootInstant next = deadlines_.begin()->first;
  if (!alarms_.empty()) next = std::min(next, *alarms_.begin());
  for (const auto& [key, line] : lines_) next = std::min(next, look_at(line));
  return next;
}

std::size_t Claims::waiting() const {
  const MutexLock lock(mutex_);
  return places_.size();
}

Result<Claims::Report> Claims::run_once(BootInstant now) {
  Report report;
  Status status;
  hand_over(report);
  for (const auto line : lines_to_serve(now)) {
    if (auto served = serve(line, now, report); !served) status = std::move(served);
  }
  expire(now, report);
  if (const auto wait = live_.until_next_due()) wake_at(now + *wait);
  if (!status) return fail(std::move(status).error());
  return report;
}

// Also forgets empty lines, but not at once: knowing that a line is dry saves a statement for each
// worker that asks again and again.
std::vector<Claims::Lines::iterator> Claims::lines_to_serve(BootInstant now) {
  const MutexLock lock(mutex_);
  const auto past = alarms_.upper_bound(now);
  if (past != alarms_.begin()) ++wakes_;
  alarms_.erase(alarms_.begin(), past);
  std::vector<Lines::iterator> lines;
  for (auto line = lines_.begin(); line != lines_.end();) {
    const bool forgotten =
        line->second.claims.empty() && now >= line->second.looked_at + config_.look_every;
    if (forgotten) {
      line = lines_.erase(line);
      continue;
    }
    if (look_at(line->second) <= now) lines.push_back(line);
    ++line;
  }
  return lines;
}

Claims::Batch Claims::collect(Lines::iterator line, BootInstant now) {
  const MutexLock lock(mutex_);
  const auto& [key, state] = *line;
  Batch batch{.wakes = wakes_, .elsewhere = wakes_for_elsewhere_};
  batch.request.elsewhere =
      state.elsewhere_seen != wakes_for_elsewhere_ || now >= state.visited_at + config_.look_every;
  batch.request.job_types.assign(key.job_types.begin(), key.job_types.end());
  batch.request.tenant = key.tenant;
  batch.request.region = key.region;
  std::size_t left = config_.runs_per_claim;
  for (const auto& [id, waiting] : state.claims) {
    if (left == 0) break;
    const std::size_t most = std::min(std::max<std::size_t>(waiting.claim.max_runs, 1), left);
    left -= most;
    batch.claims.push_back(id);
    batch.request.shares.push_back({.taker = {.worker = waiting.claim.worker,
                                              .lease = waiting.claim.lease,
                                              .holder = waiting.claim.holder,
                                              .region = key.region},
                                    .max_runs = most});
  }
  return batch;
}

Status Claims::serve(Lines::iterator line, BootInstant now, Report& report) {
  const Batch batch = collect(line, now);
  if (batch.claims.empty()) return {};  // all of them cancelled just now
  ++report.claims;
  auto runs = live_.claim(batch.request);
  if (!runs) {
    // If the claim did happen, the live runs find its grants by its number and give them back.
    const MutexLock lock(mutex_);
    line->second.not_before = now + config_.pause_after_error;
    return fail(std::move(runs).error());
  }
  observe(batch, *runs);
  std::vector<RunGrant> orphans;
  for (Answer& answer : hand_out(line, batch, now, std::move(*runs), orphans)) {
    std::vector<RunGrant> grants;
    for (const ClaimedRun& run : answer.runs) grants.push_back({run.run, run.fence});
    if (answer.on_runs(std::move(answer.runs))) {
      report.granted += grants.size();
    } else {
      orphans.insert(orphans.end(), grants.begin(), grants.end());
    }
  }
  give_back(orphans, report);
  return {};
}

// A lease begins with the claim.
void Claims::observe(const Batch& batch, const std::vector<ClaimedRun>& runs) const {
  for (const ClaimedRun& run : runs) {
    observer_.claimed(run, run.lease_until - batch.request.shares[run.taker].taker.lease);
  }
}

// Takes workers that got something out of the line. Runs of a worker that was cancelled while the
// store was asked become orphans.
std::vector<Claims::Answer> Claims::hand_out(Lines::iterator line, const Batch& batch,
                                             BootInstant now, std::vector<ClaimedRun> runs,
                                             std::vector<RunGrant>& orphans) {
  const MutexLock lock(mutex_);
  Line& state = line->second;
  state.dry = runs.size() < batch.request.max_runs();
  state.wakes_seen = batch.wakes;
  state.looked_at = now;
  if (batch.request.elsewhere && state.dry) {
    state.elsewhere_seen = batch.elsewhere;
    state.visited_at = now;
  }
  std::vector<std::vector<ClaimedRun>> shares(batch.claims.size());
  for (ClaimedRun& run : runs) shares[run.taker].push_back(std::move(run));
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].empty()) continue;
    if (state.claims.contains(batch.claims[i])) {
      answers.push_back({take(state, batch.claims[i]).on_runs, std::move(shares[i])});
    } else {
      for (const ClaimedRun& run : shares[i]) orphans.push_back({run.run, run.fence});
    }
  }
  return answers;
}

// Best effort: where it fails, the runs come back when their leases end.
void Claims::give_back(const std::vector<RunGrant>& grants, Report& report) {
  if (grants.empty() || !store_.return_runs(grants)) return;
  report.returned += grants.size();
  std::vector<core::RunRef> runs;
  for (const RunGrant& grant : grants) runs.push_back(grant.run);
  live_.changed(runs);
}

// ---- Runs that are decided into waiting hands ----

struct Claims::Reservations final : Hands::Reservation {
  const std::vector<const store::Taker*>& takers() const override { return of_runs; }

  std::list<Reserved> claims;  // addresses stay
  std::map<core::RunRef, Reserved*> by_run;
  std::vector<const store::Taker*> of_runs;
};

std::unique_ptr<Hands::Reservation> Claims::reserve(std::span<const Run> runs) {
  auto reservations = std::make_unique<Reservations>();
  const MutexLock lock(mutex_);
  std::map<const Line*, bool> has_backlog;
  for (const Run& run : runs) {
    Reserved* reserved = reserve_for(run, *reservations, has_backlog);
    if (reserved != nullptr) reservations->by_run.emplace(run.run, reserved);
    reservations->of_runs.push_back(reserved == nullptr ? nullptr : &reserved->taker);
  }
  return reservations;
}

// The worker that waits longest for such runs, unless others wait for it already.
Claims::Reserved* Claims::reserve_for(const Run& run, Reservations& reservations,
                                      std::map<const Line*, bool>& has_backlog) {
  const auto fits = [&](const LineKey& key) {
    return key.job_types.contains(*run.queue) && (!key.tenant || *key.tenant == run.tenant) &&
           (!run.region || *run.region == key.region);
  };
  for (Reserved& reserved : reservations.claims) {
    if (reserved.room > 0 && fits(reserved.line)) {
      --reserved.room;
      return &reserved;
    }
  }
  Lines::iterator first = lines_.end();
  for (auto line = lines_.begin(); line != lines_.end(); ++line) {
    if (line->second.claims.empty() || !fits(line->first)) continue;
    const auto [known, is_new] = has_backlog.try_emplace(&line->second);
    if (is_new) {
      const LineKey& key = line->first;
      known->second = live_.offers(key.job_types, key.tenant, key.region);
    }
    if (known->second) continue;
    const bool sooner = first == lines_.end() ||
                        line->second.claims.begin()->first < first->second.claims.begin()->first;
    if (sooner) first = line;
  }
  if (first == lines_.end()) return nullptr;
  const ClaimId id = first->second.claims.begin()->first;
  Reserved& reserved = reservations.claims.emplace_back(
      Reserved{.line = first->first, .id = id, .waiting = take(first->second, id)});
  const Claim& claim = reserved.waiting.claim;
  reserved.taker = {
      .worker = claim.worker, .lease = claim.lease, .holder = claim.holder, .region = claim.region};
  reserved.room = std::max<std::size_t>(claim.max_runs, 1) - 1;
  reserved_.insert(id);
  return &reserved;
}

void Claims::deliver(std::unique_ptr<Reservation> reservation, std::vector<ClaimedRun> granted) {
  auto& reservations = static_cast<Reservations&>(*reservation);
  for (ClaimedRun& run : granted) {
    const auto found = reservations.by_run.find(run.run);
    if (found != reservations.by_run.end()) found->second->runs.push_back(std::move(run));
  }
  {
    const MutexLock lock(mutex_);
    for (Reserved& reserved : reservations.claims) {
      const bool gone = gone_.erase(reserved.id) > 0;
      reserved_.erase(reserved.id);
      if (reserved.runs.empty() && !gone) {
        stand_again(std::move(reserved));
      } else {
        delivered_.push_back(std::move(reserved));
      }
    }
  }
  tell();
}

void Claims::stand_again(Reserved reserved) {
  Line& line = lines_[reserved.line];
  places_.emplace(reserved.id, &line);
  deadlines_.emplace(reserved.waiting.claim.until, reserved.id);
  line.claims.emplace(reserved.id, std::move(reserved.waiting));
}

void Claims::hand_over(Report& report) {
  std::vector<Reserved> delivered;
  {
    const MutexLock lock(mutex_);
    delivered.swap(delivered_);
  }
  std::vector<RunGrant> orphans;
  for (Reserved& reserved : delivered) {
    std::vector<RunGrant> grants;
    for (const ClaimedRun& run : reserved.runs) {
      observer_.claimed(run, run.lease_until - reserved.taker.lease);
      grants.push_back({run.run, run.fence});
    }
    if (reserved.waiting.on_runs(std::move(reserved.runs))) {
      report.granted += grants.size();
    } else {
      orphans.insert(orphans.end(), grants.begin(), grants.end());
    }
  }
  give_back(orphans, report);
}

void Claims::expire(BootInstant now, Report& report) {
  std::vector<Waiting> over;
  {
    const MutexLock lock(mutex_);
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
      const ClaimId claim = deadlines_.begin()->second;
      over.push_back(take(*places_.at(claim), claim));
    }
  }
  for (const Waiting& waiting : over) waiting.on_runs({});
  report.expired += over.size();
}

void Claims::close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  Report report;
  expire(BootInstant::max(), report);
}

}  // namespace belfry::engine

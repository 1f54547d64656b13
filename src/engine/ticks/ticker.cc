#include "engine/ticks/ticker.h"

#include "core/misfire.h"

#include <algorithm>
#include <utility>

namespace belfry::engine {
namespace {

void append(store::Decisions& to, store::Decisions from) {
  to.runs.insert(to.runs.end(), from.runs.begin(), from.runs.end());
  to.skips.insert(to.skips.end(), from.skips.begin(), from.skips.end());
}

std::optional<Instant> earlier(std::optional<Instant> one, std::optional<Instant> other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

std::optional<Instant> first_waiting(const store::Decisions& decisions) {
  std::optional<Instant> first;
  for (const auto& run : decisions.runs) first = earlier(first, run.tick.instant());
  for (const auto& skip : decisions.skips) first = earlier(first, skip.last.instant());
  return first;
}

// The first of them, where first_waiting goes by the end of a range.
std::optional<Instant> oldest_tick(const store::Decisions& decisions) {
  std::optional<Instant> first = first_waiting(decisions);
  for (const auto& skip : decisions.skips) first = earlier(first, skip.first.instant());
  return first;
}

}  // namespace

// It may be here already: the lease lapsed and came back before anybody looked. What was undecided
// then still is, until the partition is loaded again.
void Ticker::gain(const store::OwnedPartition& partition) {
  auto& slice = slice_at(partition.partition);
  const auto undecided = slice ? first_undecided() : std::nullopt;
  drop(partition.partition);
  slice = Slice{.owned = partition, .left = undecided};
}

void Ticker::drop(PartitionNo partition) {
  auto& slice = slice_at(partition);
  if (!slice) return;
  unload(*slice);
  slice.reset();
}

void Ticker::drop_all() {
  for (auto& slice : slices_) {
    if (slice) drop(slice->owned.partition);
  }
}

// Whoever asks how late we are is told of it until the partition is loaded again.
void Ticker::leave(Slice& slice, std::optional<Instant> tick) {
  unload(slice);
  slice.left = earlier(slice.left, tick);
}

void Ticker::unload(Slice& slice) {
  slice.left = earlier(slice.left, oldest_tick(slice.waiting));
  if (timetable_) timetable_->drop(slice_of(slice.owned.partition));
  std::erase_if(paused_, [&](const auto& entry) {
    return partition_of(entry.first) == slice.owned.partition;
  });
  std::erase_if(strict_, [&](JobId job) { return partition_of(job) == slice.owned.partition; });
  const auto mended = std::erase_if(broken_, [&](const auto& entry) {
    return partition_of(entry.first) == slice.owned.partition;
  });
  broken_changes_ += mended;
  slice.loaded = false;
  slice.outdated = false;
  slice.decide_to.reset();
  slice.waiting = {};
  slice.ended.clear();
  slice.missed_per_second = 0;
  slice.lines_up = false;
  slice.early_since.reset();
}

Result<Ticker::Report> Ticker::run_once(Instant now) {
  if (!timetable_) timetable_.emplace(now);
  reload_late(now);
  Report report;
  BELFRY_CHECK(catch_up(now));
  collect_due(now);
  BELFRY_CHECK(review(now));
  if (is_line_complete(now)) BELFRY_CHECK(line_up(now));
  BELFRY_CHECK(write(report));
  BELFRY_CHECK(complete());
  return report;
}

// Takes in what is new: a few partitions only, so that a takeover or a bulk registration does not
// hold up the ticks of the others.
Status Ticker::catch_up(Instant now) {
  BELFRY_CHECK(refresh(next_outdated()));
  if (!config_.is_brought) return read_next(now);
  for (const LoadedPartition& loaded : std::exchange(brought_, {})) {
    BELFRY_CHECK(load(loaded, now));
  }
  return {};
}

// Ticks that have become older than the tolerance (the store was away, this process was frozen) are
// no longer simply due: their jobs' misfire policies decide. Loading a partition anew does that.
void Ticker::reload_late(Instant now) {
  const bool stalled = now - timetable_->cursor() > core::kTickTolerance;
  const auto first = stalled ? first_undecided() : std::nullopt;
  for (auto& slice : slices_) {
    if (!slice || !slice->loaded) continue;
    const auto oldest = first_waiting(slice->waiting);
    // What only waits for the database's clock would wait again if it were made anew, up to a now
    // that is as far ahead: for ever, where this process's idea of that clock is.
    const bool waits = slice->early_since && now - *slice->early_since <= core::kTickTolerance;
    const bool late = !slice->lines_up && !waits && oldest && now - *oldest > core::kTickTolerance;
    if (stalled || late) leave(*slice, first);
  }
  if (!stalled) return;
  due_.clear();
  timetable_->pop_due(now, due_);  // nobody is loaded: this only moves the cursor
}

void Ticker::rest(Instant until) {
  const auto next = next_wakeup();
  if (!timetable_ || (next && *next <= until)) return;
  due_.clear();
  timetable_->pop_due(until, due_);  // nothing is: this only moves the cursor
}

void Ticker::forget_job(Slice& slice, JobId job) {
  timetable_->remove(slice_of(slice.owned.partition), job);
  paused_.erase(job);
  strict_.erase(job);
  broken_changes_ += broken_.erase(job);
  std::erase_if(slice.waiting.runs, [&](const auto& run) { return run.job == job; });
  std::erase_if(slice.waiting.skips, [&](const auto& skip) { return skip.job == job; });
  std::erase(slice.ended, job);
}

// In turn: where jobs change all the time, the first partitions must not keep the last
// ones waiting.
std::vector<Ticker::Slice*> Ticker::next_outdated() {
  std::vector<Slice*> outdated;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    auto& slice = slices_[(refresh_from_ + i) % slices_.size()];
    if (!slice || !slice->loaded || !slice->outdated) continue;
    outdated.push_back(&*slice);
    if (outdated.size() < config_.refreshes_per_round) continue;
    refresh_from_ = (refresh_from_ + i + 1) % slices_.size();
    break;
  }
  return outdated;
}

Status Ticker::refresh(const std::vector<Slice*>& outdated) {
  if (outdated.empty()) return {};
  std::vector<store::KnownJobs> known;
  for (const Slice* slice : outdated) {
    known.push_back({slice->owned.partition, slice->owned.version});
  }
  BELFRY_TRY(changes, reader_.read_changes(known));
  for (std::size_t i = 0; i < outdated.size(); ++i) {
    BELFRY_CHECK(take_changes(*outdated[i], changes[i]));
  }
  return {};
}

// Takes in the changed jobs; each change settled the ticks under the old definition itself.
Status Ticker::take_changes(Slice& slice, const std::optional<LoadedPartition>& changes) {
  if (!changes) {  // too long ago: the next round loads it whole
    unload(slice);
    return {};
  }
  for (const auto& job : changes->newcomers) forget_job(slice, job.id);
  for (const auto& job : changes->once) forget_job(slice, job.id);
  for (const store::JobRow& job : changes->whole) forget_job(slice, job.id);
  for (const JobId job : changes->gone) forget_job(slice, job);
  slice.owned.version = changes->version;
  slice.outdated = false;
  return add_singly(slice, *changes, timetable_->cursor());
}

void Ticker::note(const store::OwnedPartition& partition) {
  auto& slice = slice_at(partition.partition);
  if (!slice || slice->owned.epoch != partition.epoch) return;
  if (slice->loaded && slice->owned.version != partition.version) slice->outdated = true;
}

void Ticker::hint(PartitionNo partition) {
  auto& slice = slice_at(partition);
  if (slice && slice->owned.partition == partition && slice->loaded) slice->outdated = true;
}

void Ticker::collect_due(Instant now) {
  due_.clear();
  timetable_->pop_due(now, due_);
  for (auto& slice : slices_) {
    if (!slice || !slice->loaded) continue;
    const auto& ticks = due_.of(slice_of(slice->owned.partition));
    for (const core::DueTick& due : ticks) add_due(*slice, due);
    // Never back: after the database's clock was set back, the cursor of before holds.
    if (!ticks.empty() && timetable_->cursor() > slice->owned.decided_through) {
      slice->decide_to = timetable_->cursor();
    }
    const auto& ended = due_.ended(slice_of(slice->owned.partition));
    slice->ended.insert(slice->ended.end(), ended.begin(), ended.end());
  }
}

void Ticker::add_due(Slice& slice, const core::DueTick& due) {
  if (due.tick.instant() <= slice.owned.decided_through) return;
  const auto found = paused_.find(due.job);
  const Instant paused = found == paused_.end() ? Instant::min() : found->second;
  auto reason = core::skip_on_time(due.tick, due.exclusion, paused);
  if (!reason && due.tick.instant() <= lost_through_) reason = core::SkipReason::kCommitsLost;
  if (reason) {
    slice.waiting.skips.push_back({due.job, due.tick, due.tick, 1, *reason});
  } else {
    const core::RunTick run =
        core::run_of({due.tick, due.exclusion, due.delay}, timetable_->cursor());
    slice.waiting.runs.push_back(
        {.job = due.job, .tick = run.tick, .due = run.due, .delayed = run.delayed});
  }
}

Status Ticker::write(Report& report) {
  std::vector<Slice*> batch;
  std::size_t runs = 0;
  for (auto& slice : slices_) {
    if (!slice || !slice->loaded || !slice->decide_to || slice->lines_up) continue;
    batch.push_back(&*slice);
    runs += slice->waiting.runs.size();
    if (runs < config_.runs_per_decision) continue;
    BELFRY_CHECK(write_batch(batch, report));
    batch.clear();
    runs = 0;
  }
  return batch.empty() ? Status() : write_batch(batch, report);
}

Status Ticker::write_batch(const std::vector<Slice*>& batch, Report& report) {
  // A partition whose jobs change all the time is tried a few times now and again next round.
  constexpr int kTries = 4;
  std::vector<Slice*> rest = batch;
  for (int i = 0; i < kTries && !rest.empty(); ++i) {
    std::vector<store::PartitionDecision> decisions;
    for (const Slice* slice : rest) {
      decisions.push_back({.partition = slice->owned.partition,
                           .epoch = slice->owned.epoch,
                           .version = slice->owned.version,
                           .from = slice->owned.decided_through,
                           .to = *slice->decide_to,
                           .decisions = slice->waiting});
    }
    auto reservation = reserve_hands(decisions);
    observer_.deciding();
    auto decided = store_.decide(node_, decisions);
    if (!decided) {
      doubt(decisions);
      if (reservation) hands_.deliver(std::move(reservation), {});
      return fail(std::move(decided).error());
    }
    store::DecideResult& result = *decided;
    if (reservation) hands_.deliver(std::move(reservation), std::move(result.granted));
    live_.decided(result.runs);
    observer_.made(result.runs, result.decided_at);
    if (!result.told.empty()) live_.changed(result.told);
    for (const core::LiveRun& run : result.runs) queues_.learn(run);
    report.runs += result.runs.size();
    report.overlaps += result.overlaps;
    report.decided_at = result.decided_at;
    if (!report.spare) report.spare = result.spare;
    store::Decisions written;
    for (std::size_t k = 0; k < rest.size(); ++k) {
      const bool is_decided = result.partitions[k].outcome == store::DecideOutcome::kDecided;
      if (is_decided) report.skips += rest[k]->waiting.skips.size();
      settle(*rest[k], result.partitions[k], written);
    }
    observer_.decided(written, result.overlaps, result.decided_at);
    std::vector<Slice*> outdated;
    std::vector<Slice*> again;
    for (const store::PartitionOutcome& outcome : result.partitions) {
      auto& slice = slice_at(outcome.partition);
      if (!slice || !slice->loaded) continue;
      if (slice->outdated) outdated.push_back(&*slice);
      if (outcome.outcome != store::DecideOutcome::kEarly) again.push_back(&*slice);
    }
    BELFRY_CHECK(refresh(outdated));
    std::erase_if(again, [](const Slice* slice) { return !slice->loaded || !slice->decide_to; });
    rest = std::move(again);
  }
  return {};
}

// Workers that wait for the runs that are about to be decided; null if there are none.
std::unique_ptr<Hands::Reservation> Ticker::reserve_hands(
    std::vector<store::PartitionDecision>& decisions) {
  std::vector<Hands::Run> runs;
  std::vector<store::RunDecision*> asked;
  for (store::PartitionDecision& decision : decisions) {
    for (store::RunDecision& run : decision.decisions.runs) {
      const JobQueues::Known* known = run.due ? nullptr : queues_.find(run.job);
      if (known == nullptr) continue;
      runs.push_back(
          {{run.job, core::run_key_of(run.tick)}, known->queue, known->tenant, known->region});
      asked.push_back(&run);
    }
  }
  if (runs.empty()) return nullptr;
  auto reservation = hands_.reserve(runs);
  const std::uint64_t claim = live_.draw_claim();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    asked[i]->taker = reservation->takers()[i];
    asked[i]->queue = runs[i].queue;
    asked[i]->claim = claim;
  }
  return reservation;
}

// The decision may have been written, and the next call will not tell which runs it made. What it
// granted is taken back, also if we no longer own the partition by then.
void Ticker::doubt(std::span<const store::PartitionDecision> decisions) {
  std::set<core::RunRef> granted;
  std::uint64_t claim = 0;
  for (const store::PartitionDecision& decision : decisions) {
    live_.doubt(decision.partition);
    for (const store::RunDecision& run : decision.decisions.runs) {
      if (run.taker == nullptr) continue;
      granted.insert({run.job, core::run_key_of(run.tick)});
      claim = run.claim;
    }
  }
  if (!granted.empty()) live_.doubt_claim(claim, std::move(granted));
}

// Acts on the store's answer.
void Ticker::settle(Slice& slice, const store::PartitionOutcome& outcome,
                    store::Decisions& written_fates) {
  if (outcome.outcome == store::DecideOutcome::kDeposed) {
    log_.info("partition_lost",
              {{"partition", slice.owned.partition.value()}, {"epoch", slice.owned.epoch.value()}});
    return drop(slice.owned.partition);
  }
  // Under our epoch only we move the cursor. If it is where we wanted it, our decision is written,
  // even if the reply to an earlier try was lost and jobs have changed since.
  const bool written = outcome.decided_through == *slice.decide_to;
  if (written) {
    append(written_fates, std::move(slice.waiting));
    slice.owned.decided_through = outcome.decided_through;
    slice.decide_to.reset();
    slice.waiting = {};
    slice.early_since.reset();
  }
  if (outcome.outcome == store::DecideOutcome::kEarly) {  // our clock runs ahead
    if (!slice.early_since) slice.early_since = slice.decide_to;
  }
  if (outcome.outcome != store::DecideOutcome::kOutdated) return;
  // If the cursor is not where we left it, start over from what the store says.
  if (!written && outcome.decided_through != slice.owned.decided_through) return unload(slice);
  slice.outdated = true;
}

// Completes jobs without a tick left, once the fates of all their ticks are written. If this is
// lost, the next load of the partition finds them again.
Status Ticker::complete() {
  std::vector<store::EndedJobs> asked;
  std::size_t room = config_.completions_per_round;
  for (auto& slice : slices_) {
    if (!slice || !slice->loaded || slice->outdated || slice->decide_to) continue;
    const std::size_t count = std::min(room, slice->ended.size());
    if (count == 0) continue;
    const auto end = slice->ended.begin() + static_cast<std::ptrdiff_t>(count);
    asked.push_back({.partition = slice->owned.partition,
                     .epoch = slice->owned.epoch,
                     .version = slice->owned.version,
                     .jobs = {slice->ended.begin(), end}});
    room -= count;
  }
  if (asked.empty()) return {};
  BELFRY_TRY(outcomes, store_.complete_jobs(node_, asked));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    Slice& slice = *slice_at(asked[i].partition);
    if (outcomes[i] == store::DecideOutcome::kDeposed) {
      drop(asked[i].partition);
    } else if (outcomes[i] == store::DecideOutcome::kOutdated) {
      slice.outdated = true;
    } else {
      const auto count = static_cast<std::ptrdiff_t>(asked[i].jobs.size());
      slice.ended.erase(slice.ended.begin(), slice.ended.begin() + count);
    }
  }
  return {};
}

std::optional<Instant> Ticker::next_wakeup() const {
  if (!timetable_ || !brought_.empty()) return Instant::min();
  for (const auto& slice : slices_) {
    if (!slice) continue;
    if (!slice->loaded && config_.is_brought) continue;  // whoever brings it wakes us
    if (slice->lines_up) continue;
    if (!slice->loaded || slice->outdated || slice->decide_to) return Instant::min();
    if (!slice->ended.empty()) return Instant::min();
  }
  const auto next = timetable_->next_wakeup();
  if (!lines_up_since_) return next;
  const Instant line = *lines_up_since_ + kLongestLiningUp;
  return next ? std::min(*next, line) : line;
}

std::optional<Instant> Ticker::first_undecided() const {
  std::optional<Instant> first = timetable_ ? timetable_->next_wakeup() : std::nullopt;
  for (const auto& slice : slices_) {
    if (slice) first = earlier(first, earlier(slice->left, oldest_tick(slice->waiting)));
  }
  return first;
}

Ticker::Slices Ticker::known() const {
  Slices known;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    known[i] = slices_[i] && slices_[i]->loaded && !slices_[i]->outdated;
  }
  return known;
}

std::vector<store::BrokenSchedule> Ticker::broken() const {
  std::vector<store::BrokenSchedule> broken;
  for (const auto& [job, reason] : broken_) broken.push_back({job, reason});
  return broken;
}

std::size_t Ticker::partitions() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(slices_, [](const auto& slice) { return slice.has_value(); }));
}

}  // namespace belfry::engine

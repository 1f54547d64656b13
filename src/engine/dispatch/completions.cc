#include "engine/dispatch/completions.h"

#include "core/error_code.h"
#include "core/retry.h"
#include "core/spelling.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace belfry::engine {
namespace {

using store::AttemptEnd;
using store::AttemptFacts;
using store::RunGrant;

Error busy() {
  return {.code = Errc::kUnavailable, .message = "too many reports wait at this node; try another"};
}
Error stopping() {
  return {.code = Errc::kUnavailable, .message = "this node is stopping; try another one"};
}

// A success ends the run, whatever its facts are.
bool needs_facts(const Completion& completion) {
  return completion.outcome != core::AttemptOutcome::kSucceeded;
}

core::DeadReason reason_of(const Completion& completion, core::DeadReason decided) {
  const bool unknown = decided == core::DeadReason::kPermanent &&
                       core::error_code(completion.error) == "unknown_handler";
  return unknown ? core::DeadReason::kUnknownHandler : decided;
}

AttemptEnd end_of(const Completion& completion, const AttemptFacts& facts, Rng& rng) {
  const core::EndDecision decision = core::decide_end({.outcome = completion.outcome,
                                                       .retryable = completion.retryable,
                                                       .cancel_requested = facts.cancel_requested,
                                                       .attempt = facts.attempt.value(),
                                                       .max_attempts = facts.max_attempts,
                                                       .retry_base = facts.retry_base,
                                                       .retry_cap = facts.retry_cap,
                                                       .retry_after = completion.retry_after},
                                                      rng);
  return {.grant = completion.grant,
          .outcome = completion.outcome,
          .next = decision.next,
          .wait = decision.wait,
          .result = completion.result,
          .error = completion.error,
          .reason = reason_of(completion, decision.reason)};
}

// Its result is lost, but not that there was one.
store::LateReport late_report(const Completion& completion) {
  constexpr std::size_t kLongest = 500;
  std::string said = "its worker reported ";
  said += core::word_for(completion.outcome, core::kAttemptOutcomes);
  if (!completion.error.empty()) said += " (" + completion.error.substr(0, kLongest) + ")";
  return {completion.grant, said + " when it was too late"};
}

}  // namespace

void Completions::complete(std::vector<Completion> completions,
                           Dispatch::OnCompleted on_completed) {
  const std::size_t count = completions.size();
  std::optional<Error> refusal;
  {
    const MutexLock lock(mutex_);
    if (closed_) refusal = stopping();
    if (waiting_ + count > config_.most_waiting) refusal = busy();
    if (!refusal && count > 0) {
      waiting_ += count;
      auto call = std::make_shared<Call>();
      call->answers.resize(count);
      call->open = count;
      call->on_completed = std::move(on_completed);
      for (std::size_t i = 0; i < count; ++i) {
        inbox_.push_back({.call = call, .index = i, .completion = std::move(completions[i])});
      }
    }
  }
  if (refusal) return on_completed({count, fail(*refusal)});
  if (count == 0) return on_completed({});
  tell();
}

void Completions::heartbeat(std::vector<RunGrant> grants, Duration lease,
                            Dispatch::OnHeartbeat on_heartbeat) {
  std::optional<Error> refusal;
  {
    const MutexLock lock(mutex_);
    if (closed_) refusal = stopping();
    if (beats_.size() >= config_.most_waiting) refusal = busy();
    if (!refusal) beats_.push_back({std::move(grants), lease, std::move(on_heartbeat)});
  }
  if (refusal) return on_heartbeat(fail(*std::move(refusal)));
  tell();
}

void Completions::give_back(std::vector<RunGrant> grants, Duration wait) {
  {
    const MutexLock lock(mutex_);
    if (closed_ || returning_ + grants.size() > config_.most_waiting) return;
    returning_ += grants.size();
    std::vector<RunGrant>& waiting = returns_[wait];
    waiting.insert(waiting.end(), grants.begin(), grants.end());
  }
  tell();
}

std::optional<BootInstant> Completions::next_wakeup() const {
  const MutexLock lock(mutex_);
  if (!beats_.empty() || !returns_.empty()) return BootInstant::min();
  if (waiting_ > 0) return not_before_;
  return std::nullopt;
}

Result<Completions::Report> Completions::run_once(BootInstant now) {
  Report report;
  Status status = beat(take_in(now));
  if (auto returned = take_back(); !returned) status = std::move(returned);
  if (auto ended = end_next(now, report); !ended) status = std::move(ended);
  if (!status) return fail(std::move(status).error());
  return report;
}

std::vector<Completions::Heartbeat> Completions::take_in(BootInstant now) {
  const MutexLock lock(mutex_);
  for (Item& item : inbox_) {
    item.give_up_at = now + config_.patience;
    items_.push_back(std::move(item));
  }
  inbox_.clear();
  return std::exchange(beats_, {});
}

// Workers repeat heartbeats themselves, so a failure is passed on.
Status Completions::beat(std::vector<Heartbeat> beats) {
  std::map<Duration, std::vector<Heartbeat*>> by_lease;
  for (Heartbeat& beat : beats) by_lease[beat.lease].push_back(&beat);
  Status status;
  for (const auto& [lease, group] : by_lease) {
    std::vector<RunGrant> grants;
    for (const Heartbeat* beat : group) {
      grants.insert(grants.end(), beat->grants.begin(), beat->grants.end());
    }
    const auto answers = store_.heartbeat(grants, lease);
    if (!answers) status = fail(answers.error());
    std::ptrdiff_t done = 0;
    for (const Heartbeat* beat : group) {
      if (!answers) {
        beat->on_heartbeat(fail(answers.error()));
        continue;
      }
      const auto from = answers->begin() + done;
      done += std::ssize(beat->grants);
      beat->on_heartbeat(std::vector(from, answers->begin() + done));
    }
  }
  return status;
}

// Not tried again: what is not given back now comes back when its lease ends.
Status Completions::take_back() {
  Returns returns;
  {
    const MutexLock lock(mutex_);
    returns.swap(returns_);
    returning_ = 0;
  }
  Status status;
  for (const auto& [wait, grants] : returns) {
    if (auto returned = store_.return_runs(grants, wait); !returned) status = std::move(returned);
    std::vector<core::RunRef> runs;
    for (const RunGrant& grant : grants) runs.push_back(grant.run);
    live_.changed(runs);
  }
  return status;
}

// Ends one batch from the front; what is still open afterwards goes back there.
Status Completions::end_next(BootInstant now, Report& report) {
  {
    const MutexLock lock(mutex_);
    if (items_.empty() || now < not_before_) return {};
  }
  const auto count =
      static_cast<std::ptrdiff_t>(std::min(items_.size(), config_.ends_per_statement));
  std::vector<Item> batch(std::make_move_iterator(items_.begin()),
                          std::make_move_iterator(items_.begin() + count));
  items_.erase(items_.begin(), items_.begin() + count);
  Status status = end(batch, report);
  for (Item& item : batch) {
    if (!item.answered && item.give_up_at <= now) give_up(item);
  }
  std::erase_if(batch, [](const Item& item) { return item.answered; });
  const MutexLock lock(mutex_);
  waiting_ -= static_cast<std::size_t>(count) - batch.size();
  not_before_ = status ? BootInstant::min() : now + config_.pause_after_error;
  items_.insert(items_.begin(), std::make_move_iterator(batch.begin()),
                std::make_move_iterator(batch.end()));
  return status;
}

// A report that the store cannot take (a result that is not JSON, say) must not hold up the others:
// halving the batch finds it.
Status Completions::end(std::span<Item> items, Report& report) {
  Status status = end_once(items, report);
  if (status) return status;
  const Errc code = status.error().code;
  if (code == Errc::kUnavailable || code == Errc::kUnknownOutcome) return status;
  if (items.size() == 1) {
    answer(items.front(), fail(std::move(status).error()));
    return {};
  }
  const std::size_t half = items.size() / 2;
  BELFRY_CHECK(end(items.first(half), report));
  return end(items.subspan(half), report);
}

Status Completions::end_once(std::span<Item> items, Report& report) {
  BELFRY_TRY(decided, decide(items));
  std::vector<AttemptEnd> ends;
  std::vector<Item*> askers;
  std::vector<Item*> refused;
  for (std::size_t i = 0; i < items.size(); ++i) {
    (decided[i] ? askers : refused).push_back(&items[i]);
    if (decided[i]) ends.push_back(*std::move(decided[i]));
  }
  const auto applied = store_.end_attempts(ends);
  if (!applied) {
    const bool unknown = applied.error().code == Errc::kUnknownOutcome;
    for (Item* item : askers) item->doubtful = item->doubtful || unknown;
    return fail(applied.error());
  }
  std::vector<RunGrant> ended;
  std::vector<core::RunRef> retrying;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!(*applied)[i]) {
      refused.push_back(askers[i]);
      continue;
    }
    ++report.ended;
    observer_.ended(ends[i]);
    ended.push_back(ends[i].grant);
    if (ends[i].next == core::RunState::kRetrying) retrying.push_back(ends[i].grant.run);
    answer(*askers[i], CompletionAnswer::kOk);
  }
  live_.ended(ended);
  live_.changed(retrying);
  return explain(refused, report);
}

// What becomes of each; none where the grant does not hold any more.
Result<std::vector<std::optional<AttemptEnd>>> Completions::decide(std::span<Item> items) {
  std::vector<RunGrant> failed;
  for (const Item& item : items) {
    if (needs_facts(item.completion)) failed.push_back(item.completion.grant);
  }
  std::map<RunGrant, AttemptFacts> facts;
  if (!failed.empty()) {
    BELFRY_TRY(found, store_.facts_of(failed));
    for (const AttemptFacts& fact : found) facts.emplace(fact.grant, fact);
  }
  std::vector<std::optional<AttemptEnd>> ends;
  for (const Item& item : items) {
    const auto known = facts.find(item.completion.grant);
    if (!needs_facts(item.completion)) {
      ends.emplace_back(end_of(item.completion, {}, rng_));
    } else if (known != facts.end()) {
      ends.emplace_back(end_of(item.completion, known->second, rng_));
    } else {
      ends.emplace_back();
    }
  }
  return ends;
}

// Tells stale reports from those that an earlier report has written already.
Status Completions::explain(const std::vector<Item*>& refused, Report& report) {
  if (refused.empty()) return {};
  std::vector<RunGrant> grants;
  for (const Item* item : refused) grants.push_back(item->completion.grant);
  BELFRY_TRY(outcomes, store_.outcomes_of(grants));
  const auto is_written = [&](std::size_t i) {
    return outcomes[i] == refused[i]->completion.outcome;
  };
  std::vector<store::LateReport> late;
  for (std::size_t i = 0; i < refused.size(); ++i) {
    if (!is_written(i)) late.push_back(late_report(refused[i]->completion));
  }
  // Before the answers, so that whoever hears FENCED finds it in the history. It is for people:
  // the answers do not wait for a store that fails here.
  Status noted = late.empty() ? Status() : store_.note_late(late);
  report.fenced += late.size();
  for (std::size_t i = 0; i < refused.size(); ++i) {
    answer(*refused[i], is_written(i) ? CompletionAnswer::kOk : CompletionAnswer::kFenced);
  }
  return noted;
}

void Completions::answer(Item& item, Result<CompletionAnswer> answer) {
  item.answered = true;
  Call& call = *item.call;
  call.answers[item.index] = std::move(answer);
  if (--call.open == 0) call.on_completed(std::move(call.answers));
}

void Completions::give_up(Item& item) {
  if (item.doubtful) {
    answer(item, fail(Errc::kUnknownOutcome, "the store's reply was lost; report the same again"));
  } else {
    answer(item, fail(Errc::kUnavailable, "the store does not answer; report the same again"));
  }
}

void Completions::close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  for (const Heartbeat& beat : take_in(BootInstant::min())) beat.on_heartbeat(fail(stopping()));
  for (Item& item : items_) give_up(item);
  items_.clear();
}

}  // namespace belfry::engine

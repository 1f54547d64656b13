#include "deliver/courier.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace belfry::deliver {
namespace {

constexpr Duration kLook = std::chrono::milliseconds(200);  // for what rings no bell
constexpr Duration kIdle = std::chrono::seconds(1);  // with nothing in hand, and its turn awaited
// Reports of a moment go together: each statement has its price, and the calls that are still to be
// made want the processor more.
constexpr Duration kTogether = std::chrono::milliseconds(5);

}  // namespace

struct Courier::Shared : std::enable_shared_from_this<Courier::Shared> {
  Shared(CourierConfig wanted, RunSource& its_source, Carrier& its_carrier, const Clock& its_clock,
         Logger& its_log)
      : config(std::move(wanted)),
        source(its_source),
        carrier(its_carrier),
        clock(its_clock),
        log(its_log) {}

  struct Held {
    BootInstant give_up_at;
    BootInstant taken_at;
    std::optional<Outcome> outcome = {};  // the carrier is done; this is still to be reported
    bool telling = false;
    BootInstant tell_at = BootInstant::min();
    std::optional<Delivery> late = {};  // not begun before a heartbeat says that it is still ours

    bool is_over() const { return outcome.has_value(); }
    // Most are over in a moment, and a beat for those would only hold up the reports.
    bool may_beat(BootInstant now) const { return late || taken_at + kLook <= now; }
    bool is_handed_over() const { return is_over() && outcome->ending == Ending::kHandedOver; }
  };

  const CourierConfig config;
  RunSource& source;
  Carrier& carrier;
  const Clock& clock;
  Logger& log;

  mutable Mutex mutex;
  Condition bell;
  bool rung BELFRY_GUARDED_BY(mutex) = false;
  bool has_ends BELFRY_GUARDED_BY(mutex) = false;  // that the loop is to report
  bool stopping BELFRY_GUARDED_BY(mutex) = false;
  bool gone BELFRY_GUARDED_BY(mutex) = false;  // carrier and source must not be touched any more
  bool asking BELFRY_GUARDED_BY(mutex) = false;
  bool beating BELFRY_GUARDED_BY(mutex) = false;
  BootInstant stop_by BELFRY_GUARDED_BY(mutex) = BootInstant::min();
  BootInstant ask_not_before BELFRY_GUARDED_BY(mutex) = BootInstant::min();
  BootInstant beat_at BELFRY_GUARDED_BY(mutex) = BootInstant::min();
  std::map<RunGrant, Held> held BELFRY_GUARDED_BY(mutex);

  void ring() {
    {
      const MutexLock lock(mutex);
      rung = true;
    }
    bell.notify_all();
  }

  // ---- What comes from outside ----

  bool is_late(BootInstant granted) const {
    return granted != BootInstant::max() && clock.boot_now() - granted > config.sure_for;
  }

  void take(std::vector<Delivery> deliveries) {
    std::vector<RunGrant> unwanted;
    std::vector<Delivery> begun;
    {
      const MutexLock lock(mutex);
      asking = false;
      if (gone) {  // the leases will end by themselves
        if (!deliveries.empty()) log.warn("runs_left", {{"runs", deliveries.size()}});
        return;
      }
      for (Delivery& delivery : deliveries) {
        if (stopping) {
          unwanted.push_back(delivery.grant);
          continue;
        }
        Held& entry = held[delivery.grant] = {.give_up_at = delivery.give_up_at,
                                              .taken_at = clock.boot_now()};
        if (is_late(delivery.granted)) {
          log.warn("late_claim", {{"run", delivery.run_id}});
          entry.late = std::move(delivery);
          beat_at = BootInstant::min();
        } else {
          begun.push_back(std::move(delivery));
        }
      }
    }
    if (!unwanted.empty()) source.give_back(std::move(unwanted), {});
    for (Delivery& delivery : begun) begin(std::move(delivery));
    ring();
  }

  void begin(Delivery delivery) {
    const RunGrant grant = delivery.grant;
    carrier.start(std::move(delivery), [self = shared_from_this(), grant](Outcome outcome) {
      self->finish(grant, std::move(outcome));
    });
  }

  // The carrier is done with a run.
  void finish(const RunGrant& grant, Outcome outcome) {
    const Duration wait = outcome.wait;
    const bool put_off = outcome.ending == Ending::kPutOff;
    bool is_stopping = false;
    {
      const MutexLock lock(mutex);
      const auto found = held.find(grant);
      if (gone || found == held.end() || found->second.is_over()) return;
      is_stopping = stopping;
      if (put_off) {
        held.erase(found);
      } else {
        found->second.outcome = std::move(outcome);
        if (!is_stopping && std::exchange(has_ends, true)) return;  // the loop knows of others
      }
    }
    if (put_off) source.give_back({grant}, wait);
    if (!put_off && is_stopping) return tell(grant);  // the loop is over
    ring();
  }

  // ---- Ends ----

  // Reports to the store how it ended. A report that is not heard is repeated a little later.
  void tell(const RunGrant& grant) {
    Outcome outcome;
    BootInstant give_up_at;
    {
      const MutexLock lock(mutex);
      const auto found = held.find(grant);
      if (gone || found == held.end() || std::exchange(found->second.telling, true)) return;
      outcome = *found->second.outcome;
      give_up_at = found->second.give_up_at;
    }
    if (outcome.ending != Ending::kHandedOver) {
      return source.complete(
          grant, std::move(outcome),
          [self = shared_from_this(), grant](bool heard) { self->told(grant, heard); });
    }
    // A lease as long as the attempt may take: nobody has to be there to prolong it.
    const Duration left = std::max(give_up_at - clock.boot_now(), config.lease);
    source.heartbeat(
        {grant}, left,
        [self = shared_from_this(), grant](const Result<std::vector<HeartbeatAnswer>>& answers) {
          self->told(grant, answers.has_value());
        });
  }

  void told(const RunGrant& grant, bool heard) {
    {
      const MutexLock lock(mutex);
      const auto found = held.find(grant);
      if (found == held.end()) return;
      const BootInstant now = clock.boot_now();
      // The attempt's time and a lease more are over: the store has ended it by itself.
      const bool useless = now >= found->second.give_up_at + config.lease;
      if (!heard && useless) log.warn("end_not_told", {{"fence", grant.fence.value()}});
      found->second.telling = false;
      found->second.tell_at = now + config.pause_after_error;
      if (heard || useless) held.erase(found);
    }
    if (heard) ring();
  }

  void tell_again(BootInstant now) {
    std::vector<RunGrant> untold;
    {
      const MutexLock lock(mutex);
      for (const auto& [grant, entry] : held) {
        if (entry.is_over() && !entry.telling && entry.tell_at <= now) untold.push_back(grant);
      }
    }
    for (const RunGrant& grant : untold) tell(grant);
  }

  // Waits a moment; false when there is nothing left to wait for, or no time.
  bool wait_for_ends() {
    const MutexLock lock(mutex);
    if (held.empty() || clock.boot_now() >= stop_by) return false;
    bell.wait_for(mutex, kLook);
    return true;
  }

  // ---- Leases ----

  void hear(const std::vector<RunGrant>& grants, BootInstant sent,
            const Result<std::vector<HeartbeatAnswer>>& answers) {
    std::vector<std::pair<RunGrant, HeartbeatAnswer>> ended;
    std::vector<Delivery> begun;
    {
      const MutexLock lock(mutex);
      beating = false;
      if (!answers) beat_at = clock.boot_now() + config.pause_after_error;
      for (std::size_t i = 0; answers && i < grants.size(); ++i) {
        const auto found = held.find(grants[i]);
        if (gone || found == held.end() || found->second.is_over()) continue;
        if ((*answers)[i] == HeartbeatAnswer::kExtended) {
          if (!found->second.late) continue;
          if (is_late(sent)) {  // the answer took too long as well
            beat_at = BootInstant::min();
          } else {
            begun.push_back(*std::exchange(found->second.late, std::nullopt));
          }
          continue;
        }
        ended.emplace_back(grants[i], (*answers)[i]);
        if ((*answers)[i] == HeartbeatAnswer::kCancel) {
          found->second.outcome = {.ending = Ending::kCancelled, .error = "cancelled: on request"};
        } else {
          held.erase(found);
        }
      }
    }
    for (const auto& [grant, answer] : ended) {
      carrier.drop(grant);
      if (answer == HeartbeatAnswer::kCancel) tell(grant);
    }
    for (Delivery& delivery : begun) begin(std::move(delivery));
    ring();
  }

  // Drops runs whose attempts are out of time. The store ends those; nobody waits for them here.
  void drop_overdue(BootInstant now) {
    std::vector<RunGrant> overdue;
    {
      const MutexLock lock(mutex);
      for (const auto& [grant, entry] : held) {
        if (!entry.is_over() && entry.give_up_at <= now) overdue.push_back(grant);
      }
      for (const RunGrant& grant : overdue) held.erase(grant);
    }
    for (const RunGrant& grant : overdue) carrier.drop(grant);
  }
};

Courier::Courier(CourierConfig config, RunSource& source, Carrier& carrier, const Clock& clock,
                 Logger& log)
    : shared_(std::make_shared<Shared>(std::move(config), source, carrier, clock, log)) {}

void Courier::start() {
  thread_ = std::thread([this] { loop(); });
}

void Courier::loop() {
  Shared& shared = *shared_;
  for (;;) {
    {
      const MutexLock lock(shared.mutex);
      const bool idle = shared.held.empty() && shared.asking;
      if (!shared.rung && !shared.stopping)
        shared.bell.wait_for(shared.mutex, idle ? kIdle : kLook);
      if (shared.has_ends && !shared.stopping) shared.bell.wait_for(shared.mutex, kTogether);
      if (shared.stopping) return;
      shared.rung = false;
      shared.has_ends = false;
    }
    const BootInstant now = shared.clock.boot_now();
    shared.drop_overdue(now);
    shared.tell_again(now);
    ask_if_useful();
    beat_if_due(now);
  }
}

void Courier::ask_if_useful() {
  Shared& shared = *shared_;
  if (!shared.carrier.ready()) return;
  std::size_t most = 0;
  {
    const MutexLock lock(shared.mutex);
    if (shared.asking || shared.held.size() >= shared.config.most_at_once) return;
    if (shared.clock.boot_now() < shared.ask_not_before) return;
    most = std::min(shared.config.most_at_once - shared.held.size(), shared.config.most_per_ask);
    shared.asking = true;
  }
  const Status asked = shared.source.claim(
      shared.config.queue, most, shared.config.lease,
      [self = shared_](std::vector<Delivery> deliveries) { self->take(std::move(deliveries)); });
  if (asked) return;
  const MutexLock lock(shared.mutex);
  shared.asking = false;
  shared.ask_not_before = shared.clock.boot_now() + shared.config.pause_after_error;
}

void Courier::beat_if_due(BootInstant now) {
  Shared& shared = *shared_;
  std::vector<RunGrant> grants;
  {
    const MutexLock lock(shared.mutex);
    if (shared.beating || now < shared.beat_at) return;
    // Also for runs that are over but not yet reported. Handed-over runs have a longer lease
    // than this.
    for (const auto& [grant, entry] : shared.held) {
      if (!entry.is_handed_over() && entry.may_beat(now)) grants.push_back(grant);
    }
    if (grants.empty()) return;
    // The lease needs a beat every third of it; more often, so that a cancellation is heard soon.
    shared.beat_at = now + std::min<Duration>(shared.config.lease / 3, std::chrono::seconds(1));
    shared.beating = true;
  }
  shared.source.heartbeat(grants, shared.config.lease,
                          [self = shared_, grants, sent = now](const auto& answers) {
                            self->hear(grants, sent, answers);
                          });
}

void Courier::begin_stop() {
  Shared& shared = *shared_;
  {
    const MutexLock lock(shared.mutex);
    if (shared.stopping) return;
    shared.stopping = true;
    shared.stop_by = shared.clock.boot_now() + shared.config.grace;
  }
  shared.bell.notify_all();
}

void Courier::stop() {
  Shared& shared = *shared_;
  begin_stop();
  {
    const MutexLock lock(shared.mutex);
    if (shared.gone) return;
  }
  if (thread_.joinable()) thread_.join();
  shared.source.withdraw();
  finish_on_time();
}

void Courier::finish_on_time() {
  Shared& shared = *shared_;
  std::vector<RunGrant> left;
  shared.tell_again(shared.clock.boot_now());
  while (shared.wait_for_ends()) shared.tell_again(shared.clock.boot_now());
  {
    const MutexLock lock(shared.mutex);
    for (const auto& [grant, entry] : shared.held) {
      if (!entry.is_over()) left.push_back(grant);
    }
    shared.gone = true;
    shared.held.clear();
  }
  for (const RunGrant& grant : left) shared.carrier.drop(grant);
  // Their receivers may see them again, under the same ids.
  if (!left.empty()) shared.source.give_back(std::move(left), {});
}

std::size_t Courier::in_hand() const {
  const MutexLock lock(shared_->mutex);
  return shared_->held.size();
}

}  // namespace belfry::deliver

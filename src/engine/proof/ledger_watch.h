#pragma once

#include "base/clock.h"
#include "base/log/log.h"
#include "core/proof/day_tally.h"
#include "engine/observer.h"
#include "engine/proof/ledger_batch.h"
#include "engine/proof/ledger_pass.h"
#include "store/store.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::engine {

struct LedgerWatchConfig {
  Duration retention = std::chrono::days(90);  // of the history, as the janitor's
  // Of one thread's time, the store's answers included: what it may cost node and database.
  double share = 0.02;
  // Batches are as large as this allows; the embedded store does nothing else meanwhile.
  Duration step = std::chrono::milliseconds(20);
  std::size_t most_jobs = 500;    // in a batch
  std::size_t rows_each = 1'000;  // of a job, in a batch
  // Ticks younger than this are left for the next pass: whoever is deciding one, or a change that
  // is being written, is done by then.
  Duration settles = std::chrono::seconds(30);
  Duration pause = std::chrono::minutes(1);  // of ticks at least, in a pass
  Duration lease = std::chrono::seconds(30);
  Duration ask_every = std::chrono::seconds(10);  // whether it leads
  std::size_t statements = 100;                   // signed at a time
};

struct Signature {
  std::string public_key;  // PEM; empty: there is no key
  std::string signature;   // base64
};

// The leader's chore that proves the ledger while everything goes on: it passes over all jobs, in
// small steps, and compares what the ledger has with what their definitions ask for. What it finds
// is told once: to the observer, to who watches events, and in the store, where the report of what
// is wrong reads it. When a day of UTC is over and was checked, it counts the day again, with a
// digest, and has a statement about it signed, for each tenant.
//
// It never holds anything up, and rests in proportion to what it took. Where it stands is in the
// store: every step is one transaction, refused to whoever read an older state. So a crash, a
// frozen leader that wakes up or a lost reply cost a step, and nothing is counted twice.
//
// docs/guides/proof.md says what it takes for wrong; docs/decisions/0032 argues why that is never
// a false alarm.
class LedgerWatch {
 public:
  struct World {
    store::Store& store;
    store::OwnershipStore::Node node;
    core::ZoneCatalog& zones;
    const Clock& clock;
    Logger& log;
    Observer& observer;
    // Signs a statement; without a key, an empty signature.
    std::function<Result<Signature>(std::string_view statement)> sign;
  };
  LedgerWatch(World world, const LedgerWatchConfig& config)
      : world_(std::move(world)), config_(config) {}

  // Makes one step if this node leads and there is one to make; returns how long to rest.
  Result<Duration> run_once();

 private:
  using Check = store::LedgerCheck;

  bool leads();
  Result<Duration> step();
  Result<Duration> begin(Check check, Instant now);
  Result<Duration> begin_pass(Check check, Instant now);
  Result<Duration> begin_day(Check check, Instant now);
  Result<Duration> go_on(Check check, LedgerPass pass);
  Result<Duration> tally(Check check, LedgerPass pass);
  Result<Duration> sign(Check check, const LedgerPass& pass);
  Result<Duration> give_up_day(Check check, const char* why);

  Result<LedgerFound> look(const LedgerPass& pass, std::optional<Instant> lines_by);
  Status keep(const store::ProofStore::LedgerStep& step);
  Status know_tallies();
  Result<store::ProofRow> state(const LedgerPass& pass, const store::ProofTally& tally);
  void adapt(Duration took, std::size_t jobs);

  const World world_;
  const LedgerWatchConfig config_;
  bool leads_ = false;
  BootInstant asked_at_ = BootInstant::min();
  std::size_t jobs_ = 20;             // in the next batch
  std::optional<LedgerBatch> batch_;  // with the schedules that it has compiled
  std::size_t compiled_ = 0;          // jobs since it was made
  // Of the day that is being counted, as the store has them; none: to be read.
  std::optional<std::map<TenantId, core::DayTally>> tallies_;
};

}  // namespace belfry::engine

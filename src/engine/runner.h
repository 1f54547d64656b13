#pragma once

#include "base/condition.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "engine/chores/bulk_worker.h"
#include "engine/chores/janitor.h"
#include "engine/node.h"
#include "engine/proof/ledger_watch.h"

#include <array>
#include <functional>
#include <string_view>
#include <thread>

namespace belfry::engine {

// Owns the threads of a node, one per duty: each calls its duty, sleeps until there is something to
// do, and starts over. No duty knows of threads, and nothing else in the engine makes any.
class Runner {
 public:
  Runner(Node& node, Janitor& janitor, const OwnershipConfig& ownership, Logger& log)
      : node_(node), janitor_(janitor), renew_every_(ownership.renew), log_(log) {}
  ~Runner() { stop(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // A duty that not every node has. Before start().
  void also(BulkWorker& bulk) { bulk_ = &bulk; }
  void also(LedgerWatch& proof) { proof_ = &proof; }

  void start();
  // Stops renewing, goes on ticking until the others (if there are any) have taken over,
  // ends the threads and sends waiting workers away. Safe to call twice.
  void stop();

 private:
  // Cuts a rest short, even when it rings before the rest begins.
  struct Bell {
    Condition condition;
    bool rung = false;  // guarded by mutex_
    bool ends = false;  // guarded by mutex_: no more rounds
  };

  // Runs `round` until stop; each returns how long to rest.
  void loop(const std::function<Duration()>& round, Bell& bell);
  void ring(Bell& bell);
  void end(Bell& bell, std::thread& thread);
  void hand_over();
  Duration renew_round();
  Duration tick_round();
  Duration load_round(std::size_t reader);
  Duration listen_round();
  Duration reap_round();
  Duration claim_round();
  Duration completion_round();
  Duration keep_house_round();
  Duration bulk_round();
  Duration proof_round();
  void complain(std::string_view duty, const Error& error);

  Node& node_;
  Janitor& janitor_;
  BulkWorker* bulk_ = nullptr;
  LedgerWatch* proof_ = nullptr;
  const Duration renew_every_;
  Logger& log_;

  Mutex mutex_;
  Bell renew_bell_;
  Bell tick_bell_;
  Bell listen_bell_;
  Bell reap_bell_;
  Bell claim_bell_;
  Bell completion_bell_;
  Bell house_bell_;
  Bell bulk_bell_;
  Bell proof_bell_;
  std::array<Bell, Node::kReaders> load_bells_;
  Condition handing_over_;
  const std::array<Bell*, 11> bells_{
      &renew_bell_, &tick_bell_,     &listen_bell_,   &reap_bell_, &claim_bell_, &completion_bell_,
      &house_bell_, &load_bells_[0], &load_bells_[1], &bulk_bell_, &proof_bell_};
  std::array<std::thread, 11> threads_;
  // For the listening thread: whether jobs have changed without the ticker having been told, and
  // when it may be told.
  bool jobs_changed_ = false;
  BootInstant read_from_ = {};
};

}  // namespace belfry::engine

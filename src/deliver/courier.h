#pragma once

#include "base/clock.h"
#include "base/condition.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "deliver/carrier.h"
#include "deliver/run_source.h"

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace belfry::deliver {

struct CourierConfig {
  std::string queue;               // where its runs wait
  std::size_t most_at_once = 512;  // runs in its hands
  std::size_t most_per_ask = 512;
  Duration lease = std::chrono::seconds(30);
  // How long deliveries may go on when the node stops; the rest is given back.
  Duration grace = std::chrono::seconds(5);
  Duration pause_after_error = std::chrono::milliseconds(500);
  // A run that was granted longer ago beats before it is begun. Not a third of the lease: if the
  // node stood still for its own lease, others have its runs.
  Duration sure_for = std::chrono::seconds(1);
};

// One of a node's own workers: fetches the runs of a queue, lets a carrier take them to their
// targets, keeps their leases meanwhile, and reports how they ended. It follows the rules of any
// worker: a lost lease or a cancellation ends a delivery, a report that was not heard is repeated.
class Courier {
 public:
  Courier(CourierConfig config, RunSource& source, Carrier& carrier, const Clock& clock,
          Logger& log);
  ~Courier() { stop(); }
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  void start();
  // Fetches nothing more; the grace begins.
  void begin_stop();
  // The same; then waits for what is on its way and gives back the rest. Safe to call twice.
  void stop();

  std::size_t in_hand() const;

 private:
  // What callbacks hold on to: they may come after the courier has gone.
  struct Shared;

  void loop();
  void ask_if_useful();
  void beat_if_due(BootInstant now);
  void finish_on_time();

  const std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace belfry::deliver

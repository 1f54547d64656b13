#pragma once

#include "base/condition.h"
#include "base/log/log.h"
#include "base/metrics/metrics.h"
#include "base/mutex.h"
#include "net/client/client.h"
#include "trace/otlp.h"
#include "trace/span.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

namespace belfry::trace {

struct ExporterConfig {
  net::Url endpoint;
  net::Headers headers = {};  // beside those that OTLP asks for
  Resource resource = {};
  std::size_t most_waiting = 10'000;
  std::size_t spans_per_call = 500;
  Duration collect = std::chrono::seconds(1);        // how long a span waits for others
  Duration patience = std::chrono::seconds(10);      // with one call
  Duration last_patience = std::chrono::seconds(2);  // with what is left when it stops
  Duration pause = std::chrono::seconds(1);          // after a call that failed; doubled each time
  Duration longest_pause = std::chrono::seconds(30);
};

// Sends spans to a collector from a thread of its own. Nobody ever waits for it: what finds the
// queue full, and what a collector did not take, is dropped and counted.
class Exporter {
 public:
  // What becomes of spans, by `fate`.
  static Family<Counter>& counters(MetricRegistry& metrics);

  // What it uses must outlive it.
  Exporter(ExporterConfig config, Family<Counter>& spans, Logger& log);
  ~Exporter() { stop(); }
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  // From any thread. Takes a lock, for as long as it takes to move a span.
  void add(Span span);

  // Sends what waits, if the collector is quick about it; later spans are dropped. Twice is fine.
  void stop();

 private:
  void loop();
  std::vector<Span> take_some();
  bool send(std::vector<Span> spans);
  Status call(std::span<const Span> spans);
  void note(const Status& sent);
  void rest();
  bool is_stopping() const;
  void drop_all();

  const ExporterConfig config_;
  Logger& log_;
  Counter& sent_;
  Counter& dropped_;
  net::HttpClient client_;
  Duration pause_{};  // the thread's own: after the last call; zero if that went well

  mutable Mutex mutex_;
  Condition bell_;
  Condition end_bell_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  bool ended_ BELFRY_GUARDED_BY(mutex_) = false;
  std::deque<Span> waiting_ BELFRY_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace belfry::trace

#pragma once

#include "base/mutex.h"
#include "base/time.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Figures for Prometheus. Register at start, keep the reference, update it from any thread: an
// update is a few atomic operations and never waits for a scrape.
namespace belfry {

// Only grows; "how often".
class Counter {
 public:
  void add(std::uint64_t n = 1) { value_.fetch_add(n, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// What a gauge shows whose value nobody knows now.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Goes up and down; "how many now".
class Gauge {
 public:
  void set(double value) { value_.store(value, std::memory_order_relaxed); }
  void add(double change) { value_.fetch_add(change, std::memory_order_relaxed); }
  double value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_{0.0};
};

// How values are distributed: how many were at most each bound.
class Histogram {
 public:
  // `bounds` finite and ascending; a last bucket without a bound is implied.
  explicit Histogram(std::vector<double> bounds);

  void observe(double value);
  void observe(Duration value);  // in seconds

  const std::vector<double>& bounds() const { return bounds_; }
  // Per bucket, not cumulative; the last is the one without a bound.
  std::vector<std::uint64_t> counts() const;
  double sum() const { return sum_.load(std::memory_order_relaxed); }

 private:
  const std::vector<double> bounds_;
  std::vector<std::atomic<std::uint64_t>> counts_;
  std::atomic<double> sum_{0.0};
};

// 1 ms to 60 s, in steps of about 2.5: fine where a run should start, coarse where it is
// late anyway.
const std::vector<double>& latency_buckets();

// What every family can do for the registry.
class MetricFamily {
 public:
  virtual ~MetricFamily() = default;
  virtual void append_to(std::string& out) const = 0;
};

// The metrics of one name, one per combination of label values.
template <typename Metric>
class Family final : public MetricFamily {
 public:
  using Make = std::function<std::unique_ptr<Metric>()>;

  Family(std::string name, std::string help, std::vector<std::string> labels, Make make);

  // The metric for these values, in the order of the label names; made at the first call, and valid
  // as long as the registry. Takes a lock: call it once and keep the reference.
  Metric& with(std::initializer_list<std::string_view> values);

  void append_to(std::string& out) const override;

 private:
  const std::string name_;
  const std::string help_;
  const std::vector<std::string> labels_;
  const Make make_;
  mutable Mutex mutex_;
  // Ordered by label values, so that the text is stable.
  std::map<std::vector<std::string>, std::unique_ptr<Metric>> metrics_ BELFRY_GUARDED_BY(mutex_);
};

// Holds all metrics of a process and writes them in Prometheus' text format 0.0.4. Names are given
// without the prefix `belfry_`, and each is registered once. Names that begin with `process_` get
// no prefix, because all programs share them. Thread-safe.
class MetricRegistry {
 public:
  using Labels = std::initializer_list<std::string_view>;

  Counter& counter(std::string_view name, std::string_view help);
  Gauge& gauge(std::string_view name, std::string_view help);
  Histogram& histogram(std::string_view name, std::string_view help,
                       std::vector<double> bounds = latency_buckets());

  Family<Counter>& counters(std::string_view name, std::string_view help, Labels labels);
  Family<Gauge>& gauges(std::string_view name, std::string_view help, Labels labels);
  Family<Histogram>& histograms(std::string_view name, std::string_view help, Labels labels,
                                std::vector<double> bounds = latency_buckets());

  // A gauge that calls `read` at each scrape, on the scraping thread and without a lock of ours.
  // What `read` uses has to outlive the registry.
  void callback_gauge(std::string_view name, std::string_view help, std::function<double()> read);
  void callback_counter(std::string_view name, std::string_view help, std::function<double()> read);

  // Calls `prepare` before each scrape, in the same way: for values that are read together.
  void on_scrape(std::function<void()> prepare);

  // All families, sorted by name.
  std::string text() const;

 private:
  void insert(const std::string& name, std::unique_ptr<MetricFamily> family);
  template <typename Metric>
  Family<Metric>& add(std::string_view name, std::string_view help, Labels labels,
                      typename Family<Metric>::Make make);

  mutable Mutex mutex_;
  std::map<std::string, std::unique_ptr<MetricFamily>> families_ BELFRY_GUARDED_BY(mutex_);
  std::vector<std::function<void()>> preparations_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry

#include "base/metrics/metrics.h"

#include "base/assert.h"
#include "base/metrics/metrics_text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace belfry {
namespace {

constexpr std::string_view kPrefix = "belfry_";
constexpr std::string_view kProcess = "process_";

constexpr std::string_view type_of(const Counter*) {
  return "counter";
}
constexpr std::string_view type_of(const Gauge*) {
  return "gauge";
}
constexpr std::string_view type_of(const Histogram*) {
  return "histogram";
}

void append_samples(std::string& out, const std::string& name, const MetricLabels& labels,
                    const Counter& counter) {
  append_sample(out, name, labels, metric_number(counter.value()));
}

void append_samples(std::string& out, const std::string& name, const MetricLabels& labels,
                    const Gauge& gauge) {
  append_sample(out, name, labels, metric_number(gauge.value()));
}

void append_samples(std::string& out, const std::string& name, const MetricLabels& labels,
                    const Histogram& histogram) {
  const std::vector<double>& bounds = histogram.bounds();
  const std::vector<std::uint64_t> counts = histogram.counts();
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    so_far += counts[i];
    const std::string bound = i < bounds.size() ? metric_number(bounds[i]) : "+Inf";
    append_sample(out, name + "_bucket", {labels.names, labels.values, bound},
                  metric_number(so_far));
  }
  append_sample(out, name + "_sum", labels, metric_number(histogram.sum()));
  append_sample(out, name + "_count", labels, metric_number(so_far));  // always equal to +Inf
}

class CallbackMetric final : public MetricFamily {
 public:
  CallbackMetric(std::string name, std::string_view help, std::string_view type,
                 std::function<double()> read)
      : name_(std::move(name)), help_(help), type_(type), read_(std::move(read)) {}

  void append_to(std::string& out) const override {
    append_metric_header(out, name_, help_, type_);
    append_sample(out, name_, {{}, {}, {}}, metric_number(read_()));
  }

 private:
  const std::string name_;
  const std::string help_;
  const std::string type_;
  const std::function<double()> read_;
};

std::string full_name(std::string_view name) {
  BELFRY_ASSERT(is_metric_name(name) && !name.starts_with(kPrefix));
  return std::string(name.starts_with(kProcess) ? "" : kPrefix).append(name);
}

std::vector<std::string> checked_labels(MetricRegistry::Labels labels) {
  BELFRY_ASSERT(std::all_of(labels.begin(), labels.end(), is_label_name));
  BELFRY_ASSERT(std::set<std::string_view>(labels).size() == labels.size());
  return {labels.begin(), labels.end()};
}

auto make_histogram(std::vector<double> bounds) {
  return [bounds = std::move(bounds)] { return std::make_unique<Histogram>(bounds); };
}

}  // namespace

Histogram::Histogram(std::vector<double> bounds)
    : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {
  BELFRY_ASSERT(
      std::all_of(bounds_.begin(), bounds_.end(), [](double b) { return std::isfinite(b); }));
  BELFRY_ASSERT(std::adjacent_find(bounds_.begin(), bounds_.end(), std::greater_equal<>()) ==
                bounds_.end());
}

void Histogram::observe(double value) {
  if (std::isnan(value)) return;  // belongs in no bucket and would spoil the sum for ever
  const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
  counts_[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
}

void Histogram::observe(Duration value) {
  observe(std::chrono::duration<double>(value).count());
}

std::vector<std::uint64_t> Histogram::counts() const {
  std::vector<std::uint64_t> counts;
  counts.reserve(counts_.size());
  for (const auto& count : counts_) counts.push_back(count.load(std::memory_order_relaxed));
  return counts;
}

const std::vector<double>& latency_buckets() {
  static const std::vector<double> kBuckets{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                            0.5,   1,      2.5,   5,    10,    30,   60};
  return kBuckets;
}

template <typename Metric>
Family<Metric>::Family(std::string name, std::string help, std::vector<std::string> labels,
                       Make make)
    : name_(std::move(name)),
      help_(std::move(help)),
      labels_(std::move(labels)),
      make_(std::move(make)) {}

template <typename Metric>
Metric& Family<Metric>::with(std::initializer_list<std::string_view> values) {
  BELFRY_ASSERT(values.size() == labels_.size());
  const MutexLock lock(mutex_);
  std::unique_ptr<Metric>& metric = metrics_[{values.begin(), values.end()}];
  if (!metric) metric = make_();
  return *metric;
}

template <typename Metric>
void Family<Metric>::append_to(std::string& out) const {
  append_metric_header(out, name_, help_, type_of(static_cast<const Metric*>(nullptr)));
  const MutexLock lock(mutex_);
  for (const auto& [values, metric] : metrics_) {
    append_samples(out, name_, {labels_, values, {}}, *metric);
  }
}

template class Family<Counter>;
template class Family<Gauge>;
template class Family<Histogram>;

void MetricRegistry::insert(const std::string& name, std::unique_ptr<MetricFamily> family) {
  const MutexLock lock(mutex_);
  const bool registered_once = families_.emplace(name, std::move(family)).second;
  BELFRY_ASSERT(registered_once);
}

template <typename Metric>
Family<Metric>& MetricRegistry::add(std::string_view name, std::string_view help, Labels labels,
                                    typename Family<Metric>::Make make) {
  const std::string full = full_name(name);
  auto family = std::make_unique<Family<Metric>>(full, std::string(help), checked_labels(labels),
                                                 std::move(make));
  Family<Metric>& added = *family;
  insert(full, std::move(family));
  return added;
}

Counter& MetricRegistry::counter(std::string_view name, std::string_view help) {
  return counters(name, help, {}).with({});
}

Gauge& MetricRegistry::gauge(std::string_view name, std::string_view help) {
  return gauges(name, help, {}).with({});
}

Histogram& MetricRegistry::histogram(std::string_view name, std::string_view help,
                                     std::vector<double> bounds) {
  return histograms(name, help, {}, std::move(bounds)).with({});
}

Family<Counter>& MetricRegistry::counters(std::string_view name, std::string_view help,
                                          Labels labels) {
  return add<Counter>(name, help, labels, std::make_unique<Counter>);
}

Family<Gauge>& MetricRegistry::gauges(std::string_view name, std::string_view help, Labels labels) {
  return add<Gauge>(name, help, labels, std::make_unique<Gauge>);
}

Family<Histogram>& MetricRegistry::histograms(std::string_view name, std::string_view help,
                                              Labels labels, std::vector<double> bounds) {
  return add<Histogram>(name, help, labels, make_histogram(std::move(bounds)));
}

void MetricRegistry::callback_gauge(std::string_view name, std::string_view help,
                                    std::function<double()> read) {
  const std::string full = full_name(name);
  insert(full, std::make_unique<CallbackMetric>(full, help, "gauge", std::move(read)));
}

void MetricRegistry::callback_counter(std::string_view name, std::string_view help,
                                      std::function<double()> read) {
  const std::string full = full_name(name);
  insert(full, std::make_unique<CallbackMetric>(full, help, "counter", std::move(read)));
}

void MetricRegistry::on_scrape(std::function<void()> prepare) {
  const MutexLock lock(mutex_);
  preparations_.push_back(std::move(prepare));
}

std::string MetricRegistry::text() const {
  // Families are never removed, so they can be read after the lock is released; this lets a
  // callback use the registry itself.
  std::vector<const MetricFamily*> families;
  std::vector<std::function<void()>> preparations;
  {
    const MutexLock lock(mutex_);
    preparations = preparations_;
    for (const auto& [name, family] : families_) families.push_back(family.get());
  }
  for (const auto& prepare : preparations) prepare();
  std::string out;
  for (const MetricFamily* family : families) family->append_to(out);
  return out;
}

}  // namespace belfry

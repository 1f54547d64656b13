#include "base/metrics/metrics.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace belfry {
namespace {

using std::chrono::milliseconds;

TEST(MetricsTest, WritesACounter) {
  MetricRegistry registry;
  Counter& failovers = registry.counter("failovers_total", "Partitions taken from a dead node.");
  failovers.add();
  failovers.add(41);
  EXPECT_EQ(registry.text(),
            "# HELP belfry_failovers_total Partitions taken from a dead node.\n"
            "# TYPE belfry_failovers_total counter\n"
            "belfry_failovers_total 42\n");
}

TEST(MetricsTest, WritesAGauge) {
  MetricRegistry registry;
  Gauge& offset = registry.gauge("clock_offset_seconds", "Ours minus the store's.");
  offset.set(1.0);
  offset.add(-1.25);
  EXPECT_EQ(registry.text(),
            "# HELP belfry_clock_offset_seconds Ours minus the store's.\n"
            "# TYPE belfry_clock_offset_seconds gauge\n"
            "belfry_clock_offset_seconds -0.25\n");
}

TEST(MetricsTest, SpellsNumbersAsPrometheusDoes) {
  MetricRegistry registry;
  registry.gauge("a", "").set(std::numeric_limits<double>::infinity());
  registry.gauge("b", "").set(-std::numeric_limits<double>::infinity());
  registry.gauge("c", "").set(std::numeric_limits<double>::quiet_NaN());
  registry.counter("d", "").add(std::numeric_limits<std::uint64_t>::max());
  const std::string text = registry.text();
  EXPECT_NE(text.find("belfry_a +Inf\n"), std::string::npos);
  EXPECT_NE(text.find("belfry_b -Inf\n"), std::string::npos);
  EXPECT_NE(text.find("belfry_c NaN\n"), std::string::npos);
  EXPECT_NE(text.find("belfry_d 18446744073709551615\n"), std::string::npos);
}

TEST(MetricsTest, HistogramBucketsAreCumulativeAndIncludeTheirBound) {
  MetricRegistry registry;
  Histogram& lag = registry.histogram("fire_lag_seconds", "Lag.", {0.5, 1, 2});
  lag.observe(milliseconds(500));
  lag.observe(0.75);
  lag.observe(milliseconds(1'500));
  lag.observe(8.0);
  lag.observe(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(registry.text(),
            "# HELP belfry_fire_lag_seconds Lag.\n"
            "# TYPE belfry_fire_lag_seconds histogram\n"
            "belfry_fire_lag_seconds_bucket{le=\"0.5\"} 1\n"
            "belfry_fire_lag_seconds_bucket{le=\"1\"} 2\n"
            "belfry_fire_lag_seconds_bucket{le=\"2\"} 3\n"
            "belfry_fire_lag_seconds_bucket{le=\"+Inf\"} 4\n"
            "belfry_fire_lag_seconds_sum 10.75\n"
            "belfry_fire_lag_seconds_count 4\n");
}

TEST(MetricsTest, HistogramBoundComesAfterTheLabels) {
  MetricRegistry registry;
  registry.histograms("store_seconds", "", {"op"}, {1}).with({"claim"}).observe(2.0);
  EXPECT_NE(registry.text().find("belfry_store_seconds_bucket{op=\"claim\",le=\"1\"} 0\n"
                                 "belfry_store_seconds_bucket{op=\"claim\",le=\"+Inf\"} 1\n"
                                 "belfry_store_seconds_sum{op=\"claim\"} 2\n"
                                 "belfry_store_seconds_count{op=\"claim\"} 1\n"),
            std::string::npos);
}

TEST(MetricsTest, LatencyBucketsSpanAMillisecondToAMinute) {
  const std::vector<double>& bounds = latency_buckets();
  EXPECT_EQ(bounds.front(), 0.001);
  EXPECT_EQ(bounds.back(), 60.0);
  EXPECT_EQ(Histogram(bounds).counts().size(), bounds.size() + 1);
}

TEST(MetricsTest, SortsFamiliesByNameAndMetricsByLabelValues) {
  MetricRegistry registry;
  registry.gauge("workers", "");
  Family<Counter>& ticks = registry.counters("ticks_total", "", {"fate", "why"});
  ticks.with({"skipped", "paused"}).add(2);
  ticks.with({"fired", ""}).add(1);
  ticks.with({"skipped", "calendar"}).add(3);
  registry.gauge("live_runs", "");
  EXPECT_EQ(registry.text(),
            "# HELP belfry_live_runs \n"
            "# TYPE belfry_live_runs gauge\n"
            "belfry_live_runs 0\n"
            "# HELP belfry_ticks_total \n"
            "# TYPE belfry_ticks_total counter\n"
            "belfry_ticks_total{fate=\"fired\",why=\"\"} 1\n"
            "belfry_ticks_total{fate=\"skipped\",why=\"calendar\"} 3\n"
            "belfry_ticks_total{fate=\"skipped\",why=\"paused\"} 2\n"
            "# HELP belfry_workers \n"
            "# TYPE belfry_workers gauge\n"
            "belfry_workers 0\n");
}

TEST(MetricsTest, EscapesLabelValuesAndHelp) {
  MetricRegistry registry;
  registry.counters("x", "a \"b\" \\ c\nd", {"op"}).with({"a \"b\" \\ c\nd"}).add();
  EXPECT_EQ(registry.text(),
            "# HELP belfry_x a \"b\" \\\\ c\\nd\n"
            "# TYPE belfry_x counter\n"
            "belfry_x{op=\"a \\\"b\\\" \\\\ c\\nd\"} 1\n");
}

TEST(MetricsTest, TheSameLabelsGiveTheSameMetricForEver) {
  MetricRegistry registry;
  Family<Counter>& runs = registry.counters("runs_total", "", {"outcome"});
  Counter& failed = runs.with({"failed"});
  for (int i = 0; i < 1'000; ++i) runs.with({std::to_string(i)});
  EXPECT_EQ(&runs.with({"failed"}), &failed);
  EXPECT_NE(&runs.with({"succeeded"}), &failed);
}

TEST(MetricsTest, CallbackGaugeIsReadAtEachScrapeAndMayUseTheRegistry) {
  MetricRegistry registry;
  int scrapes = 0;
  registry.callback_gauge("owned", "Owned.", [&] {
    ++scrapes;
    registry.gauge("made_by_scrape_" + std::to_string(scrapes), "");
    return scrapes + 0.5;
  });
  EXPECT_NE(registry.text().find("# HELP belfry_owned Owned.\n"
                                 "# TYPE belfry_owned gauge\n"
                                 "belfry_owned 1.5\n"),
            std::string::npos);
  EXPECT_NE(registry.text().find("belfry_owned 2.5\n"), std::string::npos);
}

TEST(MetricsTest, NothingIsLostBetweenThreadsWhileScraping) {
  constexpr int kThreads = 4;
  constexpr int kEach = 5'000;
  MetricRegistry registry;
  Counter& counter = registry.counter("c", "");
  Gauge& gauge = registry.gauge("g", "");
  Histogram& histogram = registry.histogram("h", "", {1});
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        counter.add();
        gauge.add(1);
        histogram.observe(2.0);
      }
    });
  }
  for (int i = 0; i < 20; ++i) EXPECT_NE(registry.text().find("belfry_h_count"), std::string::npos);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.value(), 20'000U);
  EXPECT_EQ(gauge.value(), 20'000.0);
  EXPECT_EQ(histogram.counts(), (std::vector<std::uint64_t>{0, 20'000}));
  EXPECT_EQ(histogram.sum(), 40'000.0);
}

TEST(MetricsTest, PreparesBeforeAScrapeAndAsksAtIt) {
  MetricRegistry registry;
  Gauge& gauge = registry.gauge("g", "A gauge.");
  registry.on_scrape([&] { gauge.add(1); });
  registry.callback_counter("c_total", "A counter.", [&] { return 10 * gauge.value(); });
  registry.text();
  EXPECT_EQ(registry.text(),
            "# HELP belfry_c_total A counter.\n# TYPE belfry_c_total counter\nbelfry_c_total 20\n"
            "# HELP belfry_g A gauge.\n# TYPE belfry_g gauge\nbelfry_g 2\n");
}

TEST(MetricsTest, NamesOfTheProcessAreEverybodys) {
  MetricRegistry registry;
  registry.gauge("process_threads", "Threads.");
  EXPECT_NE(registry.text().find("\nprocess_threads 0\n"), std::string::npos);
}

TEST(MetricsDeathTest, RefusesBadNames) {
  MetricRegistry registry;
  EXPECT_DEATH(registry.counter("", ""), "is_metric_name");
  EXPECT_DEATH(registry.counter("a-b", ""), "is_metric_name");
  EXPECT_DEATH(registry.gauge("1a", ""), "is_metric_name");
  EXPECT_DEATH(registry.gauge("a:b", ""), "is_metric_name");
  EXPECT_DEATH(registry.counter("belfry_a", ""), "kPrefix");
  EXPECT_DEATH(registry.callback_gauge("a b", "", [] { return 0.0; }), "is_metric_name");
  EXPECT_DEATH(registry.counters("a", "", {"b-c"}), "is_label_name");
  EXPECT_DEATH(registry.counters("a", "", {"__b"}), "is_label_name");
  EXPECT_DEATH(registry.histograms("a", "", {"le"}), "is_label_name");
  EXPECT_DEATH(registry.counters("a", "", {"b", "b"}), "labels.size");
}

TEST(MetricsDeathTest, RefusesToRegisterTwiceAndWrongLabelCounts) {
  MetricRegistry registry;
  Family<Counter>& family = registry.counters("a", "", {"b"});
  EXPECT_DEATH(registry.gauge("a", ""), "registered_once");
  EXPECT_DEATH(family.with({}), "labels_.size");
  EXPECT_DEATH(family.with({"x", "y"}), "labels_.size");
}

TEST(MetricsDeathTest, RefusesBoundsOutOfOrder) {
  EXPECT_DEATH(Histogram({1, 1}), "adjacent_find");
  EXPECT_DEATH(Histogram({2, 1}), "adjacent_find");
  EXPECT_DEATH(Histogram({1, std::numeric_limits<double>::infinity()}), "isfinite");
}

}  // namespace
}  // namespace belfry

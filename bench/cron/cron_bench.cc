// Next-fire computations, one thread: the same chained work as the peers in peers/, same output.
#include "core/cron/compile.h"
#include "core/cron/rule.h"
#include "core/schedule/zone_catalog.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace belfry {
namespace {

using BenchClock = std::chrono::steady_clock;

constexpr std::int64_t kStart = 1'767'225'600;               // 2026-01-01
constexpr std::int64_t kStartOver = kStart + 3'000'000'000;  // 95 years later

std::int64_t checksum(const core::CronRule& rule) {
  std::int64_t at = kStart;
  std::int64_t sum = 0;
  for (int i = 0; i < 200; ++i) {
    const auto fire = rule.next(at);
    if (!fire) break;
    at = fire->at;
    sum = (sum + at) % 1'000'000'000'000'000;
  }
  return sum;
}

// One window of 100 ms of chained next() calls.
double nanoseconds_per_next(const core::CronRule& rule) {
  const auto begin = BenchClock::now();
  std::int64_t at = kStart;
  std::int64_t calls = 0;
  std::chrono::nanoseconds elapsed{};
  do {
    for (int i = 0; i < 1'000; ++i, ++calls) {
      const auto fire = rule.next(at);
      at = fire && fire->at <= kStartOver ? fire->at : kStart;
    }
    elapsed = BenchClock::now() - begin;
  } while (elapsed < std::chrono::milliseconds(100));
  return static_cast<double>(elapsed.count()) / static_cast<double>(calls);
}

int measure(const char* file) {
  std::ifstream in(file);
  std::vector<std::string> expressions;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) expressions.push_back(line);
  }
  core::ZoneCatalog zones;
  for (const char* name : {"UTC", "America/New_York"}) {
    const core::Zone* zone = *zones.find(name);
    for (const std::string& expression : expressions) {
      const auto parsed = core::parse_expression(expression);
      if (!parsed) {
        std::fprintf(stderr, "%s: %s\n", expression.c_str(), to_string(parsed.error()).c_str());
        return 1;
      }
      const core::CronRule rule(*parsed, *zone, core::DstOverlap::kFirst);
      double best = std::numeric_limits<double>::max();
      for (int pass = 0; pass < 3; ++pass) best = std::min(best, nanoseconds_per_next(rule));
      std::printf("belfry\t%s\t%s\t%.1f\t%lld\n", name, expression.c_str(), best,
                  static_cast<long long>(checksum(rule)));
    }
  }
  return expressions.empty() ? 1 : 0;
}

}  // namespace
}  // namespace belfry

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: cron_bench EXPRESSIONS_FILE\n");
    return 2;
  }
  return belfry::measure(argv[1]);
}

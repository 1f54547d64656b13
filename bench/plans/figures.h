#pragma once

#include "bench/plans/world.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace belfry::bench {

// The times of many calls of one thing.
class Figures {
 public:
  explicit Figures(const World& world) : world_(world), server_before_(world.server_time()) {}

  // `call` returns how many rows it handled.
  template <typename Call>
  std::size_t time(const Call& call) {
    const BootInstant before = world_.now();
    const std::size_t rows = call();
    times_.push_back(world_.now() - before);
    rows_ += rows;
    return rows;
  }

  double millis(double quantile) const {
    std::vector<Duration> sorted = times_;
    std::sort(sorted.begin(), sorted.end());
    const auto index = static_cast<std::size_t>(quantile * static_cast<double>(sorted.size() - 1));
    return static_cast<double>(sorted.at(index).count()) / 1e3;
  }

  void print(const char* what) const {
    const Duration server = world_.server_time() - server_before_;
    std::printf("%-28s %5zu calls  p50 %8.2f  p99 %8.2f  max %8.2f ms  %8zu rows", what,
                times_.size(), millis(0.5), millis(0.99), millis(1), rows_);
    if (rows_ > 0) {
      std::printf("  server %6.1f us/row",
                  static_cast<double>(server.count()) / static_cast<double>(rows_));
    }
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  const World& world_;
  Duration server_before_;
  std::vector<Duration> times_;
  std::size_t rows_ = 0;
};

}  // namespace belfry::bench

// The slowest answers that hostile expressions can force: parse, next, previous, words and
// warnings, each timed alone. The goal is a millisecond; a calm machine needs a tenth of that.
#include "core/cron/compile.h"
#include "core/cron/describe.h"
#include "core/cron/rule.h"
#include "core/cron/warnings.h"
#include "core/schedule/zone_catalog.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace belfry {
namespace {

using BenchClock = std::chrono::steady_clock;
constexpr double kGoalMicros = 1'000;

std::string list_of(int low, int high, const std::string& suffix = {}) {
  std::string text;
  for (int i = low; i <= high; ++i) {
    text += (text.empty() ? "" : ",") + std::to_string(i) + suffix;
  }
  return text;
}

std::vector<std::string> hostile_expressions() {
  const std::string minutes = list_of(0, 59) + ",0,0,0,0";  // 64 items
  return {
      "0 0 0 29 2 MON 2199",  // either day is enough, in the last year
      "0 0 0 29 2 ? 2100",    // no leap year
      "0 0 30 2 *",
      "0 0 31 2,4,6,9,11 *",
      "59 59 23 31 12 ? 2199",
      "0 0 0 L-30 2 ? *",
      "0 0 0 31W 2,4,6,9,11 ? *",
      "0 0 0 ? 2 0#5,1#5,2#5,3#5,4#5,5#5,6#5 2100-2199/99",
      "*/30 2 29 2 *",
      minutes + " " + list_of(0, 23) + " " + list_of(1, 31) + " * *",
      "0 0 " + list_of(1, 31, "W") + ",L,LW,L-1,L-2,L-3,L-4W,L-5W 2 0L,1L,2L,3L,4L,5L,6L",
      minutes + " " + minutes + " " + list_of(0, 23) + " 29 2 *",
      std::string(1'000, '*'),
      "0 0 * * " + std::string(250, ','),
      std::string(256, 'H') + " * * * *",
      "H(" + std::string(200, '9') + "-1) * * * *",
  };
}

template <typename Work>
double micros(Work work) {
  double best = std::numeric_limits<double>::max();  // the least disturbed of several tries
  for (int i = 0; i < 5; ++i) {
    const auto begin = BenchClock::now();
    work();
    const std::chrono::duration<double, std::micro> took = BenchClock::now() - begin;
    best = std::min(best, took.count());
  }
  return best;
}

double measure(const std::string& text, const core::Zone& zone) {
  const double parse =
      micros([&] { static_cast<void>(core::parse_syntax(text, {}, "k").has_value()); });
  const auto syntax = core::parse_syntax(text, {}, "k");
  double next = 0;
  double previous = 0;
  double words = 0;
  if (syntax) {
    const core::CronRule rule(core::compile(*syntax), zone, core::DstOverlap::kFirst);
    next = micros([&] { rule.next(0); });
    previous = micros([&] { rule.previous(7'258'118'400); });
    words = micros([&] {
      core::describe(*syntax);
      core::warnings_for(*syntax, rule, false, 0);
    });
  }
  std::printf("%10.1f %10.1f %10.1f %10.1f  %s %.60s%s\n", parse, next, previous, words,
              syntax ? "ok     " : "refused", text.c_str(), text.size() > 60 ? "…" : "");
  return std::max({parse, next, previous, words});
}

}  // namespace
}  // namespace belfry

int main() {
  belfry::core::ZoneCatalog zones;
  double worst = 0;
  for (const char* zone : {"UTC", "America/New_York", "Africa/Casablanca"}) {
    std::printf("%s, microseconds\n%10s %10s %10s %10s\n", zone, "parse", "next", "previous",
                "words");
    for (const std::string& text : belfry::hostile_expressions()) {
      worst = std::max(worst, belfry::measure(text, **zones.find(zone)));
    }
  }
  const bool met = worst <= belfry::kGoalMicros;
  std::printf("slowest answer: %.0f us, goal <= %.0f  %s\n", worst, belfry::kGoalMicros,
              met ? "met" : "MISSED");
  return met ? 0 : 1;
}

// Ten million jobs over five thousand schedules in one timetable: memory, load, pop, forecast.
#include "base/rng.h"
#include "core/schedule/schedule.h"
#include "core/timetable/timetable.h"

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace belfry {
namespace {

using BenchClock = std::chrono::steady_clock;
using std::chrono::hours;

constexpr std::size_t kJobs = 10'000'000;
constexpr std::size_t kSchedules = 5'000;
constexpr std::size_t kAtMidnight = 1'000'000;
constexpr Instant kNow = from_unix_seconds(1'767'268'800);  // 2026-01-01T12:00Z

double seconds_since(BenchClock::time_point begin) {
  return std::chrono::duration<double>(BenchClock::now() - begin).count();
}

double resident_megabytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  in >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// Schedules as people write them, distinct in meaning; the first is the midnight herd.
std::vector<std::string> make_expressions(Rng& rng, core::ZoneCatalog& zones) {
  std::vector<std::string> expressions{"0 0 * * *"};
  std::unordered_set<std::size_t> seen;
  while (expressions.size() < kSchedules) {
    const std::string minute = std::to_string(rng.below(60));
    const std::string hour = std::to_string(rng.below(24));
    std::string text;
    switch (rng.below(6)) {
      case 0: text = minute + " " + hour + " * * *"; break;
      case 1: text = minute + " " + hour + " * * 1-5"; break;
      case 2: text = minute + " * * * *"; break;
      case 3: text = minute + " " + hour + " " + std::to_string(1 + rng.below(28)) + " * *"; break;
      case 4: text = minute + "/" + std::to_string(1 + rng.below(30)) + " * * * *"; break;
      default:
        text = minute + " " + hour + "/" + std::to_string(1 + rng.below(12)) + " * * *";
        break;
    }
    if (text.starts_with("0 0 ")) continue;
    const auto schedule = core::Schedule::make({.cron_expression = text}, zones);
    if (schedule && seen.insert(schedule->rhythm().hash()).second) expressions.push_back(text);
  }
  return expressions;
}

// A row as the store would deliver it: the job's id and the text of its schedule.
struct Row {
  std::uint64_t id;
  std::uint32_t expression;
};

class Goals {
 public:
  void report(const char* what, double value, const char* unit, double goal, bool at_most) {
    const bool met = at_most ? value <= goal : value >= goal;
    std::printf("%-44s %12.1f %-8s goal %s %.0f  %s\n", what, value, unit,
                at_most ? "<=" : ">=", goal, met ? "met" : "MISSED");
    missed_ += met ? 0 : 1;
  }
  int missed() const { return missed_; }

 private:
  int missed_ = 0;
};

int measure() {
  Rng rng(1);
  core::ZoneCatalog zones;
  const std::vector<std::string> expressions = make_expressions(rng, zones);
  std::vector<std::vector<Row>> rows(kPartitionCount);
  for (std::size_t i = 0; i < kJobs; ++i) {
    const std::size_t pick =
        i % (kJobs / kAtMidnight) == 0 ? 0 : 1 + rng.below(expressions.size() - 1);
    rows[rng.below(kPartitionCount)].push_back({i + 1, static_cast<std::uint32_t>(pick)});
  }
  const double before = resident_megabytes();
  Goals goals;

  // Loading: look up each row's text among the schedules seen, compile a new one, add the jobs.
  core::Timetable timetable(kNow);
  std::unordered_map<std::string, core::Rhythm> known;
  std::vector<core::Timetable::Job> jobs;
  auto begin = BenchClock::now();
  for (int p = 0; p < kPartitionCount; ++p) {
    jobs.clear();
    for (const Row& row : rows[static_cast<std::size_t>(p)]) {
      const std::string& text = expressions[row.expression];
      auto found = known.find(text);
      if (found == known.end()) {
        const auto schedule = core::Schedule::make({.cron_expression = text}, zones);
        if (!schedule) return 1;
        found = known.emplace(text, schedule->rhythm()).first;
      }
      jobs.push_back({JobId(row.id), &found->second});
    }
    timetable.load(PartitionId(static_cast<std::uint8_t>(p)), jobs);
  }
  const double load = seconds_since(begin);
  std::printf("%zu jobs, %zu schedules, %d partitions\n", timetable.job_count(),
              timetable.schedule_count(), kPartitionCount);
  jobs = {};
  goals.report("memory of the timetable", resident_megabytes() - before, "MB", 400, true);
  goals.report("load", static_cast<double>(kJobs) / load, "jobs/s", 2e6, false);

  begin = BenchClock::now();
  const auto forecast = timetable.forecast(kNow, std::size_t{24} * 60);
  goals.report("forecast of 24 h", seconds_since(begin) * 1e3, "ms", 1'000, true);
  std::printf("%-44s %12llu runs\n", "  of which at midnight",
              static_cast<unsigned long long>(forecast[std::size_t{12} * 60]));

  core::DueTicks due;
  const Instant midnight = kNow + hours(12);
  timetable.pop_due(midnight - Duration(1), due);
  std::printf("%-44s %12zu ticks\n", "  popped on the way to midnight", due.size());
  due.clear();
  begin = BenchClock::now();
  timetable.pop_due(midnight, due);
  const double pop = seconds_since(begin);
  std::printf("%-44s %12zu ticks\n", "  due at midnight", due.size());
  goals.report("pop of one instant, per million ticks",
               pop * 1e3 / (static_cast<double>(due.size()) / 1e6), "ms", 200, true);

  begin = BenchClock::now();
  for (int p = 0; p < 16; ++p) timetable.drop(PartitionId(static_cast<std::uint8_t>(p)));
  std::printf("%-44s %12.1f ms\n", "drop of 16 partitions", seconds_since(begin) * 1e3);
  return goals.missed() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace belfry

int main() {
  return belfry::measure();
}

#include "server/metrics/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace belfry::server {
namespace {

// Fields of /proc/self/stat, counted as proc(5) does.
enum StatField {
  kUserTicks = 14,
  kSystemTicks = 15,
  kThreads = 20,
  kStart = 22,
  kVirtual = 23,
  kResident = 24
};

double stat_field(StatField wanted) {
  std::ifstream in("/proc/self/stat");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  // The second field is the name, in parentheses, and may contain anything.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return kUnknown;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int i = 3; i <= wanted; ++i) fields >> field;
  double value = 0;
  return std::istringstream(field) >> value ? value : kUnknown;
}

double ticks_to_seconds(double ticks) {
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double started_at() {
  std::ifstream in("/proc/stat");
  std::string word;
  while (in >> word) {
    double boot = 0;
    if (word == "btime" && in >> boot) return boot + ticks_to_seconds(stat_field(kStart));
  }
  return kUnknown;
}

double open_files() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  if (error) return kUnknown;
  return static_cast<double>(std::distance(begin(files), end(files)) -
                             1);  // without the one that looks
}

double most_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kUnknown;
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

void add_process_metrics(MetricRegistry& registry) {
  registry.callback_counter(
      "process_cpu_seconds_total", "Processor time used, user and system.",
      [] { return ticks_to_seconds(stat_field(kUserTicks) + stat_field(kSystemTicks)); });
  registry.callback_gauge("process_resident_memory_bytes", "Memory in use.", [] {
    return stat_field(kResident) * static_cast<double>(sysconf(_SC_PAGESIZE));
  });
  registry.callback_gauge("process_virtual_memory_bytes", "Memory asked for.",
                          [] { return stat_field(kVirtual); });
  registry.callback_gauge("process_open_fds", "Open files and connections.", open_files);
  registry.callback_gauge("process_max_fds", "How many of them there may be.", most_files);
  registry.callback_gauge("process_threads", "Threads.", [] { return stat_field(kThreads); });
  registry.callback_gauge("process_start_time_seconds", "When it started, in Unix time.",
                          started_at);
}

}  // namespace belfry::server

#pragma once

#include "base/clock.h"
#include "base/log/log_field.h"
#include "base/mutex.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>

namespace belfry {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError };

enum class LogFormat : std::uint8_t {
  kText,  // 2026-03-08T07:00:00.123456Z INFO node_started node=a note="two words"
  kJson,  // {"ts":"2026-03-08T07:00:00.123456Z","level":"info","event":"node_started","node":"a"}
};

// Receives finished lines, newline included, one at a time. Must not log itself.
using LogSink = std::function<void(std::string_view line)>;

// Writes each line with one write(2), so that lines of several processes on one terminal or pipe do
// not mix. Lines that cannot be written are lost: a full disk must not stop a node.
LogSink stderr_sink();

struct LogOptions {
  LogLevel least = LogLevel::kInfo;
  LogFormat format = LogFormat::kText;
};

// What happened, one line per event, for people and for machines that search:
//
//   log.info("node_started", {{"node", name}, {"partitions", 256}});
//
// Passed to its users; there is no global one. Thread-safe. Values may come from anywhere: none can
// forge a line or a field. The clock has to outlive the logger.
class Logger {
 public:
  using Fields = std::initializer_list<Field>;

  Logger(const Clock& clock, LogSink sink, LogOptions options = {});

  void debug(LogName event, Fields fields = {}) { log(LogLevel::kDebug, event, fields); }
  void info(LogName event, Fields fields = {}) { log(LogLevel::kInfo, event, fields); }
  void warn(LogName event, Fields fields = {}) { log(LogLevel::kWarn, event, fields); }
  void error(LogName event, Fields fields = {}) { log(LogLevel::kError, event, fields); }

  void log(LogLevel level, LogName event, Fields fields);

 private:
  const Clock& clock_;
  const LogOptions options_;
  Mutex mutex_;
  const LogSink sink_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry

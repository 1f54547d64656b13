#include "base/log/log.h"

#include "base/log/log_escape.h"
#include "base/text/instant_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

namespace belfry {
namespace {

struct LevelNames {
  std::string_view text;
  std::string_view json;
};

LevelNames names_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return {"DEBUG", "debug"};
    case LogLevel::kInfo: return {"INFO", "info"};
    case LogLevel::kWarn: return {"WARN", "warn"};
    case LogLevel::kError: return {"ERROR", "error"};
  }
  return {"ERROR", "error"};
}

// "-1.25": exact, unlike a double.
std::string decimal_seconds(Duration duration) {
  const bool negative = duration < Duration::zero();
  const auto count = static_cast<std::uint64_t>(duration.count());
  const std::uint64_t micros = negative ? 0 - count : count;
  std::string text =
      fmt::format("{}{}.{:06}", negative ? "-" : "", micros / 1'000'000, micros % 1'000'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Appends the value of a field in one of the two formats.
class ValueWriter {
 public:
  ValueWriter(std::string& out, LogFormat format) : out_(out), json_(format == LogFormat::kJson) {}

  void operator()(std::string_view value) const {
    json_ ? append_json_string(out_, value) : append_text_value(out_, value);
  }
  void operator()(Instant value) const { (*this)(std::string_view(format_instant(value))); }
  void operator()(Duration value) const {
    out_ += decimal_seconds(value);
    if (!json_) out_ += 's';
  }
  void operator()(double value) const {
    const std::string text = fmt::format("{}", value);
    if (std::isfinite(value)) {
      out_ += text;
    } else {
      (*this)(std::string_view(text));  // JSON has no number for it
    }
  }
  template <typename Number>
    requires std::is_integral_v<Number>
  void operator()(Number value) const {
    fmt::format_to(std::back_inserter(out_), "{}", value);
  }

 private:
  std::string& out_;
  bool json_;
};

std::string text_line(Instant now, LogLevel level, LogName event, Logger::Fields fields) {
  std::string line =
      fmt::format("{} {} {}", format_instant_micros(now), names_of(level).text, event.text());
  for (const Field& field : fields) {
    line.append(" ").append(field.key()).append("=");
    std::visit(ValueWriter(line, LogFormat::kText), field.value());
  }
  return line += '\n';
}

std::string json_line(Instant now, LogLevel level, LogName event, Logger::Fields fields) {
  std::string line = fmt::format(R"({{"ts":"{}","level":"{}","event":"{}")",
                                 format_instant_micros(now), names_of(level).json, event.text());
  for (const Field& field : fields) {
    line.append(",\"").append(field.key()).append("\":");
    std::visit(ValueWriter(line, LogFormat::kJson), field.value());
  }
  return line += "}\n";
}

void write_to_stderr(std::string_view line) {
  while (!line.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    line.remove_prefix(static_cast<std::size_t>(written));  // the rest, if a pipe took only a part
  }
}

}  // namespace

LogSink stderr_sink() {
  return write_to_stderr;
}

Logger::Logger(const Clock& clock, LogSink sink, LogOptions options)
    : clock_(clock), options_(options), sink_(std::move(sink)) {}

void Logger::log(LogLevel level, LogName event, Fields fields) {
  if (level < options_.least) return;
  const Instant now = clock_.wall_now();
  const std::string line = options_.format == LogFormat::kJson
                               ? json_line(now, level, event, fields)
                               : text_line(now, level, event, fields);
  const MutexLock lock(mutex_);
  sink_(line);
}

}  // namespace belfry

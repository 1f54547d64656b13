#include "import/job_json.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace belfry::importer {
namespace {

// How many bytes the UTF-8 character at the front of `text` has; 0 when it is not one.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  const std::uint8_t second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool beyond = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || beyond ? 0 : length;
}

std::string quote(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const char c = text.front();
    const auto code = static_cast<std::uint8_t>(c);
    if (length == 0) {
      result += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (code < 0x20) {
      result += "\\u00";
      result += kDigits[code >> 4U];
      result += kDigits[code & 0xFU];
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + '"';
}

class ObjectWriter {
 public:
  void text(std::string_view key, std::string_view value) {
    if (!value.empty()) raw(key, quote(value));
  }
  void raw(std::string_view key, std::string_view json) {
    body_ += body_.empty() ? "" : ",";
    body_ += quote(key);
    body_ += ':';
    body_ += json;
  }
  bool empty() const { return body_.empty(); }
  std::string json() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

std::string target_of(const ImportedJob& job) {
  std::string words;
  for (const std::string& word : job.command) {
    if (!words.empty()) words += ',';
    words += quote(word);
  }
  ObjectWriter target;
  target.text("kind", "EXEC");
  target.raw("command", "[" + words + "]");
  return target.json();
}

}  // namespace

std::string to_json(const ImportedJob& job) {
  ObjectWriter out;
  out.text("job_name", job.job_name);
  out.text("schedule_type", job.schedule_type);
  out.text("cron_expression", job.cron_expression);
  out.text("timezone", job.timezone);
  out.text("dst_gap", job.dst_gap);
  out.text("dst_overlap", job.dst_overlap);
  out.text("every", job.every);
  out.text("run_at", job.run_at);
  out.text("jitter", job.jitter);
  out.raw("target", target_of(job));
  if (job.max_attempts) out.raw("max_attempts", std::to_string(*job.max_attempts));
  ObjectWriter retry;
  retry.text("base", job.retry_base);
  retry.text("cap", job.retry_cap);
  if (!retry.empty()) out.raw("retry", retry.json());
  out.text("timeout", job.timeout);
  out.text("concurrency_policy", job.concurrency_policy);
  out.text("misfire_policy", job.misfire_policy);
  out.text("misfire_grace", job.misfire_grace);
  ObjectWriter labels;
  for (const auto& [key, value] : job.labels) labels.text(key, value);
  if (!labels.empty()) out.raw("labels", labels.json());
  out.text("description", job.description);
  return out.json();
}

}  // namespace belfry::importer

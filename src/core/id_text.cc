#include "core/id_text.h"

#include <algorithm>
#include <charconv>

namespace belfry::core {
namespace {

std::optional<std::uint64_t> read_hex(std::string_view text) {
  const bool digits = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  if (text.size() != 16 || !digits) return {};
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

// Takes a number and the colon after it, if there is one.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return {};
  text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
  if (text.starts_with(':')) text.remove_prefix(1);
  return number;
}

// By hand, because each run has its id in every message about it.
void put_hex(std::string& text, std::uint64_t value) {
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 0xfU];
}

}  // namespace

std::string write_job_id(JobId id) {
  std::string text;
  put_hex(text, id.value());
  return text;
}

std::optional<JobId> read_job_id(std::string_view text) {
  const auto value = read_hex(text);
  // Stores keep ids in signed numbers.
  if (!value || *value > INT64_MAX) return {};
  return JobId(*value);
}

std::string write_run_id(const RunRef& run) {
  std::string text;
  text.reserve(32);
  put_hex(text, run.job.value());
  put_hex(text, static_cast<std::uint64_t>(run.key.value()));
  return text;
}

std::optional<RunRef> read_run_id(std::string_view text) {
  if (text.size() != 32) return {};
  const auto job = read_job_id(text.substr(0, 16));
  const auto key = read_hex(text.substr(16));
  if (!job || !key) return {};
  return RunRef{*job, RunKey(static_cast<std::int64_t>(*key))};
}

std::string shown_object(const std::string& stored) {
  std::string_view rest = stored;
  const bool is_run = rest.starts_with("run:");
  if (!is_run && !rest.starts_with("job:")) return stored;
  rest.remove_prefix(4);
  const auto job = take_number(rest);
  const auto key = is_run ? take_number(rest) : std::optional<std::int64_t>(0);
  if (!job || !key || !rest.empty()) return stored;
  const JobId id(static_cast<std::uint64_t>(*job));
  return is_run ? "run:" + write_run_id({id, RunKey(*key)}) : "job:" + write_job_id(id);
}

}  // namespace belfry::core

#include "core/id_text.h"

#include <fmt/format.h>

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

}  // namespace

std::string write_job_id(JobId id) {
  return fmt::format("{:016x}", id.value());
}

std::optional<JobId> read_job_id(std::string_view text) {
  const auto value = read_hex(text);
  // Stores keep ids in signed numbers.
  if (!value || *value > INT64_MAX) return {};
  return JobId(*value);
}

std::string write_run_id(const RunRef& run) {
  return fmt::format("{:016x}{:016x}", run.job.value(),
                     static_cast<std::uint64_t>(run.key.value()));
}

std::optional<RunRef> read_run_id(std::string_view text) {
  if (text.size() != 32) return {};
  const auto job = read_job_id(text.substr(0, 16));
  const auto key = read_hex(text.substr(16));
  if (!job || !key) return {};
  return RunRef{*job, RunKey(static_cast<std::int64_t>(*key))};
}

}  // namespace belfry::core

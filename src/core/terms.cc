#include "core/terms.h"

#include "base/digest.h"

#include <cctype>
#include <string>
#include <string_view>

namespace belfry::core {
namespace {

// The upper half of the terms of a job of one instant; a digest has it once in 2^64.
constexpr std::uint64_t kOnce = 0x6f6e'6365'2061'7420;  // "once at "

// Numbers, zone and expression: no two definitions have the same text.
std::string text_of(const ScheduleSpec& schedule, const JobPolicies& policies) {
  std::string text;
  const auto add = [&](std::int64_t number) { text.append(std::to_string(number)).append(" "); };
  add(static_cast<int>(schedule.type));
  add(static_cast<int>(schedule.dialect));
  add(static_cast<int>(schedule.dst_gap));
  add(static_cast<int>(schedule.dst_overlap));
  add(schedule.every.count());
  add(static_cast<int>(policies.overlap));
  add(static_cast<int>(policies.misfire));
  add(policies.misfire_grace.count());
  add(policies.max_missed_firings);
  return text.append(schedule.timezone).append("\n").append(schedule.cron_expression);
}

// Whether an `H` stands in an expression, which draws by the job's name. One inside a word (THU,
// @hourly) is none.
bool draws_by_name(std::string_view expression) {
  char before = ' ';
  for (const char letter : expression) {
    const bool in_word = before == '@' || std::isalpha(static_cast<unsigned char>(before)) != 0;
    if ((letter == 'H' || letter == 'h') && !in_word) return true;
    before = letter;
  }
  return false;
}

std::uint64_t half_of(const Sha256& digest, std::size_t begin) {
  std::uint64_t half = 0;
  for (std::size_t i = begin; i < begin + 8; ++i) half = half << 8 | digest[i];
  return half;
}

}  // namespace

std::optional<Terms> terms_of(const JobDefinition& definition) {
  const ScheduleSpec& schedule = definition.schedule;
  const bool alone = schedule.start_at || schedule.end_at || schedule.jitter != Duration::zero() ||
                     !schedule.calendar_name.empty();
  if (alone) return std::nullopt;
  if (schedule.type == ScheduleSpec::Type::kOnce) {
    return Terms({kOnce, static_cast<std::uint64_t>(schedule.run_at.micros())});
  }
  if (draws_by_name(schedule.cron_expression)) return std::nullopt;
  const Sha256 digest = sha256(text_of(schedule, definition.policies));
  return Terms({half_of(digest, 0), half_of(digest, 8)});
}

std::optional<Instant> once_at(Terms terms) {
  if (terms.value().high != kOnce) return std::nullopt;
  return Instant::from_micros(static_cast<std::int64_t>(terms.value().low));
}

}  // namespace belfry::core

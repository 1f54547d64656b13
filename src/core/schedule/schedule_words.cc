#include "core/schedule/schedule_words.h"

#include "base/text/instant_text.h"
#include "core/cron/describe.h"
#include "core/cron/every.h"

#include <chrono>
#include <variant>

namespace belfry::core {

Result<ScheduleWords> put_in_words(const ScheduleSpec& spec, const Schedule& schedule,
                                   Instant from) {
  using std::chrono::floor;
  using std::chrono::seconds;
  if (spec.type == ScheduleSpec::Type::kOnce) {
    return ScheduleWords{.sentence = "Once, at " + format_instant(spec.run_at), .warnings = {}};
  }
  if (spec.type == ScheduleSpec::Type::kEvery) {
    return ScheduleWords{.sentence = describe_every(floor<seconds>(spec.every)), .warnings = {}};
  }
  if (is_every(spec.cron_expression)) {
    BELFRY_TRY(interval, parse_every(spec.cron_expression));
    return ScheduleWords{.sentence = describe_every(interval), .warnings = {}};
  }
  BELFRY_TRY(syntax, parse_syntax(spec.cron_expression, spec.dialect, spec.key));
  ScheduleWords words{.sentence = describe(syntax), .warnings = {}};
  if (const auto* rule = std::get_if<CronRule>(&schedule.rhythm().rule())) {
    words.warnings =
        warnings_for(syntax, *rule, spec.dst_gap == DstGap::kSkip, floor_unix_seconds(from));
  }
  return words;
}

}  // namespace belfry::core

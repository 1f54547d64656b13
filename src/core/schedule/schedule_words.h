#pragma once

#include "base/result.h"
#include "core/cron/warnings.h"
#include "core/schedule/schedule.h"

#include <string>
#include <vector>

namespace belfry::core {

// What a schedule means, for people.
struct ScheduleWords {
  std::string sentence;           // "At 02:30 every day"
  std::vector<Warning> warnings;  // gravest first
};

// `schedule` is the compiled `spec`; warnings are about the time after `from`.
Result<ScheduleWords> put_in_words(const ScheduleSpec& spec, const Schedule& schedule,
                                   Instant from);

}  // namespace belfry::core

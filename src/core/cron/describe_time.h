#pragma once

#include "core/cron/expression.h"
#include "core/cron/syntax.h"

#include <string>

namespace belfry::core {

// The first half of a sentence: what the second, minute and hour fields say.
struct TimePhrase {
  std::string text;       // "Every 15 minutes", "At 02:30"
  bool every_hour;        // hours are not restricted, so "every day" goes without saying
  bool ends_in_a_clause;  // "... from 08:00 to 18:59": a comma has to come before the days
};

TimePhrase describe_time(const CronSyntax& syntax, const CronExpression& expression);

}  // namespace belfry::core

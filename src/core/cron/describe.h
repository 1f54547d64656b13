#pragma once

#include "core/cron/syntax.h"

#include <chrono>
#include <string>

namespace belfry::core {

// One plain-English sentence (no full stop) that says exactly when an expression fires:
//   "At 09:00, Monday to Friday", "Every 7 minutes from the full hour (0, 7, … 56)",
//   "At 00:00 on the 13th of every month or on any Friday".
// Exact means: two expressions that compile to different CronExpressions have different sentences.
// So it also tells an interval job ("Every 2 hours from 00:00") from one about times of day
// ("Every 2 hours from 00:00 to 22:00"). `H` is described by the values it stands for.
std::string describe(const CronSyntax& syntax);

// The same for `@every`: "Every minute", "Every 90 seconds", "Every 1 hour 30 minutes". Hours are
// the largest unit, because not every day has 24 of them.
std::string describe_every(std::chrono::seconds interval);

}  // namespace belfry::core

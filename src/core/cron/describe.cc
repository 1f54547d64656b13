#include "core/cron/describe.h"

#include "core/cron/compile.h"
#include "core/cron/describe_days.h"
#include "core/cron/describe_time.h"
#include "core/cron/words.h"

#include <vector>

namespace belfry::core {

std::string describe(const CronSyntax& syntax) {
  const CronExpression expression = compile(syntax);
  const TimePhrase time = describe_time(syntax, expression);
  return time.text + describe_days(expression, time);
}

std::string describe_every(std::chrono::seconds interval) {
  const std::int64_t total = interval.count();
  if (total == 1) return "Every second";
  if (total == 60) return "Every minute";
  if (total == 3600) return "Every hour";
  if (total < 120) return "Every " + counted(total, "second");  // 90 seconds, as people say
  std::vector<std::string> parts;
  if (total >= 3600) parts.push_back(counted(total / 3600, "hour"));
  if (total / 60 % 60 != 0) parts.push_back(counted(total / 60 % 60, "minute"));
  if (total % 60 != 0) parts.push_back(counted(total % 60, "second"));
  std::string text = "Every";
  for (const std::string& part : parts) text += " " + part;
  return text;
}

}  // namespace belfry::core

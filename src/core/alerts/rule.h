#pragma once

#include "base/json.h"
#include "base/result.h"
#include "base/time.h"
#include "core/spelling.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A rule that watches jobs: when it holds, of which jobs, and who is told.
namespace belfry::core {

enum class AlertWhen : std::uint8_t {
  kFailedInARow,    // `count` runs in a row failed for good
  kFailures,        // `count` runs failed within `window`
  kNotStarted,      // a run that is due has not been started for `after`
  kLate,            // a run began, or could not begin, more than `after` behind its time
  kRunning,         // a run goes on for `after`, or for `times_usual` of what it usually takes
  kMissed,          // ticks were missed beyond what their job allows
  kNoWorker,        // runs of a type wait for `after`, and nobody has any in hand
  kDeadLetters,     // there are more than `count`
  kScheduleBroken,  // a schedule cannot be evaluated: its zone, or one of its calendar, is gone
  kClockOffset,     // a node's clock and the database's differ by `after` or more
};

inline constexpr Words<AlertWhen, 10> kAlertWhens{{{"failed_in_a_row", AlertWhen::kFailedInARow},
                                                   {"failures", AlertWhen::kFailures},
                                                   {"not_started", AlertWhen::kNotStarted},
                                                   {"late", AlertWhen::kLate},
                                                   {"running", AlertWhen::kRunning},
                                                   {"missed", AlertWhen::kMissed},
                                                   {"no_worker", AlertWhen::kNoWorker},
                                                   {"dead_letters", AlertWhen::kDeadLetters},
                                                   {"schedule_broken", AlertWhen::kScheduleBroken},
                                                   {"clock_offset", AlertWhen::kClockOffset}}};

// Whether what it finds is wrong with a job; otherwise with a type, a node, or all jobs together.
constexpr bool is_about_jobs(AlertWhen when) {
  return when != AlertWhen::kNoWorker && when != AlertWhen::kDeadLetters &&
         when != AlertWhen::kClockOffset;
}

// Which jobs; what is empty asks for nothing.
struct AlertScope {
  std::string job;  // its name
  std::string job_type;
  std::vector<std::string> labels;  // each `key=value`; all must match
};

struct AlertRule {
  std::string name;
  AlertWhen when{};
  std::int64_t count = 0;
  Duration window{};
  Duration after{};
  std::int64_t times_usual = 0;  // 0: `after` decides
  AlertScope scope;
  bool recovered = true;  // whether the end is told as well
  Duration group_wait{};  // what changes within this time is told together
  std::string quiet_calendar;
  std::vector<std::string> receivers;  // JSON, each
};

// As the store keeps a rule. kInvalid when the text is not such a rule.
std::string write_alert_rule(const AlertRule& rule);
Result<AlertRule> read_alert_rule(const std::string& name, const std::string& definition);

// The same for the scope of a silence.
Json write_alert_scope(const AlertScope& scope);
AlertScope read_alert_scope(const Json& json);

}  // namespace belfry::core

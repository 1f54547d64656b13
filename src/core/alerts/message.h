#pragma once

#include "base/ids.h"
#include "core/alerts/rule.h"

#include <span>
#include <string>
#include <vector>

// What receivers are told: one text for all that changed together.
namespace belfry::core {

struct AlertNews {
  std::uint64_t id = 0;  // of the alert
  std::string subject;
  std::string sentence;
  Instant since;
  std::optional<Instant> resolved_at;
};

struct AlertNotice {
  std::string rule;
  Instant at;
  std::vector<AlertNews> opened;
  std::vector<AlertNews> recovered;
};

// One line: "backup-7: 500 jobs: a, b, c and 497 more".
std::string alert_summary(const AlertNotice& notice);

// The body for a receiver of this form: JSON with the first kMostNamedAlerts of each kind and how
// many there are; for `slack` {"text": ...}; for mail {"subject": ..., "text": ...}.
inline constexpr std::size_t kMostNamedAlerts = 50;
std::string alert_body(const AlertNotice& notice, const Json& receiver);

// Where messages to such a receiver wait.
std::string alert_queue(const Json& receiver);

}  // namespace belfry::core

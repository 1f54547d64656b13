#pragma once

#include "core/job.h"
#include "core/spelling.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What people do to jobs, to one or to many, and whether a job lets it happen.
namespace belfry::core {

// The numbers are in databases.
enum class JobAction : std::uint8_t {
  kPause = 0,
  kResume = 1,
  kCancel = 2,
  kDelete = 3,
  kTrigger = 4,
  kLabel = 5,
};
inline constexpr Words<JobAction, 6> kJobActions{{{"pause", JobAction::kPause},
                                                  {"resume", JobAction::kResume},
                                                  {"cancel", JobAction::kCancel},
                                                  {"delete", JobAction::kDelete},
                                                  {"trigger", JobAction::kTrigger},
                                                  {"label", JobAction::kLabel}}};

enum class ActionVerdict : std::uint8_t {
  kGo,
  kAlready,      // it is like that
  kIsCancelled,  // for good: only replacing the job brings it back
  kIsOver,       // it has no ticks to come, so there is nothing to pause
};

// Whether an action has something to do on a job in this state (status_at). Pausing a paused job
// gives it another end and another note; a selection of many leaves it alone (`is_one` is false).
ActionVerdict judge(JobAction action, JobStatus status, bool is_one = true);

// The status that an action gives a job; none for those that leave it.
std::optional<JobStatus> status_after(JobAction action);

// What becomes of a stopped job's runs that wait: they are kept (so that they still run), or
// cancelled.
inline constexpr Words<bool, 2> kReadyRuns{{{"keep", false}, {"cancel", true}}};

// Labels to give, and names of labels to take away.
struct LabelEdit {
  std::string set = "{}";  // JSON: name to text
  std::vector<std::string> remove;
};

inline constexpr std::size_t kMostLabels = 64;
// One word without `=` and `,`.
bool is_label_name(std::string_view name);

// A job's labels after the edit; none if they are as before, or would be too many.
std::optional<std::string> edited_labels(const std::string& labels, const LabelEdit& edit);

}  // namespace belfry::core

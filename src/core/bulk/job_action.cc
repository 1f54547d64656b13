#include "core/bulk/job_action.h"

#include "base/json.h"

namespace belfry::core {

ActionVerdict judge(JobAction action, JobStatus status, bool is_one) {
  const bool is_cancelled = status == JobStatus::kCancelled;
  switch (action) {
    case JobAction::kPause:
      if (is_cancelled || status == JobStatus::kCompleted) return ActionVerdict::kIsOver;
      if (status == JobStatus::kPaused && !is_one) return ActionVerdict::kAlready;
      return ActionVerdict::kGo;
    case JobAction::kResume:
      if (is_cancelled) return ActionVerdict::kIsCancelled;
      // Whoever names a completed job wants it back; of many, only paused ones are meant.
      if (status == JobStatus::kCompleted && !is_one) return ActionVerdict::kIsOver;
      return status == JobStatus::kActive ? ActionVerdict::kAlready : ActionVerdict::kGo;
    case JobAction::kCancel: return is_cancelled ? ActionVerdict::kAlready : ActionVerdict::kGo;
    case JobAction::kDelete:
      return status == JobStatus::kDeleted ? ActionVerdict::kAlready : ActionVerdict::kGo;
    case JobAction::kTrigger:
    case JobAction::kLabel: break;
  }
  return ActionVerdict::kGo;
}

std::optional<JobStatus> status_after(JobAction action) {
  switch (action) {
    case JobAction::kPause: return JobStatus::kPaused;
    case JobAction::kResume: return JobStatus::kActive;
    case JobAction::kCancel: return JobStatus::kCancelled;
    case JobAction::kDelete: return JobStatus::kDeleted;
    case JobAction::kTrigger:
    case JobAction::kLabel: break;
  }
  return {};
}

bool is_label_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 &&
         name.find_first_of("=, \n\t\r") == std::string_view::npos;
}

std::optional<std::string> edited_labels(const std::string& labels, const LabelEdit& edit) {
  const Json before = parse_json(labels).value_or(Json::object());
  Json after = before;
  for (const std::string& name : edit.remove) after.erase(name);
  const Json set = parse_json(edit.set).value_or(Json::object());
  for (const auto& [name, value] : set.items()) after[name] = value;
  // Compared without order: a store may keep the names in another one.
  const bool same = nlohmann::json(before) == nlohmann::json(after);
  if (same || after.size() > kMostLabels) return {};
  return write_json(after);
}

}  // namespace belfry::core

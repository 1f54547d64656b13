#pragma once

#include "core/job.h"
#include "core/run.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

// How contract.md spells each choice: one table for reading and writing.
namespace belfry::api {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<std::string_view, Enum>, N>;

template <typename Enum, std::size_t N>
constexpr std::string_view word_for(Enum value, const Words<Enum, N>& words) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return "";
}
template <typename Enum, std::size_t N>
constexpr std::optional<Enum> meaning_of(std::string_view text, const Words<Enum, N>& words) {
  for (const auto& [word, meaning] : words) {
    if (word == text) return meaning;
  }
  return {};
}

inline constexpr Words<core::ScheduleSpec::Type, 3> kScheduleTypes{
    {{"CRON", core::ScheduleSpec::Type::kCron},
     {"EVERY", core::ScheduleSpec::Type::kEvery},
     {"ONCE", core::ScheduleSpec::Type::kOnce}}};
inline constexpr Words<core::Dialect, 2> kDialects{
    {{"standard", core::Dialect::kStandard}, {"quartz", core::Dialect::kQuartz}}};
inline constexpr Words<core::DstGap, 2> kDstGaps{
    {{"RUN_AFTER", core::DstGap::kRunAfter}, {"SKIP", core::DstGap::kSkip}}};
inline constexpr Words<core::DstOverlap, 2> kDstOverlaps{
    {{"FIRST", core::DstOverlap::kFirst}, {"BOTH", core::DstOverlap::kBoth}}};
inline constexpr Words<core::OverlapPolicy, 4> kConcurrencyPolicies{
    {{"FORBID", core::OverlapPolicy::kForbid},
     {"ALLOW", core::OverlapPolicy::kAllow},
     {"REPLACE", core::OverlapPolicy::kReplace},
     {"QUEUE_ONE", core::OverlapPolicy::kQueueOne}}};
inline constexpr Words<core::MisfirePolicy, 3> kMisfirePolicies{
    {{"FIRE_ONCE", core::MisfirePolicy::kFireOnce},
     {"SKIP", core::MisfirePolicy::kSkip},
     {"FIRE_ALL", core::MisfirePolicy::kFireAll}}};
inline constexpr Words<core::JobStatus, 5> kJobStatuses{{{"ACTIVE", core::JobStatus::kActive},
                                                         {"PAUSED", core::JobStatus::kPaused},
                                                         {"CANCELLED", core::JobStatus::kCancelled},
                                                         {"COMPLETED", core::JobStatus::kCompleted},
                                                         {"DELETED", core::JobStatus::kDeleted}}};
inline constexpr Words<core::RunState, 8> kRunStates{{{"READY", core::RunState::kReady},
                                                      {"RUNNING", core::RunState::kRunning},
                                                      {"RETRYING", core::RunState::kRetrying},
                                                      {"SUCCEEDED", core::RunState::kSucceeded},
                                                      {"FAILED", core::RunState::kFailed},
                                                      {"DEAD", core::RunState::kDead},
                                                      {"CANCELLED", core::RunState::kCancelled},
                                                      {"TIMED_OUT", core::RunState::kTimedOut}}};
inline constexpr Words<core::RunOrigin, 4> kRunOrigins{{{"SCHEDULE", core::RunOrigin::kSchedule},
                                                        {"MANUAL", core::RunOrigin::kManual},
                                                        {"BACKFILL", core::RunOrigin::kBackfill},
                                                        {"RETRY", core::RunOrigin::kRetry}}};
inline constexpr Words<core::AttemptOutcome, 5> kAttemptOutcomes{
    {{"SUCCEEDED", core::AttemptOutcome::kSucceeded},
     {"FAILED", core::AttemptOutcome::kFailed},
     {"TIMED_OUT", core::AttemptOutcome::kTimedOut},
     {"LEASE_LOST", core::AttemptOutcome::kLeaseLost},
     {"CANCELLED", core::AttemptOutcome::kCancelled}}};

}  // namespace belfry::api

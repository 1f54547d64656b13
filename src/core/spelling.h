#pragma once

#include "core/job.h"
#include "core/run.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

// How users spell each choice: one table for reading and writing.
namespace belfry::core {

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

inline constexpr Words<ScheduleSpec::Type, 3> kScheduleTypes{{{"CRON", ScheduleSpec::Type::kCron},
                                                              {"EVERY", ScheduleSpec::Type::kEvery},
                                                              {"ONCE", ScheduleSpec::Type::kOnce}}};
inline constexpr Words<Dialect, 2> kDialects{
    {{"standard", Dialect::kStandard}, {"quartz", Dialect::kQuartz}}};
inline constexpr Words<DstGap, 2> kDstGaps{
    {{"RUN_AFTER", DstGap::kRunAfter}, {"SKIP", DstGap::kSkip}}};
inline constexpr Words<DstOverlap, 2> kDstOverlaps{
    {{"FIRST", DstOverlap::kFirst}, {"BOTH", DstOverlap::kBoth}}};
inline constexpr Words<CalendarPolicy, 2> kCalendarPolicies{
    {{"SKIP", CalendarPolicy::kSkip}, {"DELAY", CalendarPolicy::kDelay}}};
inline constexpr Words<OverlapPolicy, 4> kConcurrencyPolicies{
    {{"FORBID", OverlapPolicy::kForbid},
     {"ALLOW", OverlapPolicy::kAllow},
     {"REPLACE", OverlapPolicy::kReplace},
     {"QUEUE_ONE", OverlapPolicy::kQueueOne}}};
inline constexpr Words<MisfirePolicy, 3> kMisfirePolicies{{{"FIRE_ONCE", MisfirePolicy::kFireOnce},
                                                           {"SKIP", MisfirePolicy::kSkip},
                                                           {"FIRE_ALL", MisfirePolicy::kFireAll}}};
inline constexpr Words<RunIn, 2> kRunIns{{{"home", RunIn::kHome}, {"any", RunIn::kAny}}};
inline constexpr Words<JobStatus, 5> kJobStatuses{{{"ACTIVE", JobStatus::kActive},
                                                   {"PAUSED", JobStatus::kPaused},
                                                   {"CANCELLED", JobStatus::kCancelled},
                                                   {"COMPLETED", JobStatus::kCompleted},
                                                   {"DELETED", JobStatus::kDeleted}}};
inline constexpr Words<RunState, 8> kRunStates{{{"READY", RunState::kReady},
                                                {"RUNNING", RunState::kRunning},
                                                {"RETRYING", RunState::kRetrying},
                                                {"SUCCEEDED", RunState::kSucceeded},
                                                {"FAILED", RunState::kFailed},
                                                {"DEAD", RunState::kDead},
                                                {"CANCELLED", RunState::kCancelled},
                                                {"TIMED_OUT", RunState::kTimedOut}}};
inline constexpr Words<DeadReason, 5> kDeadReasons{
    {{"attempts", DeadReason::kAttempts},
     {"permanent", DeadReason::kPermanent},
     {"not_started", DeadReason::kNotStarted},
     {"unknown_handler", DeadReason::kUnknownHandler},
     {"unstuck", DeadReason::kUnstuck}}};
inline constexpr Words<RunOrigin, 4> kRunOrigins{{{"SCHEDULE", RunOrigin::kSchedule},
                                                  {"MANUAL", RunOrigin::kManual},
                                                  {"BACKFILL", RunOrigin::kBackfill},
                                                  {"RETRY", RunOrigin::kRetry}}};
inline constexpr Words<AttemptOutcome, 5> kAttemptOutcomes{
    {{"SUCCEEDED", AttemptOutcome::kSucceeded},
     {"FAILED", AttemptOutcome::kFailed},
     {"TIMED_OUT", AttemptOutcome::kTimedOut},
     {"LEASE_LOST", AttemptOutcome::kLeaseLost},
     {"CANCELLED", AttemptOutcome::kCancelled}}};

}  // namespace belfry::core

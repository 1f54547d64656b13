#pragma once

#include "base/ids.h"
#include "base/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What is wrong, since when, and what to do: one answer for /readyz, /cluster, `belfry doctor`,
// explain and the metrics.
namespace belfry::service {

// The words are stable: API, metrics and docs use them.
enum class TroubleCode : std::uint8_t {
  kDatabaseAway,
  kDiskFull,
  kDatabaseSlow,
  kLoading,
  kBehind,
  kPartitionsUnowned,
  kNodeLost,
  kClockOffset,
  kClockStepped,
  kNoWorker,
  kWorkersBusy,
  kBrokerUnknown,
  kBrokerAway,
  kEndpointAway,
  kCatchingUp,
  kTypeLimit,
  kAlertsUndelivered,
  kLedgerViolated,
  kCommitsLost,
  kArchiveStuck,
};

inline constexpr std::array<std::string_view, 20> kTroubleWords{
    "database_away", "disk_full",          "database_slow",   "loading",       "behind",
    "unowned",       "node_lost",          "clock_offset",    "clock_stepped", "no_worker",
    "workers_busy",  "broker_unknown",     "broker_away",     "endpoint_away", "catching_up",
    "type_limit",    "alerts_undelivered", "ledger_violated", "commits_lost",  "archive_stuck"};

constexpr std::string_view name_of(TroubleCode code) {
  return kTroubleWords.at(static_cast<std::size_t>(code));
}

// What the subject of a trouble is.
enum class Subject : std::uint8_t { kNone, kNode, kQueue, kHost, kRule };

constexpr Subject subject_of(TroubleCode code) {
  switch (code) {
    case TroubleCode::kBehind:
    case TroubleCode::kLedgerViolated:
    case TroubleCode::kPartitionsUnowned: return Subject::kNone;
    case TroubleCode::kNoWorker:
    case TroubleCode::kWorkersBusy:
    case TroubleCode::kBrokerUnknown:
    case TroubleCode::kBrokerAway:
    case TroubleCode::kCatchingUp:
    case TroubleCode::kTypeLimit: return Subject::kQueue;
    case TroubleCode::kEndpointAway: return Subject::kHost;
    case TroubleCode::kAlertsUndelivered: return Subject::kRule;
    case TroubleCode::kDatabaseAway:
    case TroubleCode::kDiskFull:
    case TroubleCode::kDatabaseSlow:
    case TroubleCode::kLoading:
    case TroubleCode::kNodeLost:
    case TroubleCode::kClockOffset:
    case TroubleCode::kClockStepped:
    case TroubleCode::kCommitsLost:
    case TroubleCode::kArchiveStuck: break;
  }
  return Subject::kNode;
}

// A note asks nobody to do anything. What is critical keeps ticks from being decided.
enum class Severity : std::uint8_t { kNote, kWarning, kCritical };

std::string_view name_of(Severity severity);

struct Trouble {
  TroubleCode code{};
  Severity severity{};
  std::string subject;             // its name; a queue's is that of core/queue.h
  std::optional<TenantId> tenant;  // only this one may know; none: everybody
  std::optional<Instant> since;
  std::optional<RegionNo> region;  // of a queue: only runs for workers of this one
  std::string sentence;
  std::string remedy;
};

// Whether a node with this trouble can neither decide nor serve.
bool is_unready(TroubleCode code);

}  // namespace belfry::service

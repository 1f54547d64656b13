#pragma once

#include "base/json.h"
#include "base/time.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace belfry::worker {

// How a handler ended its attempt.
struct Outcome {
  enum class Kind : std::uint8_t {
    kDone,
    kFailed,         // tried again as the job's policy says
    kFailedForGood,  // trying again is useless: a dead letter at once
    kCancelled,      // it was told to stop, and did
  };

  Kind kind = Kind::kDone;
  Json result;
  std::string error;
  std::optional<Duration> retry_after = {};  // with kFailed: no sooner, whatever the policy says
};

inline Outcome done(Json result = nullptr) {
  return {.kind = Outcome::Kind::kDone, .result = std::move(result)};
}
inline Outcome failed(std::string error) {
  return {.kind = Outcome::Kind::kFailed, .error = std::move(error)};
}
inline Outcome failed_for_good(std::string error) {
  return {.kind = Outcome::Kind::kFailedForGood, .error = std::move(error)};
}
inline Outcome retry_in(Duration wait, std::string error) {
  return {.kind = Outcome::Kind::kFailed, .error = std::move(error), .retry_after = wait};
}
inline Outcome cancelled(std::string error = "cancelled") {
  return {.kind = Outcome::Kind::kCancelled, .error = std::move(error)};
}

}  // namespace belfry::worker

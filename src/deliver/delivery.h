#pragma once

#include "base/ids.h"
#include "base/json.h"
#include "base/time.h"
#include "core/run.h"

#include <cstdint>
#include <functional>
#include <string>

// A run on its way to its target, and how the way ends: plain values.
namespace belfry::deliver {

using core::RunGrant;

struct Delivery {
  RunGrant grant;
  std::string run_id;  // as the API writes it; the receiver's idempotency key
  std::string job_id;  // empty: it is no run, but tells of an alert
  std::string job_name;
  std::string job_type;
  std::string event = "belfry.run.due.v1";  // what it is, as CloudEvents name it
  TenantId tenant;
  AttemptNo attempt;
  Instant scheduled_for;
  std::int64_t stands_for = 1;
  Json target;
  std::string payload;                       // JSON
  Duration timeout{};                        // of this attempt, from its claim on
  BootInstant give_up_at;                    // when that is over
  BootInstant granted = BootInstant::max();  // no later than this; max: just now
  std::string traceparent;                   // of this attempt
};

enum class Ending : std::uint8_t {
  kSucceeded,
  kFailed,
  kTimedOut,
  kCancelled,
  kPutOff,      // nothing was tried: it waits, and no attempt is used up
  kHandedOver,  // the receiver goes on by itself and will report: only the lease must last
};

struct Outcome {
  Ending ending{};
  std::string result;     // JSON; empty: none
  std::string error;      // begins with one word that names it: "tls: ..."
  bool retryable = true;  // of a failure
  Duration wait{};        // of a failure: try no sooner; if put off: how long
};

// Called once for each delivery, from any thread, without a lock held.
using Done = std::function<void(Outcome)>;

Outcome succeeded(std::string result);
Outcome failed(std::string_view name, std::string_view what);  // worth another try
Outcome failed_for_good(std::string_view name, std::string_view what);
Outcome put_off(Duration wait);

}  // namespace belfry::deliver

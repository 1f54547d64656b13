#pragma once

#include "base/bits128.h"
#include "base/ids.h"
#include "base/strong.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::trace {

using TraceId = Strong<struct TraceIdTag, Bits128>;
using SpanId = Strong<struct SpanIdTag, std::uint64_t>;  // 0: none

// A span of a trace, and whether anybody records it: what W3C calls a trace context.
struct Place {
  TraceId trace;
  SpanId span;
  bool is_sampled = true;
  friend bool operator==(const Place&, const Place&) = default;
};

// What happens to a run; each step has its span. Fences tell apart those of several attempts.
enum class Step : std::uint8_t { kAttempt, kTick, kDecide, kClaim, kDelivery, kTrigger };

// A step's place. A run has one trace, which depends on nothing but its id as the API writes it:
// every process that knows the run gets the same answer. Of all runs, `ratio` are sampled.
Place place_of(std::string_view run_id, Step step, Fence fence, double ratio);

// "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
std::string write_traceparent(const Place& place);
// None for what is no traceparent of a version we can read.
std::optional<Place> read_traceparent(std::string_view text);

}  // namespace belfry::trace

#include "trace/place.h"

#include "base/digest.h"

#include <fmt/format.h>

#include <cmath>

namespace belfry::trace {
namespace {

// Fences need fewer bits for as long as a database lives.
constexpr int kStepShift = 60;

Bits128 first_half(const Sha256& digest) {
  Bits128 bits;
  for (std::size_t i = 0; i < 8; ++i) {
    bits.high = bits.high << 8 | digest[i];
    bits.low = bits.low << 8 | digest[i + 8];
  }
  return bits;
}

// The same ids are sampled at every ratio above theirs, as OpenTelemetry's own samplers have it.
bool is_sampled(const TraceId& trace, double ratio) {
  constexpr int kBits = 56;
  const std::uint64_t place = trace.value().low & ((std::uint64_t{1} << kBits) - 1);
  return static_cast<double>(place) < std::ldexp(ratio, kBits);
}

std::optional<std::uint64_t> read_hex(std::string_view text) {
  std::uint64_t number = 0;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && (c < 'a' || c > 'f')) return std::nullopt;
    number = number << 4 | static_cast<std::uint64_t>(is_digit ? c - '0' : c - 'a' + 10);
  }
  return number;
}

}  // namespace

Place place_of(std::string_view run_id, Step step, Fence fence, double ratio) {
  const TraceId trace(first_half(sha256(run_id)));
  return {.trace = trace,
          .span = SpanId(static_cast<std::uint64_t>(step) << kStepShift | fence.value()),
          .is_sampled = is_sampled(trace, ratio)};
}

std::string write_traceparent(const Place& place) {
  return fmt::format("00-{}-{:016x}-{}", to_hex(place.trace), place.span.value(),
                     place.is_sampled ? "01" : "00");
}

std::optional<Place> read_traceparent(std::string_view text) {
  constexpr std::size_t kLength = 55;
  if (text.size() < kLength || text[2] != '-' || text[35] != '-' || text[52] != '-') return {};
  const auto version = read_hex(text.substr(0, 2));
  const auto high = read_hex(text.substr(3, 16));
  const auto low = read_hex(text.substr(19, 16));
  const auto span = read_hex(text.substr(36, 16));
  const auto flags = read_hex(text.substr(53, 2));
  if (!version || !high || !low || !span || !flags || *version == 0xff) return {};
  // Later versions may append, behind another dash.
  const bool is_long = text.size() > kLength;
  if (is_long && (*version == 0 || text[kLength] != '-')) return {};
  if ((*high == 0 && *low == 0) || *span == 0) return {};
  return Place{
      .trace = TraceId({*high, *low}), .span = SpanId(*span), .is_sampled = (*flags & 1U) != 0};
}

}  // namespace belfry::trace

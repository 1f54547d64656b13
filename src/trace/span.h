#pragma once

#include "base/time.h"
#include "trace/place.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace belfry::trace {

enum class Kind : std::uint8_t {  // as OTLP numbers them
  kInternal = 1,
  kServer = 2,
  kClient = 3,
  kProducer = 4,
};

using Attribute = std::pair<std::string, std::variant<std::string, std::int64_t>>;

// One step, once it is over.
struct Span {
  Place place;
  SpanId parent = {};  // none: the root of its trace
  std::string name;
  Kind kind = Kind::kInternal;
  Instant start = {};
  Instant end = {};
  std::vector<Attribute> attributes = {};
  std::optional<Place> link = {};  // a span of another trace that has to do with it
  bool has_failed = false;
  std::string error = {};  // with has_failed
  // Called on the exporter's thread before the span is sent, for what takes time to find out.
  std::function<void(Span&)> complete = {};
};

}  // namespace belfry::trace

#pragma once

#include "trace/span.h"

#include <span>
#include <string>
#include <vector>

namespace belfry::trace {

// Who sends the spans.
struct Resource {
  std::vector<Attribute> attributes;  // "service.name" and so on
  std::string version;                // of what made the spans
};

// An ExportTraceServiceRequest: what collectors take at /v1/traces, as application/x-protobuf.
std::string encode_request(const Resource& resource, std::span<const Span> spans);

}  // namespace belfry::trace

#include "trace/otlp.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace belfry::trace {
namespace {

// Writes a protobuf message, field by field. OTLP needs four kinds of fields, and a generated class
// for each of its messages would be the larger part of this module.
class Message {
 public:
  void number(std::uint32_t field, std::uint64_t value) {
    tag(field, kVarint);
    varint(value);
  }
  void fixed64(std::uint32_t field, std::uint64_t value) {
    tag(field, kFixed64);
    fixed(value, 8);
  }
  void fixed32(std::uint32_t field, std::uint32_t value) {
    tag(field, kFixed32);
    fixed(value, 4);
  }
  void bytes(std::uint32_t field, std::string_view value) {
    tag(field, kBytes);
    varint(value.size());
    out_ += value;
  }
  void message(std::uint32_t field, const Message& value) { bytes(field, value.out_); }

  std::string take() { return std::move(out_); }

 private:
  enum WireType : std::uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

  void tag(std::uint32_t field, WireType type) { varint(field << 3 | type); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }
  void fixed(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out_ += static_cast<char>(value >> 8 * i);
  }

  std::string out_;
};

std::string big_endian(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

std::string bytes_of(const TraceId& trace) {
  return big_endian(trace.value().high) + big_endian(trace.value().low);
}

std::string bytes_of(SpanId span) {
  return big_endian(span.value());
}

std::uint64_t nanoseconds(Instant instant) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(instant.micros(), 0)) * 1'000;
}

Message attribute_of(const Attribute& attribute) {
  Message value;
  if (const auto* const text = std::get_if<std::string>(&attribute.second)) {
    value.bytes(1, *text);
  } else {
    value.number(3, static_cast<std::uint64_t>(std::get<std::int64_t>(attribute.second)));
  }
  Message pair;
  pair.bytes(1, attribute.first);
  pair.message(2, value);
  return pair;
}

Message link_of(const Place& place) {
  Message link;
  link.bytes(1, bytes_of(place.trace));
  link.bytes(2, bytes_of(place.span));
  link.fixed32(6, place.is_sampled ? 1 : 0);
  return link;
}

Message status_of(const Span& span) {
  constexpr std::uint64_t kError = 2;
  Message status;
  if (!span.error.empty()) status.bytes(2, span.error);
  status.number(3, kError);
  return status;
}

Message message_of(const Span& span) {
  Message to;
  to.bytes(1, bytes_of(span.place.trace));
  to.bytes(2, bytes_of(span.place.span));
  if (span.parent != SpanId()) to.bytes(4, bytes_of(span.parent));
  to.bytes(5, span.name);
  to.number(6, static_cast<std::uint64_t>(span.kind));
  to.fixed64(7, nanoseconds(std::min(span.start, span.end)));
  to.fixed64(8, nanoseconds(span.end));
  for (const Attribute& attribute : span.attributes) to.message(9, attribute_of(attribute));
  if (span.link) to.message(13, link_of(*span.link));
  if (span.has_failed) to.message(15, status_of(span));
  to.fixed32(16, span.place.is_sampled ? 1 : 0);
  return to;
}

}  // namespace

std::string encode_request(const Resource& resource, std::span<const Span> spans) {
  Message about;
  for (const Attribute& attribute : resource.attributes) about.message(1, attribute_of(attribute));
  Message scope;
  scope.bytes(1, "belfry");
  scope.bytes(2, resource.version);
  Message of_scope;
  of_scope.message(1, scope);
  for (const Span& span : spans) of_scope.message(2, message_of(span));
  Message of_resource;
  of_resource.message(1, about);
  of_resource.message(2, of_scope);
  Message request;
  request.message(1, of_resource);
  return request.take();
}

}  // namespace belfry::trace

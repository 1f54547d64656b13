#include "core/cron/hash.h"

#include "core/cron/syntax.h"

#include <cstddef>

namespace belfry::core {
namespace {

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100'0000'01b3;
  }
  return hash;
}

// The text of a hashed element with its values; Quartz counts weekdays from 1.
std::string written_out(const Element& element, int shift) {
  std::string text;
  for (int value = element.first; value <= element.last; value += element.step) {
    if (!text.empty()) text += ',';
    text += std::to_string(value + shift);
  }
  return text;
}

}  // namespace

// FNV-1a alone leaves neighbouring fields correlated; the finalizer of splitmix64 makes minute and
// hour independent, so that keys spread over the whole day.
std::uint64_t hash_for_field(std::string_view key, Field field) {
  std::uint64_t x = fnv1a(key) + (static_cast<std::uint64_t>(field) + 1) * 0x9e37'79b9'7f4a'7c15;
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
  return x ^ x >> 31;
}

Result<std::string> resolve_hash(std::string_view text, Dialect dialect, std::string_view key) {
  BELFRY_TRY(syntax, parse_syntax(text, dialect, key));
  std::string resolved;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    const bool counts_from_one =
        dialect == Dialect::kQuartz && static_cast<Field>(i) == Field::kDayOfWeek;
    for (const Element& element : syntax.fields[i].elements) {
      if (!element.hashed) continue;
      resolved += text.substr(copied, element.span.begin - copied);
      resolved += written_out(element, counts_from_one ? 1 : 0);
      copied = element.span.begin + element.span.length;
    }
  }
  return resolved.append(text.substr(copied));
}

}  // namespace belfry::core

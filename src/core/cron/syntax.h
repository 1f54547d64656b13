#pragma once

#include "base/error.h"
#include "base/result.h"
#include "core/cron/field.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The grammar of cron expressions: text in, a tree of what was written out. What a tree means is
// said by compile.h (sets), describe.h (words) and hash.h (`H` written out).
namespace belfry::core {

// One comma-separated element of a field. Numbers are in standard terms whatever the dialect:
// weekdays 0 = Sunday ... 6 = Saturday, 7 only as the end of a range.
struct Element {
  enum class Kind : std::uint8_t {
    kAll,               // `*` or `?`
    kRange,             // first-last/step; a single value has first == last
    kLastMinus,         // `L-n` (n = 0: `L`)
    kNearestWeekday,    // `nW`
    kNearestLastMinus,  // `L-nW` (n = 0: `LW`)
    kLastWeekday,       // `dL`: first = d
    kNthWeekday,        // `d#n`: first = d
  };
  Kind kind = Kind::kAll;
  int first = 0;
  int last = 0;
  int step = 1;
  int n = 0;
  bool star = false;        // written with `*`, as in `*/5`
  bool open_ended = false;  // written `a/s`: up to the end of the field
  bool hashed = false;      // written with `H`, already replaced by the values its key gives
  TextSpan span;
};

struct FieldSyntax {
  TextSpan span;
  std::vector<Element> elements;  // empty: the field was not written

  bool written() const { return !elements.empty(); }
  bool begins_with_star() const { return written() && elements.front().star; }
  // Exactly `*`, `?` or `*/1`: leaves the decision to the other day field.
  bool open() const;
};

struct CronSyntax {
  Dialect dialect = Dialect::kStandard;
  std::array<FieldSyntax, kFieldCount> fields;

  const FieldSyntax& operator[](Field field) const {
    return fields[static_cast<std::size_t>(field)];
  }
  FieldSyntax& operator[](Field field) { return fields[static_cast<std::size_t>(field)]; }
};

// Parses 5, 6 or 7 fields or one of @yearly ... @hourly (not @every: see every.h). `hash_key` gives
// `H` its values. Errors name the field, the position, what was expected and, where one is near,
// what was probably meant.
Result<CronSyntax> parse_syntax(std::string_view text, Dialect dialect, std::string_view hash_key);

// The longest text accepted: lists of every value in every field fit.
inline constexpr std::size_t kLongestExpression = 1'024;

}  // namespace belfry::core

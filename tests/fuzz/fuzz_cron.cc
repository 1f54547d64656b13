#include "core/cron/compile.h"
#include "core/cron/describe.h"
#include "core/cron/every.h"
#include "core/cron/hash.h"
#include "core/cron/rule.h"
#include "core/cron/warnings.h"
#include "core/schedule/zone_catalog.h"
#include "tests/fuzz/fuzz.h"

#include <string>

namespace belfry::fuzz {
namespace {

constexpr std::int64_t kFrom = 1'767'225'600;  // 2026-01-01

// A zone with gaps and overlaps of half an hour, read once.
const core::Zone& zone() {
  static core::ZoneCatalog zones;
  static const core::Zone* lord_howe = *zones.find("Australia/Lord_Howe");
  return *lord_howe;
}

// An accepted expression has a sentence, moves forward, and comes back to where it was.
void check_accepted(std::string_view text, const core::CronSyntax& syntax, core::Dialect dialect) {
  const core::CronExpression expression = core::compile(syntax);
  const core::CronRule rule(expression, zone(), core::DstOverlap::kFirst);
  BELFRY_ASSERT(!core::describe(syntax).empty());
  const auto warnings = core::warnings_for(syntax, rule, false, kFrom);
  const auto next = rule.next(kFrom);
  BELFRY_ASSERT(!next || next->at > kFrom);
  if (!next) {
    BELFRY_ASSERT(!warnings.empty() && warnings.front().code == "never_fires");
  } else {
    const auto back = rule.previous(next->at);
    BELFRY_ASSERT(!back || back->at <= kFrom);
    const auto again = rule.previous(next->at + 1);
    BELFRY_ASSERT(again == next);
  }
  // Written out, the hashes keep their meaning.
  const auto resolved = core::resolve_hash(text, dialect, "tenant/job");
  BELFRY_ASSERT(resolved.has_value());
  if (resolved->size() > core::kLongestExpression) return;
  const auto plain = core::parse_expression(*resolved, dialect);
  BELFRY_ASSERT(plain.has_value() && *plain == expression);
}

void check(std::string_view text, core::Dialect dialect) {
  if (core::is_every(text)) {
    const auto interval = core::parse_every(text);
    if (!interval) return check_refusal(text, interval.error());
    BELFRY_ASSERT(interval->count() >= 1 && !core::describe_every(*interval).empty());
    return;
  }
  const auto syntax = core::parse_syntax(text, dialect, "tenant/job");
  if (!syntax) {
    BELFRY_ASSERT(!syntax.error().field.empty());
    return check_refusal(text, syntax.error());
  }
  check_accepted(text, *syntax, dialect);
}

}  // namespace
}  // namespace belfry::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = belfry::fuzz::as_text(data, size);
  belfry::fuzz::check(text, belfry::core::Dialect::kStandard);
  belfry::fuzz::check(text, belfry::core::Dialect::kQuartz);
  return 0;
}

// The engine against the independent oracle, on random questions. A few thousand in every test run,
// a million with `./dev oracle` (BELFRY_ORACLE_CASES); BELFRY_ORACLE_SEED repeats a run.
#include "core/cron/compile.h"
#include "core/schedule/schedule.h"
#include "tests/cron/oracle/generate.h"
#include "tests/cron/oracle/oracle.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace belfry {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

core::ScheduleSpec spec_of(const oracle::Question& question) {
  return {.cron_expression = question.expression,
          .dialect = question.quartz ? core::Dialect::kQuartz : core::Dialect::kStandard,
          .timezone = question.zone,
          .dst_gap = question.gap_skip ? core::DstGap::kSkip : core::DstGap::kRunAfter,
          .dst_overlap = question.overlap_both ? core::DstOverlap::kBoth : core::DstOverlap::kFirst,
          .key = question.key};
}

// The last tick before an instant that runs; the oracle does not count a skipped gap.
std::optional<Instant> previous_run(const core::Schedule& schedule, Instant before) {
  auto found = schedule.previous(before);
  while (found && found->exclusion != core::Exclusion::kNone) {
    found = schedule.previous(found->tick.instant());
  }
  return found ? std::optional(found->tick.instant()) : std::nullopt;
}

// The engine's answer, as far as the oracle looked: later ones cannot be compared.
std::optional<std::int64_t> within(std::optional<Instant> answer, std::int64_t from,
                                   std::int64_t to) {
  if (!answer) return std::nullopt;
  const std::int64_t second = floor_unix_seconds(*answer);
  return second >= from && second <= to ? std::optional(second) : std::nullopt;
}

class Agreement {
 public:
  void check(const oracle::Case& drawn) {
    const auto judge = oracle::Oracle::make(drawn.question);
    ASSERT_TRUE(judge) << judge.error();
    const auto schedule = core::Schedule::make(spec_of(drawn.question), zones_);
    ASSERT_TRUE(schedule) << to_string(schedule.error());
    check_forward(drawn, *judge, *schedule);
    check_backward(drawn, *judge, *schedule);
  }

 private:
  static void check_forward(const oracle::Case& drawn, const oracle::Oracle& judge,
                            const core::Schedule& schedule) {
    std::int64_t at = drawn.instant;
    const std::int64_t end = drawn.instant + drawn.forward_horizon;
    for (int i = 0; i < 3 && at < end; ++i) {
      const auto expected = judge.next(at, end - at);
      const auto run = schedule.next_run(from_unix_seconds(at));
      const auto answer = run ? std::optional(run->starts()) : std::nullopt;
      ASSERT_TRUE(!answer || *answer > from_unix_seconds(at)) << "no progress";
      ASSERT_EQ(within(answer, at + 1, end), expected) << "next after " << at;
      if (!expected) return;
      // The tick before the next one is the one we came from, or a later one: none is left out.
      const auto back = previous_run(schedule, *answer);
      ASSERT_TRUE(!back || *back <= from_unix_seconds(at)) << "a tick lies between";
      ASSERT_TRUE(i == 0 || back == from_unix_seconds(at)) << "previous does not undo next";
      at = *expected;
    }
  }

  static void check_backward(const oracle::Case& drawn, const oracle::Oracle& judge,
                             const core::Schedule& schedule) {
    const auto expected = judge.previous(drawn.instant, drawn.backward_horizon);
    const auto answer = previous_run(schedule, from_unix_seconds(drawn.instant));
    ASSERT_EQ(within(answer, drawn.instant - drawn.backward_horizon, drawn.instant - 1), expected)
        << "previous before " << drawn.instant;
    if (expected && answer) {
      const auto forth = schedule.next_run(*answer);
      ASSERT_TRUE(!forth || forth->starts() >= from_unix_seconds(drawn.instant))
          << "a tick lies between";
    }
  }

  core::ZoneCatalog zones_;
};

TEST(Agreement, NextAndPreviousAreTheOracles) {
  const std::uint64_t seed = setting("BELFRY_ORACLE_SEED", 1);
  const std::uint64_t cases = setting("BELFRY_ORACLE_CASES", 5'000);
  oracle::Generator generator(seed);
  Agreement agreement;
  for (std::uint64_t i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
    const oracle::Case drawn = generator.draw();
    SCOPED_TRACE("seed " + std::to_string(seed) + ", case " + std::to_string(i) + ": " +
                 oracle::describe(drawn));
    agreement.check(drawn);
    if (cases >= 100'000 && (i + 1) % 100'000 == 0) {
      std::printf("  %llu cases agree\n", static_cast<unsigned long long>(i + 1));
      std::fflush(stdout);
    }
  }
}

// Random edits of legal expressions: both sides accept, or both refuse.
TEST(Agreement, RefusesWhatTheOracleRefuses) {
  oracle::Generator generator(setting("BELFRY_ORACLE_SEED", 1));
  const std::uint64_t cases = setting("BELFRY_ORACLE_CASES", 5'000);
  int refused = 0;
  for (std::uint64_t i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
    const oracle::Case drawn = generator.draw_garbled();
    const auto judge = oracle::Oracle::make(drawn.question);
    const auto spec = spec_of(drawn.question);
    const auto parsed = core::parse_expression(spec.cron_expression, spec.dialect, spec.key);
    EXPECT_EQ(parsed.has_value(), judge.has_value())
        << oracle::describe(drawn) << "\n  engine: " << (parsed ? "ok" : to_string(parsed.error()))
        << "\n  oracle: " << (judge ? "ok" : judge.error());
    if (!judge) ++refused;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace belfry

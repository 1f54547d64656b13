#include "core/proof/day_tally.h"

#include "base/json.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

constexpr Instant kDay = from_unix_seconds(1'800'000'000 - 1'800'000'000 % 86'400);

TEST(DayTallyTest, ALineNamesJobTickAndFate) {
  const Tick tick(from_unix_seconds(1'800'000'000));
  EXPECT_EQ(ledger_line(JobId(0x1a0f3), {.first = tick, .last = tick}),
            "000000000001a0f3 1800000000000000 run\n");
  const FateRow range{.first = tick,
                      .last = Tick(tick.instant() + std::chrono::hours(1)),
                      .skipped = SkipReason::kPaused,
                      .count = 61};
  EXPECT_EQ(ledger_line(JobId(0x1a0f3), range), "000000000001a0f3 1800000000000000 paused\n");
}

// As docs/guides/check_proof.py computes it, and `printf '%064d%s\n' 0 'a 1 run' | sha256sum`.
TEST(DayTallyTest, TheDigestIsAChainOverTheLines) {
  DayTally tally;
  EXPECT_EQ(tally.digest, std::string(64, '0'));
  tally.add_line("a 1 run\n");
  EXPECT_EQ(tally.digest, hex_digest(std::string(64, '0') + "a 1 run\n"));
  const std::string first = tally.digest;
  tally.add_line("a 2 run\n");
  EXPECT_EQ(tally.digest, hex_digest(first + "a 2 run\n"));
  EXPECT_EQ(tally.rows, 2);
}

TEST(DayTallyTest, ComesBackFromTheStoreAsItWas) {
  DayTally tally{.jobs = 3, .unproven = 1};
  ProofVerdict verdict;
  verdict.counts.runs = 7;
  verdict.counts.skips[static_cast<std::size_t>(SkipReason::kOverlap)] = 2;
  verdict.flaws.push_back({.kind = FlawKind::kDouble, .count = 4});
  tally.add(verdict);
  tally.add_line("x\n");
  const auto back = read_tally(write_tally(tally));
  ASSERT_TRUE(back);
  EXPECT_EQ(write_tally(*back), write_tally(tally));
  EXPECT_EQ(back->counts.ticks(), 9);
  EXPECT_FALSE(read_tally("{}"));
  EXPECT_FALSE(read_tally("nonsense"));
}

TEST(DayTallyTest, AStatementSaysItAll) {
  DayTally tally{.jobs = 1};
  tally.counts.runs = 5;
  tally.flaws[static_cast<std::size_t>(FlawKind::kHole)] = 2;
  const auto json = parse_json(write_statement({.tenant = "acme",
                                                .day = kDay,
                                                .from = kDay,
                                                .to = kDay + std::chrono::hours(24) - Duration(1),
                                                .as_of = kDay + std::chrono::hours(25),
                                                .previous = ""},
                                               tally));
  ASSERT_TRUE(json);
  EXPECT_EQ(json->at("day"), "2027-01-15");
  EXPECT_EQ(json->at("to"), "2027-01-15T23:59:59.999999Z");
  EXPECT_EQ(json->at("ticks"), 5);
  EXPECT_EQ(json->at("holes"), 2);
  EXPECT_EQ(json->at("doubles"), 0);
  EXPECT_TRUE(json->at("previous").is_null());
}

TEST(DayTallyTest, DaysAreThoseOfUtc) {
  EXPECT_EQ(read_day("2027-01-15").value_or(Instant()), kDay);
  EXPECT_EQ(write_day(kDay + std::chrono::hours(23)), "2027-01-15");
  for (const char* wrong : {"", "2027-1-15", "2027-01-15T00:00:00Z", "2027-02-30", "yesterday!"}) {
    EXPECT_FALSE(read_day(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace belfry::core

#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/proof/check.h"
#include "core/proof/facts.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// What is stated about a day of a tenant's ledger: counts, and a digest that whoever has the rows
// can compute again.
namespace belfry::core {

// A row in the form that the digest is made of, with a line break: job, microseconds of its first
// tick, and its fate: "000000000001a0f3 1800000000000000 run". The last tick of a skip is not in
// it: a range may still grow. Where no tick is missing, the job's next line says where it ended.
std::string ledger_line(JobId job, const FateRow& row);

// The digest of no lines.
std::string empty_ledger_digest();
// That of the lines so far and one more: SHA-256, in hex, of its hex digits and the line.
std::string extend_ledger_digest(std::string_view digest, std::string_view line);

inline constexpr std::size_t kFlawKinds = 6;

// A tenant's day as far as it was counted.
struct DayTally {
  std::int64_t jobs = 0;
  FateCounts counts;
  std::array<std::int64_t, kFlawKinds> flaws{};  // ticks, by FlawKind
  std::int64_t unproven = 0;                     // stretches of jobs
  std::int64_t rows = 0;                         // in the digest
  std::string digest = empty_ledger_digest();

  void add(const ProofVerdict& verdict);
  void add_line(std::string_view line);
};

// As the store keeps one; and back, kInternal if it is none.
std::string write_tally(const DayTally& tally);
Result<DayTally> read_tally(const std::string& text);

// What a statement is about, besides what was counted.
struct StatedDay {
  std::string tenant;
  Instant day;  // its first instant, in UTC
  Instant from;
  Instant to;            // the last instant
  Instant as_of;         // rows that were decided later are not in the digest
  std::string previous;  // the digest of the statement before; empty: this is the first
};

// The text that is signed: JSON on one line.
std::string write_statement(const StatedDay& about, const DayTally& tally);

// "2026-11-17", in UTC; and back.
std::string write_day(Instant day);
Result<Instant> read_day(std::string_view text);

// SHA-256 in hex.
std::string hex_digest(std::string_view text);

}  // namespace belfry::core

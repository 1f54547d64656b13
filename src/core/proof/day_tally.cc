#include "core/proof/day_tally.h"

#include "base/digest.h"
#include "base/json.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"

#include <fmt/format.h>

namespace belfry::core {
namespace {

constexpr std::int64_t kStatementVersion = 1;
constexpr std::size_t kDateSize = 10;  // 2026-11-17

static_assert(kFlawKinds == static_cast<std::size_t>(FlawKind::kWrongCount) + 1);

std::int64_t of(const DayTally& tally, FlawKind kind) {
  return tally.flaws.at(static_cast<std::size_t>(kind));
}

Json numbers_of(const auto& numbers) {
  Json list = Json::array();
  for (const std::int64_t number : numbers) list.push_back(number);
  return list;
}

bool read_numbers(const Json& list, auto& numbers) {
  if (!list.is_array() || list.size() != numbers.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!list[i].is_number_integer()) return false;
    numbers[i] = list[i].template get<std::int64_t>();
  }
  return true;
}

}  // namespace

std::string hex_digest(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : sha256(text)) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string ledger_line(JobId job, const FateRow& row) {
  return fmt::format("{} {} {}\n", write_job_id(job), row.first.instant().micros(),
                     row.skipped ? name_of(*row.skipped) : "run");
}

std::string empty_ledger_digest() {
  return std::string(64, '0');
}

std::string extend_ledger_digest(std::string_view digest, std::string_view line) {
  return hex_digest(std::string(digest) + std::string(line));
}

void DayTally::add(const ProofVerdict& verdict) {
  counts += verdict.counts;
  for (const LedgerFlaw& flaw : verdict.flaws) {
    flaws.at(static_cast<std::size_t>(flaw.kind)) += flaw.count;
  }
  unproven += static_cast<std::int64_t>(verdict.unproven.size());
}

void DayTally::add_line(std::string_view line) {
  ++rows;
  digest = extend_ledger_digest(digest, line);
}

std::string write_tally(const DayTally& tally) {
  return write_json({{"jobs", tally.jobs},
                     {"runs", tally.counts.runs},
                     {"skips", numbers_of(tally.counts.skips)},
                     {"flaws", numbers_of(tally.flaws)},
                     {"unproven", tally.unproven},
                     {"rows", tally.rows},
                     {"digest", tally.digest}});
}

Result<DayTally> read_tally(const std::string& text) {
  const auto json = parse_json(text);
  DayTally tally;
  const bool is_one = json && json->is_object() && json->contains("skips") &&
                      json->contains("flaws") &&
                      read_numbers(json->at("skips"), tally.counts.skips) &&
                      read_numbers(json->at("flaws"), tally.flaws);
  if (!is_one) return fail(Errc::kInternal, "a tally of a day that cannot be read");
  tally.jobs = json->value("jobs", std::int64_t{0});
  tally.counts.runs = json->value("runs", std::int64_t{0});
  tally.unproven = json->value("unproven", std::int64_t{0});
  tally.rows = json->value("rows", std::int64_t{0});
  tally.digest = json->value("digest", empty_ledger_digest());
  return tally;
}

std::string write_statement(const StatedDay& about, const DayTally& tally) {
  Json skips = Json::object();
  for (std::size_t i = 0; i < tally.counts.skips.size(); ++i) {
    if (tally.counts.skips[i] == 0) continue;
    skips[std::string(name_of(static_cast<SkipReason>(i)))] = tally.counts.skips[i];
  }
  return write_json({{"belfry_proof", kStatementVersion},
                     {"tenant", about.tenant},
                     {"day", write_day(about.day)},
                     {"from", format_instant(about.from)},
                     {"to", format_instant(about.to)},
                     {"as_of", format_instant(about.as_of)},
                     {"jobs", tally.jobs},
                     {"ticks", tally.counts.ticks()},
                     {"runs", tally.counts.runs},
                     {"skips", std::move(skips)},
                     {"holes", of(tally, FlawKind::kHole)},
                     {"doubles", of(tally, FlawKind::kDouble)},
                     {"early", of(tally, FlawKind::kEarly)},
                     {"strays", of(tally, FlawKind::kStray)},
                     {"wrong_fates", of(tally, FlawKind::kWrongFate)},
                     {"wrong_counts", of(tally, FlawKind::kWrongCount)},
                     {"unproven", tally.unproven},
                     {"ledger_rows", tally.rows},
                     {"ledger_digest", tally.digest},
                     {"previous", about.previous.empty() ? Json() : Json(about.previous)}});
}

std::string write_day(Instant day) {
  return format_instant(day).substr(0, kDateSize);
}

Result<Instant> read_day(std::string_view text) {
  auto day = text.size() == kDateSize ? parse_instant(std::string(text) + "T00:00:00Z")
                                      : Result<Instant>(fail(Errc::kInvalid, ""));
  if (day) return day;
  return fail(Errc::kInvalid, "a day is written like 2026-11-17, and is one of UTC");
}

}  // namespace belfry::core

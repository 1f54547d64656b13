#pragma once

#include "base/result.h"
#include "core/reason.h"
#include "store/runs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What became of a job's ticks: enough, with its revisions, to answer "why did it not run?".
namespace belfry::store {

struct SkipRow {
  JobId job;
  Tick first;
  Tick last;
  std::int64_t count = 1;
  core::SkipReason reason{};
  Epoch epoch;
};

struct AttemptRow {
  core::RunRef run;
  AttemptNo attempt;
  Fence fence;
  core::AttemptOutcome outcome{};
  Instant started_at;
  Instant finished_at;
  std::string worker;
  std::string error;
};

enum class Order : std::uint8_t { kOldestFirst, kNewestFirst };

struct LedgerWindow {
  JobId job;
  // Runs with from <= scheduled_for < to; skips of any tick in there, also those that began before.
  std::optional<Instant> from = {};
  std::optional<Instant> to = {};
  Order order = Order::kNewestFirst;
};

// Runs are placed by scheduled_for, skips by their first tick.
using LedgerEntry = std::variant<RunRow, SkipRow>;

struct LedgerPage {
  std::vector<LedgerEntry> entries;  // runs without payload and result
  std::optional<std::string> next;
};

class LedgerStore {
 public:
  virtual ~LedgerStore() = default;

  // `cursor` is the `next` of the page before, empty for the first; kInvalid (field: cursor) for
  // any other text.
  virtual Result<LedgerPage> ledger(const LedgerWindow& window, const std::string& cursor,
                                    std::size_t limit) = 0;

  // Everything at once: for tests and simulations, where it is not much.
  virtual Result<std::vector<RunRow>> runs_of(JobId job) = 0;    // by scheduled_for
  virtual Result<std::vector<SkipRow>> skips_of(JobId job) = 0;  // by first

  // The attempts that are over, in order.
  virtual Result<std::vector<AttemptRow>> attempts_of(const core::RunRef& run) = 0;
};

}  // namespace belfry::store

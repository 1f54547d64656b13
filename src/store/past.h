#pragma once

#include "base/result.h"
#include "store/rows.h"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What became of a job's ticks, and what the job said at the time: enough to answer "why did it not
// run?".
namespace belfry::store {

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

// A job as one revision defined it.
struct RevisionRow {
  std::uint32_t revision = 0;
  Instant effective_from;  // ticks after this belong to it, until the next one's
  core::JobStatus status{};
  std::optional<Instant> paused_until;
  std::string name;  // also what `H` and jitter draw from
  std::string job_type;
  core::ScheduleSpec schedule;  // with its calendar, as it was
  core::JobPolicies policies;
  Instant created_at;
};

class PastStore {
 public:
  virtual ~PastStore() = default;

  // `cursor` is the `next` of the page before, empty for the first; kInvalid (field: cursor) when
  // it is no such text.
  virtual Result<LedgerPage> ledger(const LedgerWindow& window, const std::string& cursor,
                                    std::size_t limit) = 0;

  // The newest first, those before `before`.
  virtual Result<std::vector<RevisionRow>> revisions_of(JobId job,
                                                        std::optional<std::uint32_t> before,
                                                        std::size_t limit) = 0;

  // The revision whose ticks an instant belongs to. kNotFound when the job did not exist then.
  virtual Result<RevisionRow> revision_at(JobId job, Instant at) = 0;
};

}  // namespace belfry::store

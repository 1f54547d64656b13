#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "store/runs.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

// What workers show of an attempt while it goes on, and what is left of it afterwards.
namespace belfry::store {

struct RunProgress {
  std::int64_t done = 0;
  std::int64_t total = 0;
  friend bool operator==(const RunProgress&, const RunProgress&) = default;
};

// News of an attempt. What is absent stays as it was.
struct RunNote {
  RunGrant grant;
  std::string log;  // all that is kept so far; empty: no news
  std::optional<RunProgress> progress = {};
};

struct RunLog {
  AttemptNo attempt;
  Instant updated_at;
  std::string log;
  std::optional<RunProgress> progress;
};

class RunLogStore {
 public:
  virtual ~RunLogStore() = default;

  // Keeps the notes whose grants hold and drops the others. Repeating is harmless.
  virtual Status put_notes(std::span<const RunNote> notes) = 0;

  // Of this attempt, or of the last one that has any. kNotFound when there is no log.
  virtual Result<RunLog> find_log(const core::RunRef& run, std::optional<AttemptNo> attempt) = 0;
};

}  // namespace belfry::store

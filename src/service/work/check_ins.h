#pragma once

#include "base/log/log.h"
#include "base/mutex.h"
#include "core/schedule/zone_catalog.h"
#include "engine/dispatch/dispatch.h"
#include "store/store.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace belfry::service {

// Hears what work that is done elsewhere reports of itself, and brings it to the run it belongs to.
//
// Each tick of such a job makes a run that nobody claims (core/queue.h). A report of `start` is its
// grant, `ok` and `fail` are its end; what hears of nothing ends by start_within and timeout, as
// any run. docs/decisions/0023 says to which run a report belongs. Thread-safe.
class CheckIns {
 public:
  // All of it must outlive it.
  struct World {
    store::Store& store;
    engine::Dispatch& dispatch;
    core::ZoneCatalog& zones;
    std::function<Instant()> now;  // the database's clock, as far as this node knows it
    Logger& log;
  };
  explicit CheckIns(World world) : world_(std::move(world)) {}

  struct Report {
    enum class Kind : std::uint8_t { kStart, kOk, kFail };
    Kind kind{};
    std::optional<core::RunRef> run = {};  // the one that was started, if it is known
    std::optional<std::int64_t> exit_code = {};
    std::string output = {};  // its last lines
  };
  enum class Fate : std::uint8_t {
    kTaken,  // by the run of a tick
    kEarly,  // kept for a tick that is not decided yet
    kExtra,  // no tick is near: a run of its own
    kAgain,  // known already
  };
  struct Answer {
    Fate fate{};
    std::optional<core::RunRef> run = {};  // none as long as the tick is not decided
  };

  // Whose token it is; kNotFound: nobody's.
  Result<store::CheckInRow> find(const std::string& token);
  // Whether the token was somebody's when it was last seen here.
  bool knows(const std::string& token);
  // It is somebody's: it was made here.
  void remember(const std::string& token);

  // May wait for the store; answers once, now or later. kUnavailable: report again.
  using OnAnswer = std::function<void(Result<Answer>)>;
  void report(JobId job, const Report& report, OnAnswer on_answer);

  // Brings reports that came early to their runs; once a second is often enough. Any node may do
  // it, also several at once.
  Status follow_early();

 private:
  // Where a report belongs. With a grant, it is still to be ended.
  struct Place {
    Answer answer;
    std::optional<core::RunGrant> grant = {};
  };
  Result<Place> place(JobId job, const Report& report);
  Result<std::optional<Place>> place_by_name(JobId job, const Report& report);
  Result<std::optional<Place>> place_by_runs(const std::vector<store::RunRow>& runs,
                                             const Report& report);
  Result<std::optional<core::RunGrant>> grant(const core::RunRef& run);
  Result<Place> make_extra(JobId job, const std::string& seed);
  std::optional<Tick> undecided_tick(const store::JobRow& job,
                                     const std::vector<store::RunRow>& runs) const;
  void end(const core::RunGrant& grant, const Report& report, std::function<void(Status)> on_ended);
  Status follow(const store::EarlyReport& early);

  const World world_;
  Mutex mutex_;
  std::unordered_set<std::string> known_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service

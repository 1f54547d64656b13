#pragma once

#include "base/result.h"
#include "engine/chores/archivist.h"
#include "engine/chores/calendar_follower.h"
#include "store/store.h"

#include <cstdint>

namespace belfry::engine {

struct JanitorConfig {
  Duration lease = std::chrono::seconds(30);
  Duration retention = std::chrono::days(90);
  std::size_t followers = 500;       // jobs brought in line at a time
  std::size_t swept_skips = 10'000;  // looked at, at a time
  std::size_t ended_pauses = 1'000;  // at a time
  std::size_t linked_rows = 10'000;  // of the audit, at a time
  std::size_t tokens = 1'000;        // of check-ins, at a time
};

// The cluster's housework, done by whichever node holds the leader's lease: it makes room for the
// history to come, drops history (or has it archived) and skips after their retention, makes jobs
// follow their calendars, keeps the audit's chain, and leaves no token in the clear. Jobs run
// without it for days: nobody waits for a leader.
class Janitor {
 public:
  // What it needs of a store.
  struct Stores {
    Stores(store::Store& whole)  // NOLINT(google-explicit-constructor): a store is all of them
        : ownership(whole),
          chores(whole),
          calendars(whole),
          jobs(whole),
          audit(whole),
          checkins(whole) {}
    store::OwnershipStore& ownership;
    store::ChoreStore& chores;
    store::CalendarStore& calendars;
    store::JobStore& jobs;
    store::AuditStore& audit;
    store::CheckInStore& checkins;
  };

  Janitor(const Stores& stores, store::OwnershipStore::Node node, JanitorConfig config)
      : ownership_(stores.ownership),
        chores_(stores.chores),
        audit_(stores.audit),
        checkins_(stores.checkins),
        node_(std::move(node)),
        config_(config),
        calendars_(stores.calendars, stores.jobs) {}

  // Past runs go through its hands, instead of being dropped. Before the first run_once().
  void also(Archivist& archivist) { archivist_ = &archivist; }

  struct Report {
    bool leads = false;
    std::size_t followed = 0;  // more than zero: there may be more
    std::size_t resumed = 0;   // pauses that were over
    bool all_linked = true;    // in the audit's chain, but for what is too young
    bool archives_on = false;  // there may be more to archive
  };
  Result<Report> run_once() {
    const auto term = ownership_.lead(node_, config_.lease);
    if (!term && term.error().code == Errc::kConflict) return Report{};
    if (!term) return fail(term.error());
    BELFRY_TRY(linked, audit_.link_audit(config_.linked_rows));
    BELFRY_CHECK(chores_.keep_history(config_.retention,
                                      archivist_ == nullptr ? store::ChoreStore::PastRuns::kDrop
                                                            : store::ChoreStore::PastRuns::kLeave));
    BELFRY_TRY(swept, chores_.sweep_skips(swept_to_, config_.retention, config_.swept_skips));
    swept_to_ = swept.value_or(store::ChoreStore::SkipCursor());  // then from the beginning again
    BELFRY_CHECK(checkins_.digest_tokens(node_.incarnation, config_.tokens));
    BELFRY_TRY(resumed, chores_.end_pauses(config_.ended_pauses));
    BELFRY_TRY(followed, calendars_.run_once(config_.followers));
    // The last, because an archive that takes nothing must not keep the rest from being done.
    bool archives_on = false;
    if (archivist_ != nullptr) {
      BELFRY_TRY(goes_on, archivist_->run_once(config_.retention));
      archives_on = goes_on;
    }
    return Report{.leads = true,
                  .followed = followed,
                  .resumed = resumed,
                  .all_linked = linked < config_.linked_rows,
                  .archives_on = archives_on};
  }

 private:
  store::OwnershipStore& ownership_;
  store::ChoreStore& chores_;
  store::AuditStore& audit_;
  store::CheckInStore& checkins_;
  store::OwnershipStore::Node node_;
  JanitorConfig config_;
  CalendarFollower calendars_;
  Archivist* archivist_ = nullptr;
  store::ChoreStore::SkipCursor swept_to_;
};

}  // namespace belfry::engine

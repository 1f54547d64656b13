#pragma once

#include "store/wrappers/faulty_store.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::sim {

// A store that seems to have lost one of its protections, or an engine one of its duties. The
// simulation must notice each: otherwise it proves nothing when it is green.
class Saboteur final : public store::FaultyStore {
 public:
  // "none" and everything that can be broken, with a word on what it stands for. What no call shows
  // (no_settle, old_epochs, old_fences) is left to the world, which makes the database.
  struct Trick {
    std::string_view name;
    std::string_view stands_for;
    bool among_the_living = false;  // seen only where no node dies or stops, and replies get lost
    bool at_joins = false;          // seen only where nodes come and go, and nothing else happens
  };
  static const std::vector<Trick>& tricks();

  Saboteur(store::Store& inner, std::string trick)
      : FaultyStore(inner, [](std::string_view) { return store::Fault::kNone; }),
        inner_(inner),
        trick_(std::move(trick)) {}

  Result<Membership> renew(const Node& node, Duration ttl) override;
  Result<std::vector<store::OwnedPartition>> acquire(const Node& node, std::size_t most) override;
  Result<store::PartitionJobs> load_partition(PartitionNo partition) override;
  Result<store::BriefPartition> load_brief(PartitionNo partition) override;
  Result<std::vector<store::OwnedPartition>> take(const Node& node,
                                                  std::span<const Holding> holdings) override;
  Result<std::vector<std::optional<store::BriefPartition>>> load_changes(
      std::span<const store::KnownJobs> known) override;
  Result<store::DecideResult> decide(const Incarnation& node,
                                     std::span<const store::PartitionDecision> partitions) override;
  Result<std::vector<store::ClaimedRun>> grant(const store::GrantRequest& request) override;
  Result<std::vector<core::LiveRun>> read_live(std::span<const PartitionNo> partitions) override;
  Result<std::vector<core::LiveRun>> find_live(std::span<const core::RunRef> asked) override;
  Result<std::vector<core::RunRef>> give_up(std::span<const core::RunRef> runs) override;
  Result<bool> unstick_run(const core::RunRef& run, const std::string& note,
                           const store::Author& author) override;
  Result<bool> cancel_run(const core::RunRef& run, const store::Author& author) override;
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const store::RunGrant> grants,
                                                 Duration lease) override;
  Result<std::vector<store::AttemptFacts>> facts_of(
      std::span<const store::RunGrant> grants) override;
  Result<std::vector<bool>> end_attempts(std::span<const store::AttemptEnd> ends) override;
  Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
      std::span<const store::RunGrant> grants) override;

 private:
  struct Owner {
    Incarnation node;
    Epoch epoch;
  };

  bool is(std::string_view trick) const { return trick_ == trick; }
  store::RunGrant current(store::RunGrant grant) const;
  void forget_leases(std::vector<core::LiveRun>& runs) const;
  static void forget_claims(std::vector<core::LiveRun>& runs);
  static void forget_delays(std::vector<store::JobRow>& jobs);
  Result<std::vector<store::ClaimedRun>> grant_without_limit(const store::GrantRequest& request);
  void forget_stops(std::vector<core::LiveRun>& runs) const;
  bool drop(const Node& newcomer, PartitionNo partition);
  Status steal(const store::GrantRequest& request);
  void remember(const Incarnation& node, const std::vector<store::OwnedPartition>& partitions);

  store::Store& inner_;
  const std::string trick_;
  std::map<PartitionNo, Owner> owners_;
  std::map<PartitionNo, store::BriefPartition> loads_;
  std::map<core::RunRef, Fence> fences_;
  std::vector<store::ClaimedRun> last_claim_;
  std::set<store::RunGrant> born_held_;  // granted by their decisions
  std::set<core::RunRef> cancelled_;
};

}  // namespace belfry::sim

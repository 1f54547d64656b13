#include "engine/ownership/lost_commits.h"

#include <utility>

namespace belfry::engine {

std::optional<LostCommits> LossWatch::note(const store::OwnershipStore::Membership& answer,
                                           Duration ttl, Duration renew) {
  // A row that is missing has been swept, once its lease is long over: that tells nothing.
  constexpr Duration kKept = std::chrono::minutes(1);
  const auto before = std::exchange(last_, Heard{answer.era, answer.now});
  if (!before || answer.era <= before->era) return std::nullopt;
  const Instant told = before->now + ttl;
  const bool is_there = answer.lease_before && *answer.lease_before >= told;
  const bool may_be_swept = !answer.lease_before && answer.now > told + kKept;
  if (is_there || may_be_swept) return std::nullopt;
  LostCommits lost{.after = {}, .through = before->now + 2 * renew, .era = answer.era};
  if (answer.lease_before) lost.after = *answer.lease_before - ttl;
  return lost;
}

}  // namespace belfry::engine

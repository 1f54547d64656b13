#pragma once

#include "base/time.h"
#include "store/ownership.h"

#include <cstdint>
#include <optional>

namespace belfry::engine {

// A standby was promoted that lacks what this node had been told was committed.
struct LostCommits {
  std::optional<Instant> after;  // all of this node's that is known to be there; none: nothing is
  Instant through;  // until then others may have committed what is gone, on the database's clock
  store::Era era;   // the one that lacks it
};

// What becomes of ticks that may have been decided in such commits.
enum class AfterLostCommits : std::uint8_t {
  kRun,   // they are decided as if for the first time, under the same run ids
  kSkip,  // they are skipped, with this as the reason: their runs may have been worked on
};

// Compares what a node was told with what a later era of the database knows of it.
//
// A renewal is a commit that each node makes every second, and that only this node changes. If the
// row is older than the node was told, commits are gone; if it is not, none is that was made before
// this renewal. What was lost within less than that goes unnoticed.
class LossWatch {
 public:
  // An answer to a renewal, for a lease of `ttl`, asked for every `renew`.
  std::optional<LostCommits> note(const store::OwnershipStore::Membership& answer, Duration ttl,
                                  Duration renew);

 private:
  struct Heard {
    store::Era era;
    Instant now;
  };
  std::optional<Heard> last_;
};

}  // namespace belfry::engine

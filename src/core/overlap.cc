#include "core/overlap.h"

namespace belfry::core {

OverlapTerms overlap_terms(const JobPolicies& policies) {
  switch (policies.overlap) {
    case OverlapPolicy::kForbid: return {.live_limit = 1, .exclusive = true};
    case OverlapPolicy::kQueueOne: return {.live_limit = 2, .exclusive = true};
    case OverlapPolicy::kReplace:
      return {.live_limit = kNoLimit, .exclusive = true, .replaces = true};
    case OverlapPolicy::kAllow: break;
  }
  return {.live_limit = policies.max_concurrent > 0 ? policies.max_concurrent : kNoLimit,
          .exclusive = false};
}

}  // namespace belfry::core

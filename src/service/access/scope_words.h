#pragma once

#include "core/spelling.h"
#include "store/access.h"

namespace belfry::service {

// Scopes, as api/openapi.yaml spells them.
inline constexpr core::Words<store::Scope, 6> kScopes{{{"viewer", store::Scope::kViewer},
                                                       {"operator", store::Scope::kOperator},
                                                       {"admin", store::Scope::kAdmin},
                                                       {"worker", store::Scope::kWorker},
                                                       {"root", store::Scope::kRoot},
                                                       {"metrics", store::Scope::kMetrics}}};

}  // namespace belfry::service

#pragma once

#include "core/spelling.h"
#include "store/access.h"

namespace belfry::api {

// Scopes of keys, as api/openapi.yaml spells them.
inline constexpr core::Words<store::Scope, 4> kScopes{{{"viewer", store::Scope::kViewer},
                                                       {"operator", store::Scope::kOperator},
                                                       {"admin", store::Scope::kAdmin},
                                                       {"worker", store::Scope::kWorker}}};

}  // namespace belfry::api

#pragma once

#include "core/alerts/message.h"
#include "store/alerts.h"

#include <vector>

namespace belfry::service {

// Adds the messages that are due to the findings: for each rule one to each of its receivers about
// all that changed since the last, once the first of these changes is as old as the rule waits for
// others to join it. What began while quiet waits until it is so no more.
void add_notices(TenantId tenant, const std::vector<core::AlertRule>& rules,
                 const store::AlertLook& look, store::AlertFindings& findings);

// The message that tries a receiver of a rule.
store::AlertFindings::Message test_message(TenantId tenant, const core::AlertRule& rule,
                                           std::uint32_t receiver, Instant now);

}  // namespace belfry::service

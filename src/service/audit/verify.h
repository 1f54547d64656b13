#pragma once

#include "base/result.h"
#include "store/audit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace belfry::service {

// What does not fit in the audit's chain.
struct AuditFlaw {
  enum class Kind : std::uint8_t {
    kChanged,     // the row is another than was linked
    kMissing,     // the row is gone
    kLinkBroken,  // the link was changed, or one before it is gone
    kAdded,       // the row is old, and the chain does not have it
  };
  Kind kind{};
  std::uint64_t position = 0;  // 0: it has none
  std::uint64_t seq = 0;
};

// Where a check of the chain stands. It goes step by step, because an audit may have millions of
// rows; whoever checks carries it from step to step.
struct AuditCheck {
  std::uint64_t position = 0;  // checked up to here
  std::string hash;            // the chain's hash there
  std::uint64_t seq = 0;       // then the rows, up to here
  bool links_done = false;
};

struct AuditVerdict {
  AuditCheck reached;
  bool is_done = false;
  std::size_t checked = 0;       // links in this step
  std::size_t waiting = 0;       // rows in this step that are too young to be linked
  std::vector<AuditFlaw> flaws;  // in this step
};

// The next step of a check.
Result<AuditVerdict> verify_audit(store::AuditStore& store, const AuditCheck& from);

}  // namespace belfry::service

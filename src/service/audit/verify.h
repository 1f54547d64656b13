#pragma once

#include "base/result.h"
#include "store/audit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::service {

// What does not fit in the audit's chain.
struct AuditFlaw {
  enum class Kind : std::uint8_t {
    kChanged,     // the row is another than was linked
    kMissing,     // the row is gone
    kLinkBroken,  // the link was changed, or one before it is gone
    kAdded,       // the row is old, and the chain does not have it
    // Of a head that somebody noted:
    kHeadMissing,    // the chain ends before it: its end was cut off
    kHeadChanged,    // the chain has another hash there: it was written anew from there or before
    kHeadForgotten,  // the chain begins after it, so nothing can be told
  };
  Kind kind{};
  std::uint64_t position = 0;  // 0: it has none
  std::uint64_t seq = 0;       // 0: there is no row
};

// The chain up to a position, by the hash that covers everything up to there. Kept outside of the
// database it shows what nothing inside can show: that the end of the chain was cut off, or that
// all of it was written anew.
struct AuditHead {
  std::uint64_t position = 0;
  std::string hash;
};

// From "1234:5f3a…": a position, and 64 hexadecimal digits.
std::optional<AuditHead> read_head(std::string_view text);

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

// What is wrong with the chain if this was its head once; none: it still goes through it. Whether
// what lies before is whole is for verify_audit() to tell.
Result<std::optional<AuditFlaw>> check_head(store::AuditStore& store, const AuditHead& noted);

// The next step of a check.
Result<AuditVerdict> verify_audit(store::AuditStore& store, const AuditCheck& from);

}  // namespace belfry::service

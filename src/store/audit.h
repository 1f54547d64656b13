#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "store/access.h"
#include "store/author.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The chain over the audit, which shows whether somebody changed it; and what was refused.
namespace belfry::store {

using AuditRow = AccessStore::AuditRow;

// A row's place in the chain. Positions follow each other without a gap.
struct AuditLink {
  std::uint64_t position = 0;
  std::uint64_t seq = 0;  // of the row
  std::string previous;   // the hash of the link before
  std::string hash;       // of that and of the row; in hex
};

class AuditStore {
 public:
  virtual ~AuditStore() = default;

  // Somebody asked for what is not his to ask: a row, without a change it is about.
  struct Refusal {
    TenantId tenant;
    std::string call;    // "DELETE /api/v1/keys/7"
    std::string reason;  // a problem's code
  };
  virtual Status note_refusal(const Refusal& refusal, const Author& author) = 0;

  // Puts rows that are not in the chain at its end, up to `most`, and only those that are some
  // seconds old: a transaction that took its number earlier may still commit. Done by the leader;
  // kConflict when two do it at once. Returns how many.
  virtual Result<std::size_t> link_audit(std::size_t most) = 0;

  // The chain after a position, in order; without the row where it is gone.
  struct LinkedRow {
    AuditLink link;
    std::optional<AuditRow> row;
  };
  virtual Result<std::vector<LinkedRow>> list_links(std::uint64_t after, std::size_t limit) = 0;

  // The numbers of rows after `after` and whether the chain has them, in order.
  struct Linked {
    std::uint64_t seq = 0;
    bool is_linked = false;
  };
  virtual Result<std::vector<Linked>> list_linked(std::uint64_t after, std::size_t limit) = 0;
};

}  // namespace belfry::store

#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "store/author.h"
#include "store/postgres/wire/database.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace belfry::store::postgres {

struct AuditNote {
  TenantId tenant;
  std::string action;
  std::string object;
  std::vector<std::pair<std::string, std::string>> detail = {};
};

// Leaves a row in the transaction of the change it is about, unless that is nobody's.
Status note_audit(Transaction& transaction, std::optional<Instant> now, const Author& author,
                  const AuditNote& note);

}  // namespace belfry::store::postgres

#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "store/author.h"
#include "store/common/access_rules.h"
#include "store/postgres/wire/database.h"

#include <optional>

namespace belfry::store::postgres {

// Writes a row in the transaction of the change it is about, unless the author has no actor.
Status note_audit(Transaction& transaction, std::optional<Instant> now, const Author& author,
                  const AuditNote& note);

// A row as the lists of the audit select it.
AuditRow read_audit(Row row);

}  // namespace belfry::store::postgres

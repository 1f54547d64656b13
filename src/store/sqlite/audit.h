#pragma once

#include "base/result.h"
#include "store/sqlite/session.h"
#include "store/store.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace belfry::store::sqlite {

struct AuditNote {
  TenantId tenant;
  std::string action;
  std::string object;
  std::vector<std::pair<std::string, std::string>> detail = {};
};

// Leaves a row in the transaction of the change it is about, unless that is nobody's.
Status note_audit(const Session& session, const Author& author, const AuditNote& note);

Result<std::vector<AccessStore::AuditRow>> list_audit(const Session& session,
                                                      std::optional<TenantId> tenant,
                                                      std::optional<std::uint64_t> before,
                                                      std::size_t limit);

}  // namespace belfry::store::sqlite

#include "store/common/live_node.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Status SqliteStore::begin_anew() {
  return write([&](const Session& session) -> Status {
    Db& db = session.db;
    BELFRY_TRY(alive, db.value<std::optional<std::string>>(kAnyLiveNode, session.now));
    if (alive) return fail(node_is_alive(*alive));
    for (const std::string_view statement :
         {kRaiseEpochs, kRaiseFences, kRaiseSerials, kForgetNodes}) {
      BELFRY_CHECK(db.run(statement));
    }
    BELFRY_CHECK(db.run(kEndLeadership, session.now));
    BELFRY_CHECK(db.run(kEndRunLeases, session.now));
    return {};
  });
}

}  // namespace belfry::store::sqlite

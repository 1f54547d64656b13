#include "store/common/live_node.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {

Status PostgresStore::begin_anew() {
  const Status done = database_.transaction([&](Transaction& transaction) -> Status {
    const Params at = Params().instant(now());
    BELFRY_TRY(alive, transaction.run(kAnyLiveNode, at));
    if (!alive.empty()) return fail(node_is_alive(alive.row(0).text()));
    for (const std::string_view statement :
         {kRaiseEpochs, kRaiseFences, kRaiseSerials, kForgetNodes}) {
      BELFRY_CHECK(transaction.run(statement));
    }
    BELFRY_CHECK(transaction.run(kEndLeadership, at));
    BELFRY_CHECK(transaction.run(kEndRunLeases, at));
    return {};
  });
  if (done) stock_.drop();
  return done;
}

}  // namespace belfry::store::postgres

#include "store/sqlite/wire/transaction.h"

#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<Transaction> Transaction::begin(Db& db, Kind kind) {
  BELFRY_CHECK(db.run(kind == Kind::kRead ? kBeginRead : kBeginWrite));
  return Transaction(db);
}

Transaction::~Transaction() {
  if (db_ == nullptr || db_->is_idle()) return;
  // A rollback that fails leaves the transaction to the next begin, which then fails and says so.
  const auto rolled_back = db_->run(kRollback);
  static_cast<void>(rolled_back.has_value());
}

Status Transaction::commit() {
  const auto committed = db_->run(kCommit);
  if (committed) {
    db_ = nullptr;
    return {};
  }
  Error error = committed.error();
  // Busy means that nothing was written yet, and a full disk that the commit did not fit into the
  // log. After another I/O error the log may hold it or not, and only the next recovery of the file
  // would tell.
  const bool unknown = error.code == Errc::kUnavailable && !db_->was_full() && db_->is_idle();
  if (unknown) error.code = Errc::kUnknownOutcome;
  return fail(std::move(error));
}

}  // namespace belfry::store::sqlite

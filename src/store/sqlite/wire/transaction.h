#pragma once

#include "base/result.h"
#include "store/sqlite/wire/db.h"

namespace belfry::store::sqlite {

// A transaction that is undone unless it is committed.
class Transaction {
 public:
  enum class Kind : std::uint8_t {
    kRead,   // sees one snapshot
    kWrite,  // takes the write lock at once, so that nothing it reads can change under it
  };
  static Result<Transaction> begin(Db& db, Kind kind);

  Transaction(Transaction&& other) noexcept : db_(std::exchange(other.db_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  // kUnknownOutcome when the disk failed in the middle of it.
  Status commit();

 private:
  explicit Transaction(Db& db) : db_(&db) {}

  Db* db_;  // null: it is over
};

}  // namespace belfry::store::sqlite

#pragma once

#include "base/result.h"
#include "store/sqlite/wire/values.h"

#include <sqlite3.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace belfry::store::sqlite {

// One connection, with its statements prepared once. Not thread-safe, and a statement is not
// re-entrant: the function that reads the rows of a query must not run the same query.
//
// Errors: kUnavailable (busy, I/O, disk full), kConflict (something unique exists already),
// kNotFound (what a foreign key points to does not exist), kInvalid (a check constraint),
// kInternal (a corrupt file, or a statement of ours that is wrong).
class Db {
 public:
  // A file, made when it is missing, ":memory:", or a URI of SQLite's ("file:...").
  static Result<std::unique_ptr<Db>> open(const std::string& path);

  Db(const Db&) = delete;
  Db& operator=(const Db&) = delete;

  // Runs a statement; returns how many rows it changed.
  template <typename... Args>
  Result<std::size_t> run(std::string_view sql, const Args&... args) {
    BELFRY_TRY(statement, start(sql, args...));
    const int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    if (code != SQLITE_DONE && code != SQLITE_ROW) return fail(error(code, sql));
    return static_cast<std::size_t>(sqlite3_changes64(connection_.get()));
  }

  // Calls read(row) for each row.
  template <typename Read, typename... Args>
  Status each(std::string_view sql, Read&& read, const Args&... args) {
    BELFRY_TRY(statement, start(sql, args...));
    int code = sqlite3_step(statement);
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
      Row row(statement);
      read(row);
    }
    sqlite3_reset(statement);
    if (code != SQLITE_DONE) return fail(error(code, sql));
    return {};
  }

  // Calls read(row) for the first row; returns whether there was one. Also for `returning`: SQLite
  // makes all changes before it gives the first row.
  template <typename Read, typename... Args>
  Result<bool> first(std::string_view sql, Read&& read, const Args&... args) {
    BELFRY_TRY(statement, start(sql, args...));
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
      Row row(statement);
      read(row);
    }
    sqlite3_reset(statement);
    if (code != SQLITE_DONE && code != SQLITE_ROW) return fail(error(code, sql));
    return code == SQLITE_ROW;
  }

  // The first column of the first row; T() when there is no row.
  template <typename T, typename... Args>
  Result<T> value(std::string_view sql, const Args&... args) {
    T result{};
    BELFRY_CHECK(first(sql, [&](Row& row) { row.read(result); }, args...));
    return result;
  }

  // Runs a script of several statements, unprepared.
  Status execute_script(std::string_view sql);

  // Writes the database as it is now to a file that is empty or missing; others may go on.
  Status copy_to(const std::string& path);

  // Outside of a transaction, because there is none or because an error has ended it.
  // The last call failed because the disk was full.
  bool was_full() const { return (sqlite3_errcode(connection_.get()) & 0xff) == SQLITE_FULL; }
  bool is_idle() const { return sqlite3_get_autocommit(connection_.get()) != 0; }

 private:
  struct CloseConnection {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using Connection = std::unique_ptr<sqlite3, CloseConnection>;
  using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

  explicit Db(Connection connection) : connection_(std::move(connection)) {}

  Result<sqlite3_stmt*> prepare(std::string_view sql);
  Error error(int code, std::string_view sql) const;

  // The statement, ready to be stepped.
  template <typename... Args>
  Result<sqlite3_stmt*> start(std::string_view sql, const Args&... args) {
    BELFRY_TRY(statement, prepare(sql));
    Binder binder(statement);
    (binder.bind(args), ...);
    if (binder.code() != SQLITE_OK) return fail(error(binder.code(), sql));
    return statement;
  }

  Connection connection_;
  // By the address of the text: each query is one constant of the generated header.
  std::unordered_map<const char*, Statement> statements_;
};

}  // namespace belfry::store::sqlite

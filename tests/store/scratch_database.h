#pragma once

#include "base/manual_clock.h"
#include "base/result.h"
#include "store/store.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

// Private databases in either dialect, for tests of what becomes of schemas.
namespace belfry::store {

// Empty at first: not even a schema.
class ScratchDatabase {
 public:
  virtual ~ScratchDatabase() = default;

  virtual Status run(const std::string& script) = 0;
  // As a node does it: brings the schema up to date first.
  virtual Result<std::unique_ptr<Store>> open(const ManualClock& clock) = 0;

  // As in sql/<dialect>/schema.sql: nothing that depends on the day or on the versions of tools.
  virtual std::string schema() = 0;
  // Schema and rows, all of them.
  virtual std::string contents() = 0;
};

std::unique_ptr<ScratchDatabase> scratch_postgres();
std::unique_ptr<ScratchDatabase> scratch_sqlite();

// What the program has embedded.
struct KnownMigration {
  int number = 0;
  std::string name;
  std::string sql;
};

struct Dialect {
  std::string name;  // as the folder in sql/
  std::unique_ptr<ScratchDatabase> (*make)();
  std::vector<KnownMigration> migrations;
  std::string migration_table;  // the statements that create it, and record one in it
  std::string (*record)(const KnownMigration& migration);
};

inline void PrintTo(const Dialect& dialect, std::ostream* out) {
  *out << dialect.name;
}

const Dialect& postgres_dialect();
const Dialect& sqlite_dialect();

}  // namespace belfry::store

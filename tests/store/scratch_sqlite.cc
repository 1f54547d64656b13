#include "store/sqlite/sql.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/scratch_database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace belfry::store {
namespace {

namespace fs = std::filesystem;

fs::path make_folder() {
  std::string name = fs::temp_directory_path() / "belfry-sqlite-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  return name;
}

class ScratchSqlite final : public ScratchDatabase {
 public:
  ~ScratchSqlite() override { fs::remove_all(folder_); }

  // One transaction, as PostgreSQL treats a script.
  Status run(const std::string& script) override {
    BELFRY_TRY(rows, rows_of("begin;" + script + "; commit"));
    return {};
  }

  Result<std::unique_ptr<Store>> open(const ManualClock& clock) override {
    return open_sqlite({.path = path_, .now = [&clock] { return clock.wall_now(); }});
  }

  // Each table or view, followed by its indexes.
  std::string schema() override {
    std::string text;
    for (const std::string& statement : must_rows(
             "select sql from sqlite_master where sql is not null and name not like 'sqlite_%'"
             " order by tbl_name, type = 'index', name")) {
      if (!text.empty()) text += "\n";
      text += statement + ";\n";
    }
    return text;
  }

  std::string contents() override {
    std::string text = schema();
    for (const std::string& table :
         must_rows("select name from sqlite_master where type = 'table' order by name")) {
      const std::string columns =
          must_rows(fmt::format("select group_concat('quote(\"' || name || '\")', ' || '','' || ')"
                                " from pragma_table_info('{}')",
                                table))
              .at(0);
      for (const std::string& row :
           must_rows(fmt::format("select {} as line from {} order by line", columns, table))) {
        text += fmt::format("{}: {}\n", table, row);
      }
    }
    return text;
  }

 private:
  // The first column of all answers.
  Result<std::vector<std::string>> rows_of(const std::string& script) {
    sqlite3* connection = nullptr;
    std::vector<std::string> rows;
    const auto add = [](void* to, int, char** columns, char**) {
      static_cast<std::vector<std::string>*>(to)->emplace_back(columns[0] ? columns[0] : "");
      return 0;
    };
    int code = sqlite3_open(path_.c_str(), &connection);
    if (code == SQLITE_OK) code = sqlite3_exec(connection, script.c_str(), add, &rows, nullptr);
    const std::string message = sqlite3_errmsg(connection);
    sqlite3_close(connection);
    if (code != SQLITE_OK) return fail(Errc::kInternal, message);
    return rows;
  }
  std::vector<std::string> must_rows(const std::string& query) { return rows_of(query).value(); }

  fs::path folder_ = make_folder();
  std::string path_ = folder_ / "belfry.db";
};

}  // namespace

std::unique_ptr<ScratchDatabase> scratch_sqlite() {
  return std::make_unique<ScratchSqlite>();
}

const Dialect& sqlite_dialect() {
  static const Dialect dialect = [] {
    Dialect made{.name = "sqlite",
                 .make = &scratch_sqlite,
                 .migration_table = std::string(sqlite::kMakeMigrationTable),
                 .record = [](const KnownMigration& migration) {
                   return fmt::format("insert into schema_migrations values ({}, '{}', 0)",
                                      migration.number, migration.name);
                 }};
    for (const sqlite::Migration& migration : sqlite::kMigrations) {
      made.migrations.emplace_back(migration.number, std::string(migration.name),
                                   std::string(migration.sql));
    }
    return made;
  }();
  return dialect;
}

}  // namespace belfry::store

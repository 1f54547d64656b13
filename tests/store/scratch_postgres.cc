#include "store/postgres/postgres_store.h"
#include "store/postgres/sql.h"
#include "tests/store/scratch_database.h"
#include "tests/support/postgres_server.h"

#include <fmt/format.h>

#include <regex>

namespace belfry::store {
namespace {

// pg_dump's own lines: its version and the server's, a random token since 15.14, settings of the
// session that reads it.
bool is_noise(const std::string& line) {
  static const std::regex noise(
      R"(--|-- (Name|Data for Name|Dumped|PostgreSQL database dump).*|\\(un)?restrict .*)"
      R"(|SET \w+ = .*;|SELECT pg_catalog\.set_config\('search_path'.*)");
  return std::regex_match(line, noise);
}

// Without noise, tabs, and runs of empty lines.
std::string readable(const std::string& dump) {
  std::string text;
  std::string line;
  for (const char letter : dump) {
    if (letter != '\n') {
      line += letter == '\t' ? std::string(4, ' ') : std::string(1, letter);
      continue;
    }
    const bool is_gap = line.empty() && (text.empty() || text.ends_with("\n\n"));
    if (!is_gap && !is_noise(line)) text += line + "\n";
    line.clear();
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return std::regex_replace(text, std::regex(R"(\bpublic\.)"), "");
}

class ScratchPostgres final : public ScratchDatabase {
 public:
  Status run(const std::string& script) override { return server().run_script(url_, script); }

  Result<std::unique_ptr<Store>> open(const ManualClock& clock) override {
    return open_postgres(
        {.url = url_, .now_override = [&clock] { return std::optional(clock.wall_now()); }});
  }

  // The days of the history come and go.
  std::string schema() override {
    return readable(
        server().dump(url_, {"--schema-only", "--no-owner", "--no-privileges",
                             "--exclude-table=history_[0-9]*", "--exclude-table=attempts_[0-9]*"}));
  }
  std::string contents() override { return readable(server().dump(url_, {"--no-owner"})); }

 private:
  static test::PostgresServer& server() { return test::PostgresServer::shared(); }

  std::string url_ = server().empty_database();
};

}  // namespace

std::unique_ptr<ScratchDatabase> scratch_postgres() {
  return std::make_unique<ScratchPostgres>();
}

const Dialect& postgres_dialect() {
  static const Dialect dialect = [] {
    Dialect made{.name = "postgres",
                 .make = &scratch_postgres,
                 .migration_table = std::string(postgres::kMakeMigrationTable),
                 .record = [](const KnownMigration& migration) {
                   return fmt::format(
                       "insert into schema_migrations (number, name) values ({}, '{}')",
                       migration.number, migration.name);
                 }};
    for (const postgres::Migration& migration : postgres::kMigrations) {
      made.migrations.emplace_back(migration.number, std::string(migration.name),
                                   std::string(migration.sql));
    }
    return made;
  }();
  return dialect;
}

}  // namespace belfry::store

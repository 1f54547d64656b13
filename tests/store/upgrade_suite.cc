#include "tests/store/upgrade_suite.h"

#include "tests/support/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace belfry::store {

std::vector<OldVersion> landed_versions() {
  std::vector<OldVersion> versions;
  std::istringstream list(test::read_file(BELFRY_SOURCE "/sql/landed.sha256"));
  for (std::string hash, file; list >> hash >> file;) {
    const Dialect& dialect = file.starts_with("sqlite") ? sqlite_dialect() : postgres_dialect();
    versions.push_back({&dialect, std::stoi(file.substr(file.rfind('/') + 1))});
  }
  return versions;
}

std::string name_of(const testing::TestParamInfo<OldVersion>& info) {
  return fmt::format("{}_{:04}", info.param.dialect->name, info.param.number);
}

void expect_same(const std::string& made, const std::string& wanted, const std::string& advice) {
  std::istringstream left(made);
  std::istringstream right(wanted);
  for (int number = 1; left || right; ++number) {
    std::string is = "(the end)";
    std::string should_be = "(the end)";
    std::getline(left, is);
    std::getline(right, should_be);
    if (is == should_be) continue;
    ADD_FAILURE() << "line " << number << "\n  is:        " << is << "\n  should be: " << should_be
                  << "\n"
                  << advice;
    return;
  }
}

void UpgradeTest::SetUp() {
  ASSERT_NO_FATAL_FAILURE(load());
  store_ = must(database_->open(clock_));
  ASSERT_NE(store_, nullptr);
}

void UpgradeTest::load() {
  const auto& all = dialect().migrations;
  ASSERT_NE(std::ranges::find(all, version(), &KnownMigration::number), all.end())
      << "the program has no migration " << version();
  must(database_->run(dialect().migration_table));
  for (const KnownMigration& migration : all) {
    if (migration.number > version()) break;
    must(database_->run(migration.sql));
    must(database_->run(dialect().record(migration)));
  }
  const std::string rows = test::read_file(
      fmt::format(BELFRY_SOURCE "/tests/store/upgrades/{}/{:04}.sql", dialect().name, version()));
  ASSERT_FALSE(rows.empty()) << "no rows for this version";
  must(database_->run(rows));
}

}  // namespace belfry::store

#include "server/upkeep.h"

#include "base/metrics/metrics.h"
#include "base/real_clock.h"
#include "cli/frame/exit_code.h"
#include "config/settings.h"
#include "server/open_store.h"
#include "server/restore.h"
#include "server/transfer.h"
#include "service/access/key_ring.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"

#include <iostream>
#include <string_view>

namespace belfry::server {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

bool is_sqlite(const std::string& store) {
  return store.starts_with(kSqlite);
}

Status show_migrations(const std::string& store) {
  BELFRY_TRY(names, pending_migrations(store));
  for (const std::string& name : names) std::cout << name << '\n';
  if (names.empty()) std::cerr << "the store is up to date\n";
  return {};
}

// Opening a store brings it up to date.
Status migrate(const std::string& store) {
  BELFRY_TRY(names, pending_migrations(store));
  const RealClock clock;
  MetricRegistry metrics;
  store::StoreMetrics measured(metrics);
  BELFRY_TRY(opened, open_stores(store, clock, measured));
  for (const std::string& name : names) std::cout << "applied " << name << '\n';
  if (names.empty()) std::cerr << "the store was up to date\n";
  return {};
}

Status back_up(const std::string& store, const std::string& file) {
  BELFRY_CHECK(check_store_address(store));
  if (!is_sqlite(store)) {
    return fail({.code = Errc::kInvalid,
                 .message = "a PostgreSQL database is backed up with its own tools",
                 .field = "store",
                 .hint = "run: pg_dump --format=custom --file=" + file + " '" +
                         config::masked(store) + "'"});
  }
  BELFRY_CHECK(store::backup_sqlite(store.substr(kSqlite.size()), file));
  std::cerr << "written to " << file << "; `--store sqlite:" << file << "` serves it\n";
  return {};
}

Status make_admin_key(const std::string& store, const std::string& name) {
  const RealClock clock;
  MetricRegistry metrics;
  store::StoreMetrics measured(metrics);
  BELFRY_TRY(opened, open_stores(store, clock, measured));
  const service::FreshKey fresh = service::draw_key();
  BELFRY_TRY(key, opened.api->put_key({.tenant = TenantId(1),
                                       .name = name,
                                       .hash = fresh.hash,
                                       .scope = store::Scope::kRoot,
                                       .may_exec = true},
                                      {.actor = "store", .request_id = ""}));
  std::cerr << "key " << key.id.value() << " (root); it is shown only once:\n";
  std::cout << fresh.secret << '\n';
  return {};
}

Status run(const config::UpkeepOptions& options) {
  using Task = config::UpkeepOptions::Task;
  switch (options.task) {
    case Task::kShowMigrations: return show_migrations(options.store);
    case Task::kMigrate: return migrate(options.store);
    case Task::kBackup: return back_up(options.store, options.subject);
    case Task::kRestore: return restore(options);
    case Task::kExport: return export_all(options);
    case Task::kImport: return import_all(options);
    case Task::kAdminKey: break;
  }
  return make_admin_key(options.store, options.subject);
}

}  // namespace

int upkeep(const config::UpkeepOptions& options) {
  const auto done = run(options);
  if (done) return cli::kOk;
  std::cerr << "belfry: " << to_string(done.error()) << '\n';
  return exit_code_of(done.error());
}

int exit_code_of(const Error& error) {
  switch (error.code) {
    case Errc::kInvalid: return cli::kUsage;
    case Errc::kNotFound: return cli::kNotFound;
    case Errc::kConflict:
    case Errc::kFenced: return cli::kConflict;
    case Errc::kForbidden:
    case Errc::kQuotaExceeded: return cli::kRefused;
    case Errc::kUnavailable:
    case Errc::kUnknownOutcome: return cli::kUnreachable;
    case Errc::kInternal: break;
  }
  return cli::kDifferent;
}

}  // namespace belfry::server

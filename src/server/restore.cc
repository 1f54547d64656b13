#include "server/restore.h"

#include "base/metrics/metrics.h"
#include "base/real_clock.h"
#include "base/rng.h"
#include "base/text/instant_text.h"
#include "config/settings.h"
#include "engine/restore/restorer.h"
#include "server/open_store.h"
#include "store/sqlite/sqlite_store.h"

#include <filesystem>
#include <iostream>
#include <string_view>

namespace belfry::server {
namespace {

constexpr std::string_view kEmbedded = "sqlite:";

Status finish(store::Store& store, core::MissedTicks missed) {
  BELFRY_TRY(rng, Rng::from_system_entropy());
  core::ZoneCatalog zones;
  engine::Restorer restorer(store, zones, Incarnation({rng.next_u64(), rng.next_u64()}));
  BELFRY_TRY(report, restorer.run(missed));
  std::cerr << "restored; of the ticks since " << format_instant(report.since) << ' ' << report.runs
            << " run and " << report.skips << " are skipped\n";
  if (report.broken > 0) {
    std::cerr << report.broken
              << " jobs have schedules that cannot be read; the node decides them\n";
  }
  return {};
}

Status check_place(const std::string& path, const std::string& file) {
  if (file.empty()) {
    return fail({.code = Errc::kInvalid,
                 .message = "no backup is named",
                 .field = "file",
                 .hint = "run: belfry recover FILE"});
  }
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return fail({.code = Errc::kNotFound,
                 .message = "there is no backup `" + file + "`",
                 .field = "file",
                 .hint = "name the file that `belfry backup` wrote"});
  }
  if (std::filesystem::equivalent(path, file, error)) {
    return fail({.code = Errc::kInvalid,
                 .message = "`" + file + "` is the store itself",
                 .field = "file",
                 .hint = "name the backup"});
  }
  if (std::filesystem::exists(path) && !serves_alone(path)) {
    return fail({.code = Errc::kConflict,
                 .message = "a node uses `" + path + "`",
                 .hint = "stop it, and restore again"});
  }
  return {};
}

// All is done to a copy; when it is ready it takes the store's place.
Status restore_embedded(const std::string& path, const config::UpkeepOptions& options) {
  BELFRY_CHECK(check_place(path, options.subject));
  BELFRY_CHECK(store::pending_sqlite(options.subject));  // refuses what is no store of ours
  const std::string copy = path + ".restoring";
  std::error_code error;
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(copy + part, error);
  BELFRY_CHECK(store::backup_sqlite(options.subject, copy));
  {
    const RealClock clock;
    BELFRY_TRY(opened,
               store::open_sqlite(
                   {.path = copy, .now = [&clock] { return clock.wall_now(); }, .is_alone = true}));
    BELFRY_CHECK(finish(*opened, options.missed));
  }
  const bool replaces = std::filesystem::exists(path);
  BELFRY_CHECK(store::replace_sqlite(path, copy));
  if (replaces) std::cerr << "the store of before is kept as " << path << ".replaced\n";
  return {};
}

Status restore_database(const config::UpkeepOptions& options) {
  if (!options.subject.empty()) {
    return fail({.code = Errc::kInvalid,
                 .message = "a PostgreSQL database is brought back by its own tools",
                 .field = "file",
                 .hint = "run pg_restore --no-owner --exit-on-error --dbname='" +
                         config::masked(options.store) + "' " + options.subject +
                         ", then this command without the file"});
  }
  const RealClock clock;
  MetricRegistry metrics;
  store::StoreMetrics measured(metrics);
  BELFRY_TRY(opened, open_stores(options.store, clock, measured));
  return finish(*opened.engine, options.missed);
}

}  // namespace

Status restore(const config::UpkeepOptions& options) {
  if (!options.store.starts_with(kEmbedded)) return restore_database(options);
  return restore_embedded(options.store.substr(kEmbedded.size()), options);
}

}  // namespace belfry::server

#include "server/transfer.h"

#include "base/metrics/metrics.h"
#include "base/real_clock.h"
#include "cli/text/text.h"
#include "server/keys/secret_source.h"
#include "server/open_store.h"
#include "transfer/export.h"
#include "transfer/import.h"

#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <utility>

namespace belfry::server {
namespace {

// The kinds of things, in their order, and how people call one.
constexpr std::pair<const char*, const char*> kKinds[] = {
    {"tenant", "tenant"},     {"secret", "secret"},         {"calendar", "calendar"},
    {"job_type", "job type"}, {"alert_rule", "alert rule"}, {"job", "job"}};

std::string counted_kinds(const std::map<std::string, std::size_t>& counts) {
  std::string text;
  for (const auto& [kind, noun] : kKinds) {
    const auto found = counts.find(kind);
    const std::size_t count = found == counts.end() ? 0 : found->second;
    text += (text.empty() ? "" : ", ") + cli::counted(count, noun);
  }
  return text;
}

// A store that another version uses is not brought forward by reading it.
Status check_version(const std::string& store) {
  BELFRY_TRY(names, pending_migrations(store));
  if (names.empty()) return {};
  return fail({.code = Errc::kConflict,
               .message = "the store is of an earlier version",
               .hint = "export it with the program of that version, or run belfry migrate first"});
}

}  // namespace

Status export_all(const config::UpkeepOptions& options) {
  BELFRY_CHECK(check_version(options.store));
  const RealClock clock;
  MetricRegistry metrics;
  store::StoreMetrics measured(metrics);
  BELFRY_TRY(opened, open_stores(options.store, clock, measured));
  BELFRY_TRY(exported, transfer::export_all(*opened.api, std::cout));
  std::cerr << "exported " << counted_kinds(exported.lines) << '\n';
  if (exported.over > 0) {
    std::cerr << "left out " << cli::counted(exported.over, "job") << " that are over\n";
  }
  std::cerr << "not in it: history, silences, API keys";
  if (exported.checkins > 0) {
    std::cerr << ", and the check-in tokens of " << cli::counted(exported.checkins, "job");
  }
  std::cerr << "; secrets are sealed with the keys of this store\n";
  return {};
}

Status import_all(const config::UpkeepOptions& options) {
  std::ifstream in(options.subject);
  if (!in) {
    return fail({.code = Errc::kNotFound,
                 .message = "`" + options.subject + "` cannot be read",
                 .field = "file",
                 .hint = "name what `belfry export --all` wrote"});
  }
  const RealClock clock;
  MetricRegistry metrics;
  store::StoreMetrics measured(metrics);
  BELFRY_TRY(opened, open_stores(options.store, clock, measured));
  config::ServeOptions keys;
  keys.store = options.store;
  keys.secrets_key_file = options.secrets_key_file;
  keys.secrets_key = options.secrets_key;
  service::SecretBox secrets(*opened.api, clock, secret_source(keys));
  BELFRY_CHECK(secrets.start());
  core::ZoneCatalog zones;
  BELFRY_TRY(report, transfer::import_all({*opened.api, secrets, zones}, in, options.missed));
  std::cerr << "made " << counted_kinds(report.made) << '\n'
            << "there already, and left alone: " << counted_kinds(report.there) << '\n'
            << cli::counted(static_cast<std::uint64_t>(report.runs), "run")
            << " for missed ticks\n";
  for (const std::string& note : report.notes) std::cerr << "note: " << note << '\n';
  return {};
}

}  // namespace belfry::server

#include "demo/cast.h"

#include <array>

namespace belfry::demo {
namespace {

using namespace std::chrono_literals;

constexpr std::array<Role, 60> kCast{{
    {"default", "billing/nightly-invoices", "30 2 * * *", "Europe/Berlin", "billing", Mood::kBreaks,
     4min, "billing"},
    {"default", "billing/settle", "0,30 8-18 * * MON-FRI", "Europe/Berlin", "billing",
     Mood::kSteady, 8s, "billing"},
    {"default", "billing/dunning", "0 9 * * MON", "Europe/Berlin", "billing", Mood::kSteady, 50s,
     "billing"},
    {"default", "billing/fx-rates", "5 * * * *", "UTC", "billing", Mood::kFlaky, 2s, "billing"},
    {"default", "etl/ingest-orders", "0 * * * *", "UTC", "etl", Mood::kFlaky, 40s, "data"},
    {"default", "etl/warehouse-load", "30 2 * * *", "America/New_York", "etl", Mood::kLong, 52min,
     "data"},
    {"default", "etl/clickstream", "40 */2 * * *", "UTC", "etl", Mood::kSteady, 95s, "data"},
    {"default", "etl/dedupe", "20 3 * * *", "UTC", "etl", Mood::kSteady, 11min, "data"},
    {"default", "etl/export-parquet", "0 5 * * *", "UTC", "etl", Mood::kDies, 6min, "data"},
    {"default", "legacy/ftp-pull", "7 * * * *", "UTC", "legacy", Mood::kFlaky, 3s, "ops"},
    {"default", "legacy/mainframe-sync", "0 22 * * MON-FRI", "America/New_York", "legacy",
     Mood::kSilent, 14min, "ops"},
    {"default", "ml/retrain", "0 4 * * SUN", "UTC", "gpu-train", Mood::kUnserved, 2h, "ml"},
    {"default", "ml/score-leads", "15 6 * * *", "UTC", "ml", Mood::kSteady, 9min, "ml"},
    {"default", "ml/drift-report", "0 7 * * MON", "UTC", "ml", Mood::kSteady, 3min, "ml"},
    {"default", "ops/rotate-logs", "H */2 * * *", "UTC", "ops", Mood::kSteady, 400ms, "ops"},
    {"default", "ops/vacuum-db", "0 14 * * MON#1", "UTC", "ops", Mood::kSteady, 11min, "ops"},
    {"default", "ops/backup", "15 3 * * *", "UTC", "ops", Mood::kSteady, 18min, "ops"},
    {"default", "ops/restore-drill", "0 4 1 * *", "UTC", "ops", Mood::kSteady, 40min, "ops"},
    {"default", "ops/cert-check", "H 6 * * *", "UTC", "ops", Mood::kSteady, 2s, "ops"},
    {"default", "ops/disk-report", "0 */6 * * *", "UTC", "ops", Mood::kSteady, 5s, "ops"},
    {"default", "reports/daily", "0 8 * * MON-FRI", "Asia/Tokyo", "reports", Mood::kSteady, 100s,
     "bi"},
    {"default", "reports/hourly", "15 * * * *", "Europe/Berlin", "reports", Mood::kSteady, 10s,
     "bi"},
    {"default", "reports/weekly-board", "0 6 * * MON", "Europe/Berlin", "reports", Mood::kSteady,
     4min, "bi"},
    {"default", "reports/quarter", "0 6 1 1,4,7,10 *", "Europe/Berlin", "reports", Mood::kSteady,
     20min, "bi"},
    {"default", "sync/crm-contacts", "20 */2 * * *", "UTC", "sync", Mood::kBreaks, 1s, "sales"},
    {"default", "sync/stock-levels", "45 * * * *", "UTC", "sync", Mood::kSteady, 4s, "shop"},
    {"default", "sync/price-list", "0 1 * * *", "Europe/Berlin", "sync", Mood::kSteady, 30s,
     "shop"},
    {"default", "web/ping-all", "0 * * * *", "UTC", "web", Mood::kSteady, 200ms, "web"},
    {"default", "web/sitemap", "H H * * *", "UTC", "web", Mood::kSteady, 22s, "web"},
    {"default", "web/warm-cache", "0 6-22 * * *", "Europe/Berlin", "web", Mood::kSteady, 7s, "web"},
    {"acme", "crm/import-leads", "10 */2 * * *", "America/New_York", "crm", Mood::kFlaky, 12s,
     "sales"},
    {"acme", "crm/merge-duplicates", "0 3 * * *", "America/New_York", "crm", Mood::kSteady, 3min,
     "sales"},
    {"acme", "crm/follow-ups", "0 9 * * MON-FRI", "America/New_York", "crm", Mood::kSteady, 6s,
     "sales"},
    {"acme", "finance/close-day", "55 23 * * *", "America/New_York", "finance", Mood::kSteady, 90s,
     "finance"},
    {"acme", "finance/reconcile", "30 1 * * *", "America/New_York", "finance", Mood::kDies, 5min,
     "finance"},
    {"acme", "finance/payroll", "0 12 25 * *", "America/New_York", "finance", Mood::kSteady, 7min,
     "finance"},
    {"acme", "mail/digest", "0 7 * * *", "America/New_York", "mail", Mood::kSteady, 45s, "growth"},
    {"acme", "mail/bounces", "30 */2 * * *", "UTC", "mail", Mood::kSteady, 2s, "growth"},
    {"acme", "mail/welcome", "0 */2 * * *", "UTC", "mail", Mood::kSteady, 3s, "growth"},
    {"acme", "search/reindex", "0 2 * * *", "America/New_York", "search", Mood::kLong, 35min,
     "search"},
    {"acme", "search/synonyms", "0 5 * * SUN", "America/New_York", "search", Mood::kSteady, 20s,
     "search"},
    {"acme", "search/suggest", "0 */3 * * *", "UTC", "search", Mood::kSteady, 50s, "search"},
    {"acme", "shop/abandoned-carts", "0 */2 * * *", "America/New_York", "shop", Mood::kSteady, 8s,
     "shop"},
    {"acme", "shop/expire-coupons", "0 0 * * *", "America/New_York", "shop", Mood::kSteady, 1s,
     "shop"},
    {"acme", "shop/feed-google", "40 4 * * *", "America/New_York", "shop", Mood::kFlaky, 75s,
     "shop"},
    {"nordwind", "fleet/positions", "0 * * * *", "UTC", "fleet", Mood::kSteady, 4s, "fleet"},
    {"nordwind", "fleet/fuel-report", "0 6 * * *", "Europe/Berlin", "fleet", Mood::kSteady, 25s,
     "fleet"},
    {"nordwind", "fleet/service-due", "0 7 * * MON", "Europe/Berlin", "fleet", Mood::kSteady, 5s,
     "fleet"},
    {"nordwind", "grid/forecast", "0 */4 * * *", "UTC", "grid", Mood::kSteady, 6min, "grid"},
    {"nordwind", "grid/meter-read", "5 * * * *", "Europe/Berlin", "grid", Mood::kFlaky, 30s,
     "grid"},
    {"nordwind", "grid/settlement", "0 10 * * MON-FRI", "Europe/Berlin", "grid", Mood::kSteady,
     2min, "grid"},
    {"nordwind", "iot/compact", "0 1 * * *", "UTC", "iot", Mood::kSteady, 9min, "iot"},
    {"nordwind", "iot/firmware-rollout", "0 3 * * TUE", "Europe/Berlin", "iot", Mood::kSteady,
     15min, "iot"},
    {"nordwind", "iot/offline-devices", "20 */2 * * *", "UTC", "iot", Mood::kSteady, 1s, "iot"},
    {"nordwind", "ports/tides", "0 0 * * *", "Europe/Berlin", "ports", Mood::kSteady, 2s, "ports"},
    {"nordwind", "ports/berths", "0 */2 * * *", "Europe/Berlin", "ports", Mood::kSteady, 6s,
     "ports"},
    {"nordwind", "ports/customs", "30 5 * * MON-FRI", "Europe/Berlin", "ports", Mood::kSilent, 3min,
     "ports"},
    {"nordwind", "weather/models", "0 */6 * * *", "UTC", "weather", Mood::kLong, 24min, "weather"},
    {"nordwind", "weather/alerts", "10 */2 * * *", "UTC", "weather", Mood::kSteady, 1s, "weather"},
    {"nordwind", "weather/archive", "0 2 * * *", "UTC", "weather", Mood::kSteady, 5min, "weather"},
}};

}  // namespace

std::span<const Role> cast() {
  return kCast;
}

bool checks_in(const Role& role) {
  return role.name == "ops/cert-check" || role.name == "ops/disk-report" ||
         role.name == "legacy/mainframe-sync";
}

}  // namespace belfry::demo

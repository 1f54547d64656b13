#include "transfer/export.h"

#include "api/admin/type_codec.h"
#include "api/jobs/job_codec.h"
#include "base/json.h"
#include "base/text/instant_text.h"
#include "core/spelling.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace belfry::transfer {
namespace {

constexpr std::size_t kRows = 1'000;

// Reads all pages; `read` gets where to go on, which `name_of` tells of the last row.
template <typename Read, typename Use>
Status for_each_row(const Read& read, const Use& use) {
  std::string after;
  while (true) {
    BELFRY_TRY(rows, read(after));
    for (const auto& row : rows) BELFRY_CHECK(use(row));
    if (rows.size() < kRows) return {};
    after = rows.back().name;
  }
}

class Export {
 public:
  Export(store::Store& store, std::ostream& out) : store_(store), out_(out) {}

  Result<Exported> run() {
    BELFRY_CHECK(write_head());
    BELFRY_CHECK(read_tenants());
    for (const store::Tenant& tenant : tenants_) write_tenant(tenant);
    BELFRY_CHECK(write_secrets());
    for (const store::Tenant& tenant : tenants_) BELFRY_CHECK(write_all_of(tenant));
    line("end", {{"lines", lines_}});
    if (!out_.flush()) return fail(Errc::kUnavailable, "the file cannot be written");
    return std::move(exported_);
  }

 private:
  void line(const char* kind, Json body) {
    ++lines_;
    ++exported_.lines[kind];
    out_ << write_json({{kind, std::move(body)}}) << '\n';
  }

  Status write_head() {
    BELFRY_TRY(overview, store_.overview());
    for (const auto& partition : overview.partitions) {
      decided_through_[partition.partition] = partition.decided_through;
    }
    line("belfry_export", {{"format", kFormat}, {"made_at", format_instant(overview.now)}});
    BELFRY_TRY(regions, store_.list_regions());
    for (const auto& region : regions) regions_[region.no] = region.name;
    return {};
  }

  // By number, because a new store numbers them in the order in which it learns of them: and what
  // `H` and jitter draw depends on it.
  Status read_tenants() {
    BELFRY_CHECK(
        for_each_row([this](const std::string& after) { return store_.list_tenants(after, kRows); },
                     [this](const store::Tenant& tenant) -> Status {
                       tenants_.push_back(tenant);
                       return {};
                     }));
    std::ranges::sort(tenants_, {}, &store::Tenant::id);
    return {};
  }

  void write_tenant(const store::Tenant& tenant) {
    names_[tenant.id] = tenant.name;
    line("tenant", {{"name", tenant.name},
                    {"number", tenant.id.value()},
                    {"weight", tenant.weight},
                    {"max_in_flight", tenant.max_in_flight},
                    {"max_jobs", tenant.max_jobs},
                    {"max_requests", tenant.max_requests}});
  }

  Status write_secrets() {
    store::SecretRow last;
    while (true) {
      BELFRY_TRY(rows, store_.list_secrets(last.tenant, last.name, kRows));
      for (const store::SecretRow& row : rows) {
        line("secret",
             {{"tenant", names_[row.tenant]}, {"name", row.name}, {"sealed", row.sealed}});
      }
      if (rows.size() < kRows) return {};
      last = rows.back();
    }
  }

  Status write_all_of(const store::Tenant& tenant) {
    const TenantId id = tenant.id;
    BELFRY_CHECK(for_each_row(
        [&](const std::string& after) { return store_.list_calendars(id, after, kRows); },
        [&](const store::CalendarRow& row) -> Status {
          line("calendar", {{"tenant", tenant.name}, {"name", row.name}, {"rules", row.rules}});
          return {};
        }));
    BELFRY_CHECK(
        for_each_row([&](const std::string& after) { return store_.list_types(id, after, kRows); },
                     [&](const store::JobType& type) -> Status {
                       line("job_type", {{"tenant", tenant.name},
                                         {"name", type.name},
                                         {"definition", api::write_type(type)}});
                       return {};
                     }));
    BELFRY_CHECK(for_each_row(
        [&](const std::string& after) { return store_.list_alert_rules(id, after, kRows); },
        [&](const store::AlertRuleRow& rule) -> Status {
          line("alert_rule",
               {{"tenant", tenant.name}, {"name", rule.name}, {"definition", rule.definition}});
          return {};
        }));
    return write_jobs(tenant);
  }

  Status write_jobs(const store::Tenant& tenant) {
    std::string after;
    while (true) {
      BELFRY_TRY(page, store_.list_jobs({.tenant = tenant.id}, after, kRows));
      for (const store::JobRow& listed : page.jobs) {
        BELFRY_TRY(job, store_.find_job(listed.id));  // lists come without target and payload
        BELFRY_CHECK(write_job(tenant, job));
      }
      if (!page.next) return {};
      after = *page.next;
    }
  }

  // Target and payload as texts, so that not a byte of them changes.
  Status write_job(const store::Tenant& tenant, const store::JobRow& job) {
    if (!core::can_tick(job.status)) {
      ++exported_.over;
      return {};
    }
    const auto token = store_.find_checkin(job.id);
    if (!token && token.error().code != Errc::kNotFound) return fail(token.error());
    if (token) ++exported_.checkins;
    Json definition = api::write_definition(job.definition);
    definition.erase("target");
    definition.erase("payload");
    Json body{{"tenant", tenant.name},
              {"region", regions_[region_of(job.id)]},
              {"definition", std::move(definition)},
              {"target", job.definition.target},
              {"payload", job.definition.payload},
              {"has_token", token.has_value()},
              {"decided_through", format_instant(decided_through(job))}};
    if (job.status == core::JobStatus::kPaused) {
      body["pause_note"] = job.pause_note;
      if (job.paused_until) body["paused_until"] = format_instant(*job.paused_until);
    }
    line("job", std::move(body));
    return {};
  }

  // Up to here the fates of its ticks are known; the rest is the question of whoever imports.
  Instant decided_through(const store::JobRow& job) {
    return std::max(decided_through_[partition_of(job.id)], job.effective_from);
  }

  store::Store& store_;
  std::ostream& out_;
  Exported exported_;
  std::size_t lines_ = 0;
  std::vector<store::Tenant> tenants_;
  std::map<TenantId, std::string> names_;
  std::map<RegionNo, std::string> regions_;
  std::map<PartitionNo, Instant> decided_through_;
};

}  // namespace

Result<Exported> export_all(store::Store& store, std::ostream& out) {
  return Export(store, out).run();
}

}  // namespace belfry::transfer

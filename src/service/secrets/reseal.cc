#include "service/secrets/reseal.h"

#include "core/alerts/rule.h"
#include "core/target_secrets.h"

#include <fmt/format.h>

#include <charconv>

namespace belfry::service {
namespace {

constexpr std::size_t kRows = 1'000;
constexpr int kPages = 20;            // of revisions in one step
constexpr int kPagesOfNamed = 1'000;  // they are few

// How far a pass has come, and whether it has changed anything.
struct Place {
  std::uint64_t job = 0;
  std::uint32_t revision = 0;
  std::uint32_t changed = 0;
};

std::string to_text(const Place& place) {
  return fmt::format("{}.{}.{}", place.job, place.revision, place.changed);
}

Result<Place> parse_place(const std::string& text) {
  Place place;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto read = [&](auto& number, bool is_last) {
    const auto [stop, error] = std::from_chars(at, end, number);
    const bool fine = error == std::errc() && (is_last ? stop == end : stop != end && *stop == '.');
    at = fine && !is_last ? stop + 1 : stop;
    return fine;
  };
  const bool fine = read(place.job, false) && read(place.revision, false) &&
                    read(place.changed, true) && place.job <= INT64_MAX &&
                    place.revision <= INT32_MAX;
  if (fine) return place;
  return fail({.code = Errc::kInvalid,
               .message = "this is not where a rotation stopped",
               .field = "cursor",
               .hint = "leave it out to begin again"});
}

class Pass {
 public:
  Pass(store::Store& store, SecretBox& box, std::string key, const store::Author& author)
      : store_(store), box_(box), key_(std::move(key)), author_(author) {}

  std::size_t resealed() const { return resealed_; }

  Status do_named() {
    store::SecretRow last;
    for (int i = 0; i < kPagesOfNamed; ++i) {
      BELFRY_TRY(rows, store_.list_secrets(last.tenant, last.name, kRows));
      for (const store::SecretRow& row : rows) {
        std::string value = row.sealed;
        BELFRY_CHECK(renew(row.tenant, "named/" + row.name, value));
        if (value != row.sealed) BELFRY_CHECK(store_.reseal_secret(row, value));
      }
      if (rows.size() < kRows) return {};
      last = rows.back();
    }
    return {};
  }

  Status do_rules() {
    std::string tenant;
    for (int i = 0; i < kPagesOfNamed; ++i) {
      BELFRY_TRY(tenants, store_.list_tenants(tenant, kRows));
      for (const store::Tenant& each : tenants) BELFRY_CHECK(do_rules_of(each.id));
      if (tenants.size() < kRows) return {};
      tenant = tenants.back().name;
    }
    return {};
  }

  // False: there are no more.
  Result<bool> do_targets(Place& place) {
    BELFRY_TRY(rows, store_.list_targets(JobId(place.job), place.revision, kRows));
    for (store::KeptTarget& row : rows) {
      BELFRY_TRY(renewed, renew_secrets(row.tenant, row.target));
      if (renewed) BELFRY_CHECK(store_.reseal_target(row));
      place.job = row.job.value();
      place.revision = row.revision;
    }
    return rows.size() == kRows;
  }

 private:
  Status do_rules_of(TenantId tenant) {
    std::string last;
    for (int i = 0; i < kPagesOfNamed; ++i) {
      BELFRY_TRY(rows, store_.list_alert_rules(tenant, last, kRows));
      for (const store::AlertRuleRow& row : rows) BELFRY_CHECK(renew_rule(row));
      if (rows.size() < kRows) return {};
      last = rows.back().name;
    }
    return {};
  }

  Status renew_rule(const store::AlertRuleRow& row) {
    auto rule = core::read_alert_rule(row.name, row.definition);
    if (!rule) return {};
    bool any = false;
    for (std::string& receiver : rule->receivers) {
      BELFRY_TRY(renewed, renew_secrets(row.tenant, receiver));
      any = any || renewed;
    }
    if (!any) return {};
    BELFRY_CHECK(
        store_.put_alert_rule(row.tenant, row.name, core::write_alert_rule(*rule), author_));
    return {};
  }

  // Whether the target had any that were not sealed with the newest key.
  Result<bool> renew_secrets(TenantId tenant, std::string& text) {
    auto target = parse_json(text);
    if (!target) return false;
    const std::size_t before = resealed_;
    Status status;
    core::visit_secrets(*target, [&](const std::string& where, std::string& value) {
      if (status) status = renew(tenant, where, value);
    });
    if (!status) return fail(status.error());
    if (resealed_ == before) return false;
    text = write_json(*target);
    return true;
  }

  Status renew(TenantId tenant, const std::string& where, std::string& value) {
    if (SecretBox::key_of(value) == key_) return {};
    BELFRY_TRY(plain, box_.open(tenant, where, value));
    BELFRY_TRY(sealed, box_.seal(tenant, where, plain));
    value = std::move(sealed);
    ++resealed_;
    return {};
  }

  store::Store& store_;
  SecretBox& box_;
  const std::string key_;
  const store::Author& author_;
  std::size_t resealed_ = 0;
};

}  // namespace

Result<Resealed> reseal(store::Store& store, SecretBox& box, const std::string& cursor, bool fresh,
                        TenantId tenant, const store::Author& author) {
  BELFRY_TRY(place, cursor.empty() ? Result<Place>(Place()) : parse_place(cursor));
  BELFRY_TRY(key, box.newest_key(fresh));
  BELFRY_CHECK(store.note_rotation(tenant, key, author));
  Pass pass(store, box, key, author);
  if (cursor.empty()) {
    BELFRY_CHECK(pass.do_named());
    BELFRY_CHECK(pass.do_rules());
  }
  bool more = true;
  for (int i = 0; i < kPages && more; ++i) {
    BELFRY_TRY(going_on, pass.do_targets(place));
    more = going_on;
  }
  if (pass.resealed() > 0) place.changed = 1;
  Resealed done{.key = key, .resealed = pass.resealed()};
  if (more) done.next = to_text(place);
  // A value that was kept while we passed may have come after us: only a pass without any proves
  // that there is none.
  if (!more && place.changed == 0) BELFRY_CHECK(store.keep_only_seal_key(key));
  return done;
}

}  // namespace belfry::service

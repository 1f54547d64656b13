#include "store/postgres/jobs/idempotency.h"

#include "store/common/change_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/sql.h"

#include <set>

namespace belfry::store::postgres {
namespace {

struct KeyColumns {
  std::vector<std::int64_t> tenants;
  std::vector<std::string_view> keys;

  void add(const KeyOfTenant& key) {
    tenants.push_back(to_bigint(key.first.value()));
    keys.push_back(key.second);
  }
};

Params params_of(const std::vector<KeyOfTenant>& keys) {
  KeyColumns columns;
  for (const KeyOfTenant& key : keys) columns.add(key);
  return std::move(Params().bigints(columns.tenants).texts(columns.keys));
}

std::map<KeyOfTenant, Earlier> read_requests(const Reply& reply,
                                             const std::vector<KeyOfTenant>& keys) {
  std::map<KeyOfTenant, Earlier> found;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    Earlier& earlier = found[keys.at(static_cast<std::size_t>(row.number() - 1))];
    earlier.fingerprint = row.text();
    if (!row.next_is_null()) earlier.jobs.push_back(read_whole_job(row));
  }
  return found;
}

}  // namespace

Result<std::map<KeyOfTenant, Earlier>> take_keys(Transaction& transaction,
                                                 std::optional<Instant> now,
                                                 std::span<const IdempotencyKey* const> keys) {
  // In order, so that two transactions never wait for each other.
  std::map<KeyOfTenant, std::string_view> wanted;
  for (const IdempotencyKey* idempotency : keys)
    wanted.emplace(KeyOfTenant(idempotency->tenant, idempotency->key), idempotency->fingerprint);
  if (wanted.empty()) return std::map<KeyOfTenant, Earlier>();
  KeyColumns columns;
  std::vector<std::string_view> fingerprints;
  for (const auto& [key, fingerprint] : wanted) {
    columns.add(key);
    fingerprints.push_back(fingerprint);
  }
  BELFRY_TRY(
      reply,
      transaction.run(
          kTakeRequests,
          Params().instant(now).bigints(columns.tenants).texts(columns.keys).texts(fingerprints)));
  std::set<KeyOfTenant> ours;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const TenantId tenant(to_unsigned(row.number()));
    ours.emplace(tenant, row.text());
  }
  std::vector<KeyOfTenant> others;
  for (const auto& [key, fingerprint] : wanted) {
    if (!ours.contains(key)) others.push_back(key);
  }
  if (others.empty()) return std::map<KeyOfTenant, Earlier>();
  BELFRY_TRY(earlier, transaction.run(kReadRequests, params_of(others)));
  return read_requests(earlier, others);
}

Status keep_keys(Transaction& transaction,
                 const std::map<KeyOfTenant, std::vector<JobId>>& led_to) {
  if (led_to.empty()) return {};
  KeyColumns columns;
  std::vector<std::string> lists;
  for (const auto& [key, jobs] : led_to) {
    columns.add(key);
    std::string& list = lists.emplace_back();
    for (const JobId job : jobs) list += (list.empty() ? "{" : ",") + std::to_string(job.value());
    if (!list.empty()) list += '}';
  }
  const std::vector<std::string_view> texts(lists.begin(), lists.end());
  BELFRY_TRY(kept,
             transaction.run(kKeepRequests,
                             Params().bigints(columns.tenants).texts(columns.keys).texts(texts)));
  return {};
}

Result<std::optional<std::vector<RegisteredJob>>> PostgresStore::find_request(
    const IdempotencyKey& idempotency) {
  const std::vector<KeyOfTenant> keys{{idempotency.tenant, idempotency.key}};
  BELFRY_TRY(reply, database_.read(kReadRequests, params_of(keys)));
  auto found = read_requests(reply, keys);
  if (found.empty()) return std::optional<std::vector<RegisteredJob>>();
  Earlier& earlier = found.begin()->second;
  if (earlier.fingerprint != idempotency.fingerprint) return fail(key_taken());
  return as_repeated(std::move(earlier.jobs));
}

}  // namespace belfry::store::postgres

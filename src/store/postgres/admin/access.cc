#include "store/common/access_rules.h"
#include "store/postgres/admin/audit.h"
#include "store/postgres/admin/tenant_row.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

ApiKey read_key(Row& row) {
  ApiKey key;
  key.id = KeyId(to_unsigned(row.number()));
  key.tenant = TenantId(to_unsigned(row.number()));
  key.name = row.text();
  key.scope = static_cast<Scope>(row.number());
  key.created_at = row.instant();
  key.expires_at = row.maybe_instant();
  key.revoked_at = row.maybe_instant();
  key.created_by = row.text();
  key.may_exec = row.boolean();
  key.last_used_at = row.maybe_instant();
  key.replaced_at = row.maybe_instant();
  return key;
}

// The key that has this hash already: the same one asked for again, or another.
Result<ApiKey> repeated_key(Transaction& transaction, const AccessStore::NewKey& asked) {
  BELFRY_TRY(reply, transaction.run(kKeyOfHash, Params().bytes(asked.hash)));
  if (reply.empty()) return fail(key_name_taken(asked.name));
  Row row = reply.row(0);
  ApiKey key = read_key(row);
  BELFRY_CHECK(check_same_key(key, asked));
  return key;
}

Result<Reply> add_key(Transaction& transaction, std::optional<Instant> now,
                      const AccessStore::NewKey& key, const Author& author) {
  Params params;
  params.instant(now).bigint(to_bigint(key.tenant.value())).text(key.name).bytes(key.hash);
  params.smallint(static_cast<int>(key.scope)).instant(key.expires_at).text(author.actor);
  params.boolean(key.may_exec);
  return transaction.run(kAddKey, params);
}

Status check_first(Transaction& transaction) {
  BELFRY_TRY(locked, transaction.run(kLockKeys, Params()));
  BELFRY_TRY(reply, transaction.run(kAnyKeys, Params()));
  return reply.row(0).boolean() ? Status(fail(not_the_first_key())) : Status();
}

}  // namespace

Result<ApiKey> PostgresStore::put_key(const NewKey& key, const Author& author) {
  ApiKey made;
  const auto put = [&](Transaction& transaction) -> Status {
    if (key.must_be_first) BELFRY_CHECK(check_first(transaction));
    BELFRY_TRY(reply, add_key(transaction, now(), key, author));
    if (reply.empty()) {
      BELFRY_TRY(there, repeated_key(transaction, key));
      made = there;
      return {};
    }
    Row row = reply.row(0);
    made = read_key(row);
    return note_audit(transaction, now(), author, note_of_new_key(made));
  };
  BELFRY_CHECK(database_.transaction(put));
  return made;
}

Result<AccessStore::KeyHolder> PostgresStore::find_key(const KeyHash& hash) {
  BELFRY_TRY(reply, database_.read(kFindKey, Params().instant(now()).bytes(hash)));
  if (reply.empty()) return fail(no_such_key());
  Row row = reply.row(0);
  KeyHolder holder;
  holder.key = read_key(row);
  holder.tenant = read_tenant(row);
  return holder;
}

Result<std::vector<ApiKey>> PostgresStore::list_keys(TenantId tenant) {
  BELFRY_TRY(reply, database_.read(kListKeys, Params().bigint(to_bigint(tenant.value()))));
  return read_all(reply, [](Row row) { return read_key(row); });
}

Result<ApiKey> PostgresStore::revoke_key(TenantId tenant, KeyId key, const Author& author) {
  ApiKey revoked;
  const auto revoke = [&](Transaction& transaction) -> Status {
    Params params;
    params.instant(now()).bigint(to_bigint(tenant.value())).bigint(to_bigint(key.value()));
    BELFRY_TRY(reply, transaction.run(kRevokeKey, params));
    if (reply.empty()) return fail(no_such_key());
    Row row = reply.row(0);
    revoked = read_key(row);
    if (!row.boolean()) return {};  // it was revoked before
    return note_audit(transaction, now(), author, note_of_revoked_key(revoked));
  };
  BELFRY_CHECK(database_.transaction(revoke));
  return revoked;
}

Result<ApiKey> PostgresStore::replace_key(TenantId tenant, KeyId key, const KeyHash& hash,
                                          Duration overlap, const Author& author) {
  ApiKey made;
  const auto replace = [&](Transaction& transaction) -> Status {
    Params params;
    params.instant(now()).bigint(to_bigint(tenant.value())).bigint(to_bigint(key.value()));
    BELFRY_TRY(reply, transaction.run(kReplaceKey, params.bigint(overlap.count())));
    if (reply.empty()) return fail(no_such_key());
    Row row = reply.row(0);
    const ApiKey old = read_key(row);
    const NewKey next{.tenant = old.tenant,
                      .name = old.name,
                      .hash = hash,
                      .scope = old.scope,
                      .expires_at = row.maybe_instant(),
                      .may_exec = old.may_exec};
    BELFRY_TRY(added, add_key(transaction, now(), next, author));
    if (added.empty()) return fail(key_name_taken(old.name));
    Row fresh = added.row(0);
    made = read_key(fresh);
    return note_audit(transaction, now(), author, note_of_replaced_key(old, made));
  };
  BELFRY_CHECK(database_.transaction(replace));
  return made;
}

Status PostgresStore::touch_key(KeyId key) {
  BELFRY_TRY(reply,
             database_.write(kTouchKey, Params().instant(now()).bigint(to_bigint(key.value()))));
  return {};
}

Result<bool> PostgresStore::any_keys() {
  BELFRY_TRY(reply, database_.read(kAnyKeys, Params()));
  return reply.row(0).boolean();
}

}  // namespace belfry::store::postgres

#include "store/common/access_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/admin/tenant_row.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

ApiKey read_key(Row& row) {
  ApiKey key;
  row.read(key.id, key.tenant, key.name, key.scope, key.created_at, key.expires_at, key.revoked_at,
           key.created_by, key.may_exec, key.last_used_at, key.replaced_at);
  return key;
}

Result<std::optional<ApiKey>> key_of_hash(const Session& session, const KeyHash& hash) {
  std::optional<ApiKey> key;
  const auto read = [&](Row& row) { key = read_key(row); };
  BELFRY_CHECK(session.db.first(kKeyOfHash, read, hash));
  return key;
}

Result<ApiKey> add_key(const Session& session, const AccessStore::NewKey& asked,
                       const Author& author) {
  BELFRY_TRY(taken, session.db.value<bool>(kIsKeyNameTaken, asked.tenant, asked.name));
  if (taken) return fail(key_name_taken(asked.name));
  BELFRY_CHECK(session.db.run(kAddKey, asked.tenant, asked.name, asked.hash, asked.scope,
                              session.now, asked.expires_at, author.actor, asked.may_exec));
  BELFRY_TRY(made, key_of_hash(session, asked.hash));
  if (!made) return fail(Errc::kInternal, "the key is gone");
  return *made;
}

}  // namespace

Result<ApiKey> SqliteStore::put_key(const AccessStore::NewKey& asked, const Author& author) {
  return write([&](const Session& session) -> Result<ApiKey> {
    BELFRY_TRY(there, key_of_hash(session, asked.hash));
    if (there) {
      BELFRY_CHECK(check_same_key(*there, asked));
      return *there;
    }
    if (asked.must_be_first) {
      BELFRY_TRY(any_keys, session.db.value<bool>(kAnyKeys));
      if (any_keys) return fail(not_the_first_key());
    }
    BELFRY_TRY(made, add_key(session, asked, author));
    BELFRY_CHECK(note_audit(session, author, note_of_new_key(made)));
    return made;
  });
}

Result<AccessStore::KeyHolder> SqliteStore::find_key(const KeyHash& hash) {
  return read([&](const Session& session) -> Result<AccessStore::KeyHolder> {
    AccessStore::KeyHolder holder;
    const auto read = [&](Row& row) {
      holder.key = read_key(row);
      holder.tenant = read_tenant(row);
    };
    BELFRY_TRY(found, session.db.first(kFindKey, read, hash, session.now));
    if (!found) return fail(no_such_key());
    return holder;
  });
}

Result<std::vector<ApiKey>> SqliteStore::list_keys(TenantId tenant) {
  return read([&](const Session& session) -> Result<std::vector<ApiKey>> {
    std::vector<ApiKey> keys;
    const auto add = [&](Row& row) { keys.push_back(read_key(row)); };
    BELFRY_CHECK(session.db.each(kListKeys, add, tenant));
    return keys;
  });
}

Result<ApiKey> SqliteStore::revoke_key(TenantId tenant, KeyId id, const Author& author) {
  return write([&](const Session& session) -> Result<ApiKey> {
    ApiKey key;
    const auto read = [&](Row& row) { key = read_key(row); };
    BELFRY_TRY(found, session.db.first(kKeyOfTenant, read, tenant, id));
    if (!found) return fail(no_such_key());
    if (key.revoked_at) return key;
    key.revoked_at = session.now;
    BELFRY_CHECK(session.db.run(kRevokeKey, id, session.now));
    BELFRY_CHECK(note_audit(session, author, note_of_revoked_key(key)));
    return key;
  });
}

Result<ApiKey> SqliteStore::replace_key(TenantId tenant, KeyId id, const KeyHash& hash,
                                        Duration overlap, const Author& author) {
  return write([&](const Session& session) -> Result<ApiKey> {
    ApiKey old;
    const auto read = [&](Row& row) { old = read_key(row); };
    BELFRY_TRY(found, session.db.first(kKeyOfTenant, read, tenant, id));
    const bool is_valid = found && !old.revoked_at && !old.replaced_at &&
                          old.expires_at.value_or(Instant::max()) > session.now;
    if (!is_valid) return fail(no_such_key());
    const Instant until = std::min(old.expires_at.value_or(Instant::max()), session.now + overlap);
    BELFRY_CHECK(session.db.run(kReplaceKey, id, session.now, until));
    const AccessStore::NewKey next{.tenant = old.tenant,
                                   .name = old.name,
                                   .hash = hash,
                                   .scope = old.scope,
                                   .expires_at = old.expires_at,
                                   .may_exec = old.may_exec};
    BELFRY_TRY(made, add_key(session, next, author));
    BELFRY_CHECK(note_audit(session, author, note_of_replaced_key(old, made)));
    return made;
  });
}

Status SqliteStore::touch_key(KeyId key) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kTouchKey, key, session.now));
    return {};
  });
}

Result<bool> SqliteStore::any_keys() {
  return read([&](const Session& session) { return session.db.value<bool>(kAnyKeys); });
}

}  // namespace belfry::store::sqlite

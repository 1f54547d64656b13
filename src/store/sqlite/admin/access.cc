#include "store/sqlite/admin/audit.h"
#include "store/sqlite/admin/tenant_row.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

ApiKey read_key(Row& row) {
  ApiKey key;
  row.read(key.id, key.tenant, key.name, key.scope, key.created_at, key.expires_at, key.revoked_at,
           key.created_by);
  return key;
}

Result<std::optional<ApiKey>> key_of_hash(const Session& session, const KeyHash& hash) {
  std::optional<ApiKey> key;
  const auto read = [&](Row& row) { key = read_key(row); };
  BELFRY_CHECK(session.db.first(kKeyOfHash, read, hash));
  return key;
}

}  // namespace

Result<ApiKey> SqliteStore::put_key(const AccessStore::NewKey& asked, const Author& author) {
  return write([&](const Session& session) -> Result<ApiKey> {
    BELFRY_TRY(there, key_of_hash(session, asked.hash));
    if (there) {
      const bool same =
          there->tenant == asked.tenant && there->name == asked.name && there->scope == asked.scope;
      if (!same) return fail(Errc::kConflict, "there is another key with this hash");
      return *there;
    }
    BELFRY_CHECK(session.db.run(kAddKey, asked.tenant, asked.name, asked.hash, asked.scope,
                                session.now, asked.expires_at, author.actor));
    BELFRY_TRY(made, key_of_hash(session, asked.hash));
    if (!made) return fail(Errc::kInternal, "the key is gone");
    BELFRY_CHECK(
        note_audit(session, author,
                   {.tenant = asked.tenant,
                    .action = "key.created",
                    .object = "key:" + std::to_string(made->id.value()),
                    .detail = {{"name", asked.name},
                               {"scope", std::to_string(static_cast<int>(asked.scope))}}}));
    return *made;
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
    if (!found) return fail(Errc::kNotFound, "there is no such key");
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
    if (!found) return fail(Errc::kNotFound, "there is no such key");
    if (key.revoked_at) return key;
    key.revoked_at = session.now;
    BELFRY_CHECK(session.db.run(kRevokeKey, id, session.now));
    BELFRY_CHECK(note_audit(session, author,
                            {.tenant = tenant,
                             .action = "key.revoked",
                             .object = "key:" + std::to_string(id.value()),
                             .detail = {{"name", key.name}}}));
    return key;
  });
}

Result<bool> SqliteStore::any_keys() {
  return read([&](const Session& session) { return session.db.value<bool>(kAnyKeys); });
}

}  // namespace belfry::store::sqlite

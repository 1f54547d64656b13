#include "store/common/access_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {
namespace {

SecretRow read_secret(Row& row) {
  SecretRow secret;
  row.read(secret.tenant, secret.name, secret.sealed, secret.created_at, secret.updated_at,
           secret.updated_by);
  return secret;
}

Result<SecretRow> find_secret(const Session& session, TenantId tenant, const std::string& name) {
  SecretRow secret;
  const auto read = [&](Row& row) { secret = read_secret(row); };
  BELFRY_TRY(found, session.db.first(kFindSecret, read, tenant, name));
  if (!found) return fail(no_such_secret(name));
  return secret;
}

}  // namespace

Result<SecretRow> SqliteStore::put_secret(TenantId tenant, const std::string& name,
                                          const std::string& sealed, const Author& author) {
  return write([&](const Session& session) -> Result<SecretRow> {
    BELFRY_CHECK(session.db.run(kPutSecret, tenant, name, sealed, author.actor, session.now));
    BELFRY_CHECK(note_audit(session, author, note_of_secret(tenant, name)));
    return sqlite::find_secret(session, tenant, name);
  });
}

Result<SecretRow> SqliteStore::find_secret(TenantId tenant, const std::string& name) {
  return read([&](const Session& session) { return sqlite::find_secret(session, tenant, name); });
}

Result<std::vector<SecretRow>> SqliteStore::list_secrets(TenantId tenant, const std::string& after,
                                                         std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<SecretRow>> {
    std::vector<SecretRow> secrets;
    const auto add = [&](Row& row) { secrets.push_back(read_secret(row)); };
    BELFRY_CHECK(session.db.each(kListSecrets, add, tenant, after, limit));
    return secrets;
  });
}

Status SqliteStore::delete_secret(TenantId tenant, const std::string& name, const Author& author) {
  return write([&](const Session& session) -> Status {
    BELFRY_TRY(gone, session.db.run(kDeleteSecret, tenant, name));
    if (gone == 0) return fail(no_such_secret(name));
    std::vector<std::string> users;
    const auto add = [&](Row& row) { row.read(users.emplace_back()); };
    BELFRY_CHECK(session.db.each(kSecretUsers, add, tenant, reference_to(name)));
    if (!users.empty()) return fail(secret_in_use(name, users));
    return note_audit(session, author, note_of_deleted_secret(tenant, name));
  });
}

Status SqliteStore::reseal_secret(const SecretRow& read, const std::string& sealed) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kResealSecret, read.tenant, read.name, read.sealed, sealed));
    return {};
  });
}

Result<std::vector<KeptTarget>> SqliteStore::list_targets(JobId job, std::uint32_t revision,
                                                          std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<KeptTarget>> {
    std::vector<KeptTarget> targets;
    const auto add = [&](Row& row) {
      KeptTarget& kept = targets.emplace_back();
      row.read(kept.job, kept.revision, kept.tenant, kept.target);
    };
    BELFRY_CHECK(session.db.each(kListTargets, add, job, revision, limit));
    return targets;
  });
}

Status SqliteStore::reseal_target(const KeptTarget& resealed) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kResealTarget, resealed.job, resealed.revision, resealed.target));
    return {};
  });
}

Status SqliteStore::note_rotation(TenantId tenant, const std::string& key, const Author& author) {
  return write([&](const Session& session) -> Status {
    return note_audit(session, author, note_of_rotation(tenant, key));
  });
}

Status SqliteStore::note_seal_key(const std::string& id) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kNoteSealKey, id, session.now));
    return {};
  });
}

Result<std::vector<std::string>> SqliteStore::seal_keys() {
  return read([&](const Session& session) -> Result<std::vector<std::string>> {
    std::vector<std::string> ids;
    const auto add = [&](Row& row) { row.read(ids.emplace_back()); };
    BELFRY_CHECK(session.db.each(kSealKeys, add));
    return ids;
  });
}

Status SqliteStore::keep_only_seal_key(const std::string& id) {
  return write([&](const Session& session) -> Status {
    BELFRY_CHECK(session.db.run(kKeepOnlySealKey, id));
    return {};
  });
}

}  // namespace belfry::store::sqlite

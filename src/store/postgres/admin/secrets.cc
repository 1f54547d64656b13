#include "store/common/access_rules.h"
#include "store/postgres/admin/audit.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

SecretRow read_secret(Row row) {
  SecretRow secret;
  secret.tenant = TenantId(to_unsigned(row.number()));
  secret.name = row.text();
  secret.sealed = row.text();
  secret.created_at = row.instant();
  secret.updated_at = row.instant();
  secret.updated_by = row.text();
  return secret;
}

KeptTarget read_target(Row row) {
  KeptTarget target;
  target.job = JobId(to_unsigned(row.number()));
  target.revision = static_cast<std::uint32_t>(row.number());
  target.tenant = TenantId(to_unsigned(row.number()));
  target.target = row.text();
  return target;
}

Params key_of(TenantId tenant, const std::string& name) {
  return Params().bigint(to_bigint(tenant.value())).text(name);
}

}  // namespace

Result<SecretRow> PostgresStore::put_secret(TenantId tenant, const std::string& name,
                                            const std::string& sealed, const Author& author) {
  SecretRow secret;
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(put, transaction.run(kPutSecret, Params()
                                                    .instant(now())
                                                    .bigint(to_bigint(tenant.value()))
                                                    .text(name)
                                                    .text(sealed)
                                                    .text(author.actor)));
    secret = read_secret(put.row(0));
    return note_audit(transaction, now(), author, note_of_secret(tenant, name));
  }));
  return secret;
}

Result<SecretRow> PostgresStore::find_secret(TenantId tenant, const std::string& name) {
  BELFRY_TRY(reply, database_.read(kFindSecret, key_of(tenant, name)));
  if (reply.empty()) return fail(no_such_secret(name));
  return read_secret(reply.row(0));
}

Result<std::vector<SecretRow>> PostgresStore::list_secrets(TenantId tenant,
                                                           const std::string& after,
                                                           std::size_t limit) {
  BELFRY_TRY(reply, database_.read(kListSecrets, key_of(tenant, after).bigint(to_bigint(limit))));
  return read_all(reply, read_secret);
}

Status PostgresStore::delete_secret(TenantId tenant, const std::string& name,
                                    const Author& author) {
  return database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(gone, transaction.run(kDeleteSecret, key_of(tenant, name)));
    if (gone.empty()) return fail(no_such_secret(name));
    BELFRY_TRY(users, transaction.run(kSecretUsers, key_of(tenant, reference_to(name))));
    if (!users.empty()) {
      return fail(secret_in_use(name, read_all(users, [](Row row) { return row.text(); })));
    }
    return note_audit(transaction, now(), author, note_of_deleted_secret(tenant, name));
  });
}

Status PostgresStore::reseal_secret(const SecretRow& read, const std::string& sealed) {
  BELFRY_CHECK(database_.write(kResealSecret,
                               key_of(read.tenant, read.name).text(read.sealed).text(sealed)));
  return {};
}

Result<std::vector<KeptTarget>> PostgresStore::list_targets(JobId job, std::uint32_t revision,
                                                            std::size_t limit) {
  BELFRY_TRY(
      reply,
      database_.read(
          kListTargets,
          Params().bigint(to_bigint(job.value())).integer(revision).bigint(to_bigint(limit))));
  return read_all(reply, read_target);
}

Status PostgresStore::reseal_target(const KeptTarget& resealed) {
  BELFRY_CHECK(database_.write(kResealTarget, Params()
                                                  .bigint(to_bigint(resealed.job.value()))
                                                  .integer(resealed.revision)
                                                  .text(resealed.target)));
  return {};
}

Status PostgresStore::note_rotation(TenantId tenant, const std::string& key, const Author& author) {
  return database_.transaction([&](Transaction& transaction) -> Status {
    return note_audit(transaction, now(), author, note_of_rotation(tenant, key));
  });
}

Status PostgresStore::note_seal_key(const std::string& id) {
  BELFRY_CHECK(database_.write(kNoteSealKey, Params().instant(now()).text(id)));
  return {};
}

Result<std::vector<std::string>> PostgresStore::seal_keys() {
  BELFRY_TRY(reply, database_.read(kSealKeys));
  return read_all(reply, [](Row row) { return row.text(); });
}

Status PostgresStore::keep_only_seal_key(const std::string& id) {
  BELFRY_CHECK(database_.write(kKeepOnlySealKey, Params().text(id)));
  return {};
}

}  // namespace belfry::store::postgres

#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "store/author.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Secrets as the store keeps them: sealed by service/secrets, which alone can open them.
namespace belfry::store {

// One that jobs name.
struct SecretRow {
  TenantId tenant;
  std::string name;
  std::string sealed;
  Instant created_at;
  Instant updated_at;
  std::string updated_by;
};

// The target of one revision of a job, with what may be sealed in it.
struct KeptTarget {
  JobId job;
  std::uint32_t revision = 0;
  TenantId tenant;
  std::string target;  // JSON; empty where no secret can be in it
};

class SecretStore {
 public:
  virtual ~SecretStore() = default;

  // Makes or replaces it. kNotFound when there is no such tenant. Repeating is harmless.
  virtual Result<SecretRow> put_secret(TenantId tenant, const std::string& name,
                                       const std::string& sealed, const Author& author) = 0;
  virtual Result<SecretRow> find_secret(TenantId tenant, const std::string& name) = 0;
  // Those after (tenant, name), by tenant and name, of all tenants.
  virtual Result<std::vector<SecretRow>> list_secrets(TenantId tenant, const std::string& after,
                                                      std::size_t limit) = 0;
  // kConflict while jobs name it; the message says which.
  virtual Status delete_secret(TenantId tenant, const std::string& name, const Author& author) = 0;
  // Replaces how it is sealed, unless it has changed since it was read.
  virtual Status reseal_secret(const SecretRow& read, const std::string& sealed) = 0;

  // Targets of all revisions after (job, revision), in that order.
  virtual Result<std::vector<KeptTarget>> list_targets(JobId job, std::uint32_t revision,
                                                       std::size_t limit) = 0;
  // Replaces the target of a revision by one that differs in nothing but how it is sealed.
  virtual Status reseal_target(const KeptTarget& resealed) = 0;

  // Says in the tenant's audit that all secrets are being sealed with this key.
  virtual Status note_rotation(TenantId tenant, const std::string& key, const Author& author) = 0;

  // Notes that something is sealed with this key from now on.
  virtual Status note_seal_key(const std::string& id) = 0;
  virtual Result<std::vector<std::string>> seal_keys() = 0;
  // Nothing is sealed with any other key.
  virtual Status keep_only_seal_key(const std::string& id) = 0;
};

}  // namespace belfry::store

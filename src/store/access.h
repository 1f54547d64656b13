#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/spelling.h"
#include "store/author.h"
#include "store/tenants.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Who may call the API, and what was done through it.
namespace belfry::store {

// What a key allows. The store keeps these numbers.
enum class Scope : std::uint8_t {
  kViewer,    // look
  kOperator,  // and change jobs and runs
  kAdmin,     // and the keys and calendars of its tenant
  kWorker,    // claim runs and report on them, nothing else
  kRoot,      // everything, for all tenants
  kMetrics,   // read the figures of the node, nothing else
};
inline constexpr core::Words<Scope, 6> kScopes{{{"viewer", Scope::kViewer},
                                                {"operator", Scope::kOperator},
                                                {"admin", Scope::kAdmin},
                                                {"worker", Scope::kWorker},
                                                {"root", Scope::kRoot},
                                                {"metrics", Scope::kMetrics}}};

using KeyId = Strong<struct KeyIdTag, std::uint64_t>;
using KeyHash = std::array<std::uint8_t, 32>;  // SHA-256 of the key: the key itself is never kept

struct ApiKey {
  KeyId id;
  TenantId tenant;
  std::string name;
  Scope scope = Scope::kViewer;
  Instant created_at;
  std::optional<Instant> expires_at;
  std::optional<Instant> revoked_at;
  std::string created_by;
  bool may_exec = false;                // make and change jobs that run commands
  std::optional<Instant> last_used_at;  // to the minute
  std::optional<Instant> replaced_at;   // by a key of the same name
};

class AccessStore {
 public:
  virtual ~AccessStore() = default;

  struct NewKey {
    TenantId tenant;
    std::string name;
    KeyHash hash{};
    Scope scope = Scope::kViewer;
    std::optional<Instant> expires_at = {};
    bool may_exec = false;
    bool must_be_first = false;  // kConflict if there is any key, even of another tenant
  };
  // kNotFound when there is no such tenant. A hash that exists answers with its key, so repeating
  // is harmless; kConflict when that key has another tenant, name or scope, and when another key of
  // the tenant has the name.
  virtual Result<ApiKey> put_key(const NewKey& key, const Author& author) = 0;

  struct KeyHolder {
    ApiKey key;
    Tenant tenant;
  };
  // The holder of a valid key; kNotFound also when the key is revoked or expired.
  virtual Result<KeyHolder> find_key(const KeyHash& hash) = 0;

  // All keys of a tenant, also revoked and expired ones, newest first.
  virtual Result<std::vector<ApiKey>> list_keys(TenantId tenant) = 0;

  // kNotFound when the tenant has no such key. Repeating is harmless.
  virtual Result<ApiKey> revoke_key(TenantId tenant, KeyId key, const Author& author) = 0;

  // A new key of this hash in the place of an old one, which stays valid for `overlap` at most. All
  // else is the same. kNotFound when the tenant has no such key that is valid and not replaced.
  virtual Result<ApiKey> replace_key(TenantId tenant, KeyId key, const KeyHash& hash,
                                     Duration overlap, const Author& author) = 0;

  // Notes that a key was used just now.
  virtual Status touch_key(KeyId key) = 0;

  // Whether a key was ever made, for any tenant, even if none is valid any more.
  virtual Result<bool> any_keys() = 0;

  struct AuditRow {
    std::uint64_t seq = 0;
    Instant at;
    TenantId tenant;
    std::string actor;
    std::string action;  // "key.created"
    std::string object;  // "key:7"
    std::string detail;  // JSON
  };
  // Rows before `before`, newest first; of all tenants when none is given.
  virtual Result<std::vector<AuditRow>> list_audit(std::optional<TenantId> tenant,
                                                   std::optional<std::uint64_t> before,
                                                   std::size_t limit) = 0;
};

}  // namespace belfry::store

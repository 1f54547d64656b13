#pragma once

#include "base/clock.h"
#include "base/json.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/signature.h"
#include "service/secrets/seal_keys.h"
#include "store/secrets.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace belfry::service {

// Seals secrets on their way into the store and opens them on their way to a webhook; nothing else
// sees both sides. What is sealed for one tenant and place ("secret", "headers/X-Token") opens for
// no other. Values that were stored before there were keys stand in the clear; they work, and are
// sealed by the next rotation (service/secrets/reseal.h). Thread-safe.
class SecretBox {
 public:
  // Where the keys come from.
  struct Source {
    std::function<Result<std::string>()> read;  // as SealKeys::parse wants it; empty: none
    std::function<Status()> renew = {};         // puts a fresh one first; null: its owner does
  };
  // The store and the clock must outlive it.
  SecretBox(store::SecretStore& store, const Clock& clock, Source source)
      : store_(store), clock_(clock), source_(std::move(source)) {}

  // Reads the keys. kInvalid when one is missing that something in the store is sealed with.
  Status start();

  // kInvalid when there is no key.
  Result<std::string> seal(TenantId tenant, std::string_view place, std::string_view plain);
  // kInvalid when its key is missing, or it was sealed for somebody else.
  Result<std::string> open(TenantId tenant, std::string_view place, const std::string& kept);

  // The target with its secrets sealed. Those that `before`, the target so far, has in the same
  // places stay as they are: sealed again they would look new.
  Result<std::string> seal_target(TenantId tenant, const std::string& target,
                                  const std::string& before);
  // The target as it is delivered. It asks the store for secrets that it names, so it may take a
  // moment if there are any.
  Result<Json> open_target(TenantId tenant, Json target);

  // Named secrets.
  Result<store::SecretRow> put(TenantId tenant, const std::string& name, std::string_view value,
                               const store::Author& author);
  Status remove(TenantId tenant, const std::string& name, const store::Author& author);

  // A key for signing statements, which follows from the newest key; none: there is no key. With
  // `make`, on a store of its own, the node makes one.
  Result<std::optional<SigningKey>> signing_key(bool make = false);

  // The id of the key that a value is sealed with; empty: it stands in the clear.
  static std::string_view key_of(std::string_view kept);
  // The key to seal with. With `fresh`, after a new one was made, if that is for us to do.
  Result<std::string> newest_key(bool fresh = false);

 private:
  using Keys = std::shared_ptr<const SealKeys>;
  struct Known {
    std::string sealed;
    BootInstant read_at;
  };
  using Name = std::pair<TenantId, std::string>;

  Keys keys() const;
  Status read_keys();
  Result<std::string> find_named(TenantId tenant, const std::string& name);

  store::SecretStore& store_;
  const Clock& clock_;
  const Source source_;
  mutable Mutex mutex_;
  Keys keys_ BELFRY_GUARDED_BY(mutex_) = std::make_shared<const SealKeys>();
  BootInstant read_at_ BELFRY_GUARDED_BY(mutex_) = BootInstant::min();
  std::string noted_ BELFRY_GUARDED_BY(mutex_);  // the key the store knows of
  BootInstant noted_at_ BELFRY_GUARDED_BY(mutex_) = BootInstant::min();
  std::map<Name, Known> named_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service

#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <vector>

// AccessStore, function by function; store/access.h says what each one does.
namespace belfry::store::sqlite {

Result<ApiKey> put_key(const Session& session, const AccessStore::NewKey& key,
                       const Author& author);
Result<AccessStore::KeyHolder> find_key(const Session& session, const KeyHash& hash);
Result<std::vector<ApiKey>> list_keys(const Session& session, TenantId tenant);
Result<ApiKey> revoke_key(const Session& session, TenantId tenant, KeyId key, const Author& author);
Result<bool> any_keys(const Session& session);

}  // namespace belfry::store::sqlite

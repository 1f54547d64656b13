#pragma once

#include "base/json.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Which parts of a job's target are secrets, and how the rest is shown.
namespace belfry::core {

// Shown in place of a secret. Sent back, it stands for the secret that is kept.
inline constexpr std::string_view kHiddenSecret = "********";

// Visits the secrets that stand in a target: the key that signs webhooks, the values of headers
// (but for a few that never are secrets, such as Content-Type), what the URL's query gives for a
// name like `token` or `api_key`, and the path of a URL that is itself the permission (Slack's).
// `place` says where: "secret", "headers/X-Token", "url?token", "url/". The visitor may change the
// value.
using SecretVisitor = std::function<void(const std::string& place, std::string& value)>;
void visit_secrets(Json& target, const SecretVisitor& visit);

// The same by place, to compare with.
std::map<std::string, std::string> secrets_in(const Json& target);

// Secrets that a target names instead: `"secret_ref": "name"` in place of `secret`, and
// {"secret_ref": "name"} in place of a header's value.
std::vector<std::string> secret_refs_in(const Json& target);
// Puts what `find` says in their places.
void resolve_secret_refs(Json& target,
                         const std::function<std::string(const std::string& name)>& find);

// A job's target as callers see it: secrets hidden. What cannot be read is shown as {}.
Json shown_target(const std::string& target);

// A URL as it may be shown: what its query says of credentials is hidden.
std::string shown_url(std::string url);

}  // namespace belfry::core

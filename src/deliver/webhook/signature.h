#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace belfry::deliver {

// The value of `webhook-signature` by Standard Webhooks 1.0, for each of the secrets: "v1,...
// v1,...". `secrets` is one, or several separated by blanks while a receiver moves from one to the
// next. A secret with the prefix whsec_ is base64; any other is taken as it is written.
std::string sign_webhook(std::string_view secrets, std::string_view id, std::int64_t unix_seconds,
                         std::string_view body);

}  // namespace belfry::deliver

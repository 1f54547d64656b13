#pragma once

#include "base/json.h"
#include "base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace belfry {

// The public keys of somebody who signs tokens: a JWK set (RFC 7517).
class JwkSet {
 public:
  // Keys of a kind that no token may be signed with here are left out. kInvalid: not a JWK set, or
  // nothing is left.
  static Result<JwkSet> parse(std::string_view text);

  // The claims of a token (JWT, RFC 7519) that one of these keys has signed, by RS256, PS256,
  // ES256 or EdDSA. What they say is for the caller to check. kNotFound: signed with a key that is
  // not in the set; kInvalid: anything else that is wrong with it.
  Result<Json> verify(std::string_view token) const;

  struct Key;

 private:
  std::vector<std::shared_ptr<const Key>> keys_;
};

}  // namespace belfry

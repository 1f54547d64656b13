#pragma once

#include <string>

// Tokens of check-ins as the stores keep them: by their digest, so that who reads a database or its
// backup can report for nobody. A token has 24 random bytes, so it needs no slow hash.
namespace belfry::store {

// "sha256:" and 64 hexadecimal digits.
std::string digest_of_token(const std::string& token);

// What may be kept of this token. Before there were digests it was the token itself; it still may
// be, until CheckInStore::digest_tokens() has come to it. What is itself a digest is nobody's
// token: otherwise the digest would be as good as what it hides.
struct KeptToken {
  std::string digest;
  std::string clear;  // empty: none
};
KeptToken kept_token(const std::string& token);

}  // namespace belfry::store

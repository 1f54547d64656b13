#include "store/common/checkin_tokens.h"

#include "base/digest.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace belfry::store {
namespace {

constexpr std::string_view kPrefix = "sha256:";

}  // namespace

std::string digest_of_token(const std::string& token) {
  std::string digest(kPrefix);
  for (const std::uint8_t byte : sha256(token)) digest += fmt::format("{:02x}", byte);
  return digest;
}

KeptToken kept_token(const std::string& token) {
  return {.digest = digest_of_token(token), .clear = token.starts_with(kPrefix) ? "" : token};
}

}  // namespace belfry::store

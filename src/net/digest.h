#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace belfry::net {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256(std::string_view text);

// `bytes` bytes nobody can guess, as letters, digits, - and _ (base64url without padding):
// for secrets.
std::string random_token(std::size_t bytes);

}  // namespace belfry::net

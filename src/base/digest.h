#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace belfry {

using Sha256 = std::array<std::uint8_t, 32>;

Sha256 sha256(std::string_view text);

Sha256 hmac_sha256(std::string_view key, std::string_view message);

// Written with padding, read with or without it; anything else is refused.
std::string encode_base64(std::string_view bytes);
std::optional<std::string> decode_base64(std::string_view text);

// A secret: `bytes` bytes that nobody can guess, as letters, digits, - and _ (base64url
// without padding).
std::string random_token(std::size_t bytes);

}  // namespace belfry

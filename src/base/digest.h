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

// With padding. Reading takes it without, too, and refuses anything else.
std::string encode_base64(std::string_view bytes);
std::optional<std::string> decode_base64(std::string_view text);

// `bytes` bytes nobody can guess, as letters, digits, - and _ (base64url without padding):
// for secrets.
std::string random_token(std::size_t bytes);

}  // namespace belfry

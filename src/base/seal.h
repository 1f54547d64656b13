#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Authenticated encryption: AES-256-GCM.
namespace belfry {

using SealKey = std::array<std::uint8_t, 32>;

SealKey random_seal_key();

// `context` is not part of the result, but opening needs the same one: what was sealed for one
// place cannot be used in another.
std::string seal_bytes(const SealKey& key, std::string_view plain, std::string_view context);

// None: another key, another context, or somebody changed it.
std::optional<std::string> open_bytes(const SealKey& key, std::string_view sealed,
                                      std::string_view context);

}  // namespace belfry

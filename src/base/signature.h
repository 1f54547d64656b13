#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// Signatures that anybody can check who has the public key: Ed25519 (RFC 8032).
namespace belfry {

// From 32 bytes that nobody else knows; the same ones make the same key.
class SigningKey {
 public:
  using Seed = std::array<std::uint8_t, 32>;
  explicit SigningKey(const Seed& seed) : seed_(seed) {}

  // As PEM, which openssl and others read.
  std::string public_key() const;
  // In base64.
  std::string sign(std::string_view message) const;

 private:
  Seed seed_;
};

// False also for a key or a signature that is none.
bool is_signed(std::string_view message, std::string_view public_key, std::string_view signature);

}  // namespace belfry

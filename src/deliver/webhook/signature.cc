#include "deliver/webhook/signature.h"

#include "base/digest.h"

#include <algorithm>

namespace belfry::deliver {

std::string sign_webhook(std::string_view secrets, std::string_view id, std::int64_t unix_seconds,
                         std::string_view body) {
  constexpr std::string_view kPrefix = "whsec_";
  const std::string message =
      std::string(id) + "." + std::to_string(unix_seconds) + "." + std::string(body);
  std::string signatures;
  while (!secrets.empty()) {
    const auto blank = std::min(secrets.find(' '), secrets.size());
    const std::string_view secret = secrets.substr(0, blank);
    secrets.remove_prefix(std::min(blank + 1, secrets.size()));
    if (secret.empty()) continue;
    std::string key(secret);
    if (secret.starts_with(kPrefix)) {
      const auto decoded = decode_base64(secret.substr(kPrefix.size()));
      if (decoded) key = *decoded;
    }
    const Sha256 mac = hmac_sha256(key, message);
    if (!signatures.empty()) signatures += ' ';
    signatures += "v1," + encode_base64({reinterpret_cast<const char*>(mac.data()), mac.size()});
  }
  return signatures;
}

}  // namespace belfry::deliver

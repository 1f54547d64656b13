#include "tests/clients/webhook_vectors.h"

#include "deliver/webhook/signature.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace belfry::scenarios {
namespace {

std::string header(const Json& vector, const std::string& wanted) {
  for (const auto& [name, value] : vector.at("headers").items()) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == wanted) return value.get<std::string>();
  }
  return {};
}

bool is_signed(const Json& vector) {
  const std::string stamp = header(vector, "webhook-timestamp");
  std::int64_t seconds = 0;
  std::from_chars(stamp.data(), stamp.data() + stamp.size(), seconds);
  const std::string given = " " + header(vector, "webhook-signature") + " ";
  const auto& secrets = vector.at("secrets");
  return std::any_of(secrets.begin(), secrets.end(), [&](const Json& secret) {
    const std::string made =
        deliver::sign_webhook(secret.get<std::string>(), header(vector, "webhook-id"), seconds,
                              vector.at("body").get<std::string>());
    return given.find(" " + made + " ") != std::string::npos;
  });
}

}  // namespace

std::optional<std::string> check_signature(const Json& vector) {
  const Json& refused = vector.at("refused");
  const bool wanted = refused.is_null();
  if (!wanted && refused != "bad_signature") return {};
  if (is_signed(vector) == wanted) return {};
  return wanted ? "the server would sign it otherwise" : "the server would sign it so";
}

}  // namespace belfry::scenarios

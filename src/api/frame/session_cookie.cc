#include "api/frame/session_cookie.h"

#include "base/digest.h"

#include <cstddef>
#include <string>

namespace belfry::api {
namespace {

constexpr std::string_view kName = "belfry_session=";
constexpr std::string_view kScheme = "Bearer ";
// Keys are letters, digits, - and _, and tokens of an issuer (OIDC) have dots; anything else is
// not ours.
constexpr std::string_view kKeyLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";

std::string_view key_of(const Credentials& credentials) {
  if (!credentials.authorization) return {};
  return std::string_view(*credentials.authorization).substr(kScheme.size());
}

std::optional<std::string> find_cookie(std::string_view cookies) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view each = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (each.starts_with(' ')) each.remove_prefix(1);
    if (!each.starts_with(kName)) continue;
    const std::string_view key = each.substr(kName.size());
    if (key.empty() || key.find_first_not_of(kKeyLetters) != std::string_view::npos) return {};
    return std::string(kScheme) + std::string(key);
  }
  return {};
}

std::string cookie(std::string_view value, std::string_view rest) {
  return std::string(kName) + std::string(value) + "; Path=/api; HttpOnly; SameSite=Strict" +
         std::string(rest);
}

}  // namespace

Credentials credentials_of(const net::Request& request) {
  if (const auto header = request.headers.find("Authorization")) {
    return {.authorization = std::string(*header), .is_cookie = false};
  }
  auto found = find_cookie(request.headers.find("Cookie").value_or(""));
  const bool is_cookie = found.has_value();
  return {.authorization = std::move(found), .is_cookie = is_cookie};
}

std::string csrf_token(const Credentials& credentials) {
  const std::string_view key = key_of(credentials);
  if (key.empty()) return "";
  const Sha256 hash = hmac_sha256(key, "belfry console csrf");
  return encode_base64({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

std::optional<Problem> check_csrf(const net::Request& request, const Credentials& credentials) {
  if (!credentials.is_cookie || request.method == "GET" || request.method == "HEAD") return {};
  if (request.headers.find("Belfry-Csrf") == csrf_token(credentials)) return {};
  return Problem{.status = 403,
                 .code = "forbidden",
                 .title = "The page's token is missing",
                 .detail =
                     "a change by cookie needs the header `Belfry-Csrf` with the token of "
                     "GET /api/v1/session; programs send `Authorization: Bearer` instead"};
}

std::string session_cookie(const net::Request& request, const Credentials& credentials) {
  return cookie(key_of(credentials),
                request.secure ? "; Max-Age=43200; Secure" : "; Max-Age=43200");
}

std::string forgotten_cookie() {
  return cookie("", "; Max-Age=0");
}

}  // namespace belfry::api

#include "server/keys/issuer_keys.h"

#include "net/client/client.h"

#include <chrono>
#include <fstream>
#include <iterator>

namespace belfry::server {
namespace {

constexpr std::size_t kLongestSet = 1024 * 1024;
constexpr Duration kPatience = std::chrono::seconds(10);

Result<std::string> read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) return fail(Errc::kUnavailable, "`" + path + "` cannot be read");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Result<std::string> ask(const net::Url& url) {
  net::HttpClient client({.body_bytes = kLongestSet});
  const net::Call call{
      .method = "GET", .url = url, .headers = {{"Accept", "application/json"}}, .body = ""};
  BELFRY_TRY(response, client.request(call, kPatience));
  if (response.status == 200) return response.body;
  return fail(Errc::kUnavailable,
              net::to_string(url) + " answers " + std::to_string(response.status));
}

}  // namespace

Result<std::function<Result<std::string>()>> issuer_keys(const std::string& place) {
  if (place.find("://") == std::string::npos) {
    return [place] { return read_file(place); };
  }
  const auto url = net::Url::parse(place);
  // Over plain HTTP anybody in between could sign tokens.
  if (!url || (!url->secure() && !net::is_loopback(url->host))) {
    return fail({.code = Errc::kInvalid,
                 .message = "`" + place + "` is neither a file nor an address of https",
                 .field = "oidc_jwks",
                 .hint = "name the `jwks_uri` of your provider, or a file with its JWK set"});
  }
  return [url = *url] { return ask(url); };
}

}  // namespace belfry::server

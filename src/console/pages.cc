#include "console/pages.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace belfry::console {
namespace {

constexpr std::string_view kDocument = "/index.html";

// The page asks nobody but the node it came from, and nothing on it was written into it.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const Asset* find(std::span<const Asset> assets, std::string_view path) {
  const auto found = std::ranges::find(assets, path, &Asset::path);
  return found == assets.end() ? nullptr : &*found;
}

bool is_list_entry(char each) {
  return each != ',' && each != ' ' && each != '\t';
}

// Whether a list such as `gzip, br;q=0.5` has the word, and not with a weight of zero.
bool accepts(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view entry = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    while (!entry.empty() && !is_list_entry(entry.front())) entry.remove_prefix(1);
    const std::string_view name = entry.substr(0, entry.find_first_of("; \t"));
    if (!equal_ignoring_case(name, word)) continue;
    const std::size_t weight = entry.find("q=0");
    return weight == std::string_view::npos ||
           entry.find_first_of("123456789", weight) != std::string_view::npos;
  }
  return false;
}

// The document for a page's address; files that are missing are missing.
const Asset* document_for(const net::Request& request, std::span<const Asset> assets) {
  // Addresses that we name ourselves, in errors too: whoever follows one finds a page.
  const bool is_named = request.segments.empty() || request.segments.front() == "docs" ||
                        request.segments.front() == "problems";
  if (is_named) return find(assets, kDocument);
  if (request.segments.front() == "api" || request.segments.front() == "assets") return nullptr;
  const std::string_view accept = request.headers.find("Accept").value_or("");
  return accepts(accept, "text/html") ? find(assets, kDocument) : nullptr;
}

bool is_current(const net::Request& request, const std::string& etag) {
  const std::string_view known = request.headers.find("If-None-Match").value_or("");
  return known == "*" || known.find(etag) != std::string_view::npos;
}

void choose_encoding(const net::Request& request, const Asset& asset, net::Response& response) {
  const std::string_view encodings = request.headers.find("Accept-Encoding").value_or("");
  if (accepts(encodings, "br")) {
    response.headers.set("Content-Encoding", "br");
    response.body = asset.brotli;
  } else if (accepts(encodings, "gzip")) {
    response.headers.set("Content-Encoding", "gzip");
    response.body = asset.gzip;
  } else {
    response.body = asset.plain;
  }
}

}  // namespace

std::optional<net::Response> answer(const net::Request& request, std::span<const Asset> assets) {
  if (request.method != "GET" && request.method != "HEAD") return {};
  const Asset* asset = find(assets, request.path);
  if (asset == nullptr) asset = document_for(request, assets);
  if (asset == nullptr) return {};
  const std::string etag = '"' + std::string(asset->etag) + '"';
  net::Response response{
      .headers = {
          {"Content-Type", std::string(asset->type)},
          {"ETag", etag},
          {"Cache-Control", asset->is_hashed ? "public, max-age=31536000, immutable" : "no-cache"},
          {"Vary", "Accept, Accept-Encoding"},
          {"Content-Security-Policy", std::string(kPolicy)},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"}}};
  if (is_current(request, etag)) {
    response.status = 304;
    return response;
  }
  choose_encoding(request, *asset, response);
  return response;
}

}  // namespace belfry::console

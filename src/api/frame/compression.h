#pragma once

#include "net/http.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace belfry::api {

// Answers up to this many bytes are sent as they are: compressing them saves no packet.
inline constexpr std::size_t kSmallAnswer = 1024;

enum class Encoding : std::uint8_t { kIdentity, kGzip, kBrotli };

// What an Accept-Encoding (RFC 9110 section 12.5.3) likes best of what we have; brotli wins a tie.
Encoding choose_encoding(std::string_view accepted);

std::string compress(std::string_view body, Encoding encoding);

// Compresses a large answer and says so. A compressed body has an ETag of its own, as strong tags
// must: "3" becomes "3-gzip". The body of a 304 only tells which tag it would have had.
void compress(net::Response& response, Encoding encoding);

}  // namespace belfry::api

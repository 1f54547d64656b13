#pragma once

#include <span>
#include <string_view>

namespace belfry::console {

// A file of the web console, as it was built and compressed with the binary.
struct Asset {
  std::string_view path;  // "/assets/index-BO7FRL_D.css"
  std::string_view type;
  std::string_view etag;  // of the plain content, without quotes
  bool is_hashed;         // its name changes with its content, so it may be kept for ever
  std::string_view plain;
  std::string_view brotli;
  std::string_view gzip;
};

// All of them; none in a build without the console.
std::span<const Asset> assets();

}  // namespace belfry::console

#pragma once

#include "api/frame/call.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Pages of a list: `?limit=&cursor=`, answered as {"items": […], "next_cursor": …}.
namespace belfry::api {

inline constexpr std::int64_t kPage = 50;
inline constexpr std::int64_t kLargestPage = 1'000;

struct Page {
  std::string cursor;  // where to go on, as the store wrote it; empty: from the beginning
  std::size_t limit = 0;
};

// A cursor belongs to the filter it was made under. With another one it is refused, because it
// would silently leave things out. `filter` is anything that tells filters apart.
Page read_page(const net::Request& request, std::string_view filter,
               std::vector<Complaint>& complaints);

// What a client sends back to go on.
Json write_cursor(const std::optional<std::string>& next, std::string_view filter);

// A page as an answer, after what else the answer has. Where another follows, a Link header
// (RFC 8288) leads to it.
net::Response page_response(const net::Request& request, Json items,
                            const std::optional<std::string>& next, std::string_view filter,
                            Json answer = Json::object());

}  // namespace belfry::api

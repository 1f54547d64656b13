#include "api/frame/paging.h"

#include "base/digest.h"
#include "net/url.h"

#include <fmt/format.h>

#include <utility>

namespace belfry::api {
namespace {

constexpr std::size_t kMark = 8;

// Tells filters apart; nobody gains by forging it.
std::string mark_of(std::string_view filter) {
  const Sha256 hash = sha256(filter);
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2], hash[3]);
}

}  // namespace

Page read_page(const net::Request& request, std::string_view filter,
               std::vector<Complaint>& complaints) {
  Page page;
  page.limit =
      static_cast<std::size_t>(query_number(request, "limit", kPage, 1, kLargestPage, complaints));
  const auto given = request.parameter("cursor");
  if (!given || given->empty()) return page;
  const bool ours = given->size() > kMark && given->substr(0, kMark) == mark_of(filter);
  const auto decoded = ours ? net::decode_percent(given->substr(kMark)) : std::nullopt;
  if (decoded) {
    page.cursor = *decoded;
  } else {
    complaints.push_back({"?cursor", "invalid", "this cursor does not belong to this list",
                          "send next_cursor of the page before, with the same filters"});
  }
  return page;
}

Json write_cursor(const std::optional<std::string>& next, std::string_view filter) {
  return next ? Json(mark_of(filter) + net::encode_percent(*next)) : Json();
}

net::Response page_response(const net::Request& request, Json items,
                            const std::optional<std::string>& next, std::string_view filter,
                            Json answer) {
  Json cursor = write_cursor(next, filter);
  std::vector<net::Parameter> query;
  for (const net::Parameter& given : request.query) {
    if (given.name != "cursor") query.push_back(given);
  }
  answer["items"] = std::move(items);
  answer["next_cursor"] = cursor;
  net::Response response = json_response(200, answer);
  if (next) {
    query.push_back({"cursor", cursor.get<std::string>()});
    response.headers.set("Link",
                         "<" + request.path + "?" + net::format_query(query) + ">; rel=\"next\"");
  }
  return response;
}

}  // namespace belfry::api

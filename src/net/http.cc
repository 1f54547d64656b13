#include "net/http.h"

#include <fmt/format.h>

#include <algorithm>

namespace belfry::net {
namespace {

struct Reason {
  int status;
  std::string_view phrase;
};

// The statuses that Belfry, or a proxy in front of it, uses.
constexpr Reason kReasons[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {207, "Multi-Status"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
};

}  // namespace

std::optional<std::string_view> Headers::find(std::string_view name) const {
  for (const Header& field : fields_) {
    if (equal_ignoring_case(field.name, name)) return field.value;
  }
  return std::nullopt;
}

void Headers::set(std::string_view name, std::string value) {
  std::erase_if(fields_, [&](const Header& f) { return equal_ignoring_case(f.name, name); });
  add(std::string(name), std::move(value));
}

void Headers::add(std::string name, std::string value) {
  fields_.push_back({std::move(name), std::move(value)});
}

std::optional<std::string_view> Request::parameter(std::string_view name) const {
  for (const Parameter& each : query) {
    if (each.name == name) return each.value;
  }
  return std::nullopt;
}

std::string reason_phrase(int status) {
  const auto* const found = std::ranges::find(kReasons, status, &Reason::status);
  if (found == std::end(kReasons)) return fmt::format("Status {}", status);
  return std::string(found->phrase);
}

}  // namespace belfry::net

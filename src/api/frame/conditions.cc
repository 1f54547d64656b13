#include "api/frame/conditions.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <charconv>

namespace belfry::api {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t,");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// The version a tag of ours names. The suffix tells how the body was compressed. Tags are compared
// as texts: no other spelling of the number is ours.
std::optional<std::uint32_t> version_of(std::string_view tag) {
  for (const std::string_view suffix : {"-gzip", "-br"}) {
    if (!tag.ends_with(suffix)) continue;
    tag.remove_suffix(suffix.size());
    break;
  }
  std::uint32_t version = 0;
  const auto parsed = std::from_chars(tag.data(), tag.data() + tag.size(), version);
  if (parsed.ec != std::errc() || parsed.ptr != tag.data() + tag.size()) return {};
  return std::to_string(version) == tag ? std::optional(version) : std::nullopt;
}

}  // namespace

std::string etag_of(std::uint32_t version) {
  return "\"" + std::to_string(version) + "\"";
}

Conditions::Conditions(const net::Request& request)
    : reads_(request.method == "GET" || request.method == "HEAD"),
      if_match_(read(request.headers, "If-Match")),
      if_none_match_(read(request.headers, "If-None-Match")) {}

// Takes one tag from the front of a list. False: there is none, or what comes is no tag.
bool Conditions::add_next(std::string_view& text, Tags& tags) {
  text = without_blanks(text);
  const bool weak = text.starts_with("W/");
  if (weak) text.remove_prefix(2);
  if (!text.starts_with('"')) return false;
  const std::size_t end = text.find('"', 1);
  if (end == std::string_view::npos) return false;
  if (const auto version = version_of(text.substr(1, end - 1)))
    tags.tags.push_back({*version, weak});
  text.remove_prefix(end + 1);
  return true;
}

// A list may come in several fields of the name.
std::optional<Conditions::Tags> Conditions::read(const net::Headers& headers,
                                                 std::string_view name) {
  std::optional<Tags> tags;
  for (const net::Header& header : headers) {
    if (!equal_ignoring_case(header.name, name)) continue;
    if (!tags) tags.emplace();
    std::string_view text = header.value;
    tags->any = tags->any || text == "*";
    while (add_next(text, *tags)) continue;
  }
  return tags;
}

Conditions::Verdict Conditions::check(std::optional<std::uint32_t> version) const {
  const auto matches = [&](const Tags& tags, bool strongly) {
    if (!version || tags.any) return version.has_value();
    return std::any_of(tags.tags.begin(), tags.tags.end(), [&](const Tag& tag) {
      return tag.version == *version && !(strongly && tag.weak);
    });
  };
  if (if_match_ && !matches(*if_match_, true)) return Verdict::kFailed;
  if (if_none_match_ && matches(*if_none_match_, false)) {
    return reads_ ? Verdict::kNotModified : Verdict::kFailed;
  }
  return Verdict::kGoOn;
}

}  // namespace belfry::api

#include "api/frame/conditions.h"

#include "base/digest.h"
#include "base/text/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace belfry::api {
namespace {

constexpr std::size_t kDigestBytes = 8;  // of the body, in a tag

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t,");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// A compressed body has a tag of its own (api/frame/compression.h).
std::string_view without_coding(std::string_view tag) {
  for (const std::string_view suffix : {"-gzip", "-br"}) {
    if (tag.ends_with(suffix)) return tag.substr(0, tag.size() - suffix.size());
  }
  return tag;
}

bool is_digest(std::string_view text) {
  return text.size() == kDigestBytes * 2 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The version that a tag of ours begins with. Tags are compared as texts: no other spelling of the
// number is ours.
std::optional<std::uint32_t> version_of(std::string_view tag) {
  const std::size_t dash = tag.find('-');
  if (dash != std::string_view::npos && !is_digest(tag.substr(dash + 1))) return {};
  const std::string_view digits = tag.substr(0, dash);
  std::uint32_t version = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) return {};
  return std::to_string(version) == digits ? std::optional(version) : std::nullopt;
}

}  // namespace

std::string etag_of(std::uint32_t version, std::string_view body) {
  const Sha256 hash = sha256(body);
  std::string digest;
  for (std::size_t i = 0; i < kDigestBytes; ++i) digest += fmt::format("{:02x}", hash.at(i));
  return fmt::format("\"{}-{}\"", version, digest);
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
  tags.tags.push_back({std::string(without_coding(text.substr(1, end - 1))), weak});
  text.remove_prefix(end + 1);
  return true;
}

// A list may come in several fields of the name.
std::optional<Conditions::Tags> Conditions::read(const net::Headers& headers,
                                                 std::string_view name) {
  std::optional<Tags> tags;
  for (const net::Header& header : headers) {
    if (!equal_ignoring_case(header.name, name)) continue;
    if (!tags) tags = Tags();
    std::string_view text = header.value;
    tags->any = tags->any || text == "*";
    while (add_next(text, *tags)) continue;
  }
  return tags;
}

bool Conditions::names(const Tags& tags, std::optional<std::uint32_t> version, bool strongly) {
  if (!version || tags.any) return version.has_value();
  return std::ranges::any_of(tags.tags, [&](const Tag& tag) {
    return version_of(tag.text) == version && !(strongly && tag.weak);
  });
}

bool Conditions::hold_for(std::optional<std::uint32_t> version) const {
  if (if_match_ && !names(*if_match_, version, true)) return false;
  return reads_ || !if_none_match_ || !names(*if_none_match_, version, false);
}

bool Conditions::know(std::string_view etag) const {
  if (!reads_ || !if_none_match_) return false;
  const auto is_it = [&](const Tag& tag) { return '"' + tag.text + '"' == etag; };
  return if_none_match_->any || std::ranges::any_of(if_none_match_->tags, is_it);
}

}  // namespace belfry::api

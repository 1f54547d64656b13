#pragma once

#include "net/http.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::api {

// The ETag of an answer about a thing: its version, and a digest of the body, which also tells what
// no version counts (a run that ended, when the next one is): "3-9f86d081884c7d65", with quotes.
std::string etag_of(std::uint32_t version, std::string_view body);

// The preconditions of a request, as RFC 9110 section 13 has them: If-Match compares strongly,
// If-None-Match weakly, both take lists and `*`. Whether a change may be made depends on the
// version alone: a run that ends is no reason to read the job again. So "3" will do there. Whether
// an answer is known depends on all of it. A tag that is not one of ours matches nothing.
class Conditions {
 public:
  explicit Conditions(const net::Request& request);

  // Whether the thing may be changed at this version, or read; none: it does not exist.
  bool hold_for(std::optional<std::uint32_t> version) const;
  // Whether who reads has the answer with this ETag already.
  bool know(std::string_view etag) const;

  // If-Match lists tags: only the version that was checked may be changed.
  bool names_versions() const { return if_match_ && !if_match_->any; }
  bool has_if_match() const { return if_match_.has_value(); }
  // `If-None-Match: *`: only what does not exist yet.
  bool wants_new() const { return if_none_match_ && if_none_match_->any; }

 private:
  struct Tag {
    std::string text;  // without quotes, and without what tells how the body was compressed
    bool weak = false;
  };
  struct Tags {
    bool any = false;  // `*`
    std::vector<Tag> tags;
  };
  static std::optional<Tags> read(const net::Headers& headers, std::string_view name);
  static bool add_next(std::string_view& text, Tags& tags);
  static bool names(const Tags& tags, std::optional<std::uint32_t> version, bool strongly);

  const bool reads_;
  const std::optional<Tags> if_match_;
  const std::optional<Tags> if_none_match_;
};

}  // namespace belfry::api

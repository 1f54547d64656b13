#pragma once

#include "net/http.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::api {

// The ETag of a thing at a version: "3", quotes included.
std::string etag_of(std::uint32_t version);

// The preconditions of a request, as RFC 9110 section 13 has them: If-Match compares strongly,
// If-None-Match weakly, both take lists and `*`. A tag that is not one of ours matches nothing.
class Conditions {
 public:
  explicit Conditions(const net::Request& request);

  enum class Verdict : std::uint8_t { kGoOn, kNotModified, kFailed };
  // About the thing at this version; none: it does not exist.
  Verdict check(std::optional<std::uint32_t> version) const;

  // If-Match lists tags: only the version that was checked may be changed.
  bool names_versions() const { return if_match_ && !if_match_->any; }
  bool has_if_match() const { return if_match_.has_value(); }
  // `If-None-Match: *`: only what does not exist yet.
  bool wants_new() const { return if_none_match_ && if_none_match_->any; }

 private:
  struct Tag {
    std::uint32_t version = 0;
    bool weak = false;
  };
  struct Tags {
    bool any = false;  // `*`
    std::vector<Tag> tags;
  };
  static std::optional<Tags> read(const net::Headers& headers, std::string_view name);
  static bool add_next(std::string_view& text, Tags& tags);

  const bool reads_;
  const std::optional<Tags> if_match_;
  const std::optional<Tags> if_none_match_;
};

}  // namespace belfry::api

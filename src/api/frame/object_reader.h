#pragma once

#include "api/frame/problem.h"
#include "base/json.h"
#include "base/time.h"
#include "core/spelling.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::api {

// Reads the fields of a JSON object one by one and collects everything that is wrong with them, so
// that a user fixes a request once and not five times:
//
//   ObjectReader body(json, "", complaints);
//   if (const auto name = body.text("job_name")) job.name = *name;
//   body.refuse_others();
//
// A getter returns none when the field is absent, null or wrong; a wrong one leaves a complaint.
// Fields nobody asked for are refused at the end. The object and the names must outlive the reader.
class ObjectReader {
 public:
  ObjectReader(const Json& object, std::string pointer, std::vector<Complaint>& complaints);

  bool has(std::string_view name);  // present and not null

  std::optional<std::string> text(std::string_view name, std::size_t longest = 4096);
  std::optional<bool> boolean(std::string_view name);
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most);
  std::optional<Duration> duration(std::string_view name, Duration least, Duration most);
  std::optional<Instant> instant(std::string_view name);
  // A text that somebody else wrote and that must not get lost: control characters are replaced.
  std::optional<std::string> foreign_text(std::string_view name, std::size_t longest);
  // The output of a program: of several lines, and its control characters stay, except NUL.
  std::optional<std::string> output(std::string_view name, std::size_t longest);
  std::optional<std::vector<std::string>> texts(std::string_view name, std::size_t most,
                                                std::size_t longest = 4096);
  // The value as it is, of any kind; null counts as present.
  const Json* any(std::string_view name);
  const Json* object(std::string_view name);
  const Json* array(std::string_view name);

  // One of some words, as api/openapi.yaml spells them.
  template <typename Enum, std::size_t N>
  std::optional<Enum> word(std::string_view name, const core::Words<Enum, N>& words) {
    const auto given = text(name, 64);
    if (!given) return {};
    if (const auto meaning = core::meaning_of(*given, words)) return meaning;
    std::string known;
    for (const auto& [spelling, value] : words) {
      known += (known.empty() ? "" : ", ") + std::string(spelling);
    }
    complain(name, "invalid", "`" + *given + "` is not one of " + known);
    return {};
  }

  void complain(std::string_view name, std::string code, std::string message,
                std::string hint = {});
  void require(std::string_view name, std::string hint = {});
  void refuse_others();

  std::string pointer(std::string_view name) const;

 private:
  std::optional<std::string> any_text(std::string_view name, std::size_t longest);
  const Json* given(std::string_view name);  // none where it is absent or null

  const Json& object_;
  const std::string pointer_;
  std::vector<Complaint>& complaints_;
  std::vector<std::string_view> known_;  // asked for, some more than once
};

}  // namespace belfry::api

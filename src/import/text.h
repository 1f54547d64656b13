#pragma once

#include "core/cron/token.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Small work on lines and words that every importer does.
namespace belfry::importer {

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\n';
}

// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

// The lines of a text without their ends; a line end at the very end does not begin another line.
std::vector<std::string_view> lines_of(std::string_view text);

// Takes the first word and the blanks behind it off `text`; empty when there is none.
std::string_view take_word(std::string_view& text);

std::vector<std::string_view> words_of(std::string_view text);
// What stands between the separators, also where that is nothing.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

std::string lower(std::string_view text);

// Up to nine digits and nothing else.
std::optional<int> whole_number(std::string_view text);

// "`text`", shortened: foreign input may be long, a message must not be.
std::string in_backticks(std::string_view text);

}  // namespace belfry::importer

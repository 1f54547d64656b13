#include "import/systemd/exec_line.h"

#include "import/text.h"

#include <algorithm>
#include <optional>

namespace belfry::importer {
namespace {

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : 99;
}

// Reads `count` digits of a base at `at` as one byte.
std::optional<char> byte_at(std::string_view text, std::size_t at, std::size_t count, int base) {
  if (at + count > text.size()) return std::nullopt;
  int value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    const int digit = digit_value(text[i]);
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
  }
  return value > 0 && value < 256 ? std::optional(static_cast<char>(value)) : std::nullopt;
}

// The escape at text[at] == '\\'; moves `at` to its last character. Unknown ones stay as they are.
std::string escape_at(std::string_view text, std::size_t& at) {
  constexpr std::string_view kNames = "abfnrtvs\\\"'; ";
  constexpr std::string_view kValues = "\a\b\f\n\r\t\v \\\"'; ";
  if (at + 1 >= text.size()) return "\\";
  const char c = text[at + 1];
  if (const std::size_t found = kNames.find(c); found != std::string_view::npos) {
    ++at;
    return std::string(1, kValues[found]);
  }
  if (const auto byte = c == 'x' ? byte_at(text, at + 2, 2, 16) : byte_at(text, at + 1, 3, 8)) {
    at += 3;
    return std::string(1, *byte);
  }
  return "\\";
}

// The value of a specifier that follows from the unit's name or from systemd's fixed folders.
std::optional<std::string> specifier_value(char c, std::string_view unit_name) {
  const std::string_view stem = unit_name.substr(0, unit_name.rfind('.'));
  const std::size_t at = stem.find('@');
  const std::string_view prefix = stem.substr(0, at);
  const std::string_view instance =
      at == std::string_view::npos ? std::string_view() : stem.substr(at + 1);
  switch (c) {
    case '%': return "%";
    case 'n': return std::string(unit_name);
    case 'N': return std::string(stem);
    case 'p': return std::string(prefix);
    case 'P': return std::string(prefix);
    case 'i': return std::string(instance);
    case 'j': return std::string(prefix.substr(prefix.rfind('-') + 1));
    case 't': return "/run";
    case 'S': return "/var/lib";
    case 'C': return "/var/cache";
    case 'L': return "/var/log";
    case 'E': return "/etc";
    case 'T': return "/tmp";
    case 'V': return "/var/tmp";
    default: return std::nullopt;
  }
}

bool is_name_character(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Result<std::string> value_of(std::string_view name, const Variables& variables) {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const auto& variable) { return variable.first == name; });
  if (found != variables.end()) return found->second;
  return fail(Errc::kInvalid, "the variable " + in_backticks(name) +
                                  " is not set in the unit; write its value into the command, or "
                                  "run it by a shell");
}

Result<std::string> expand_braces(std::string_view word, const Variables& variables) {
  std::string result;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word.substr(i).starts_with("$$")) {
      result += '$';
      ++i;
    } else if (const std::size_t close = word.find('}', i);
               word.substr(i).starts_with("${") && close != std::string_view::npos) {
      BELFRY_TRY(value, value_of(word.substr(i + 2, close - i - 2), variables));
      result += value;
      i = close;
    } else {
      result += word[i];
    }
  }
  return result;
}

// The end of the first of several commands: a `;` between blanks, outside quotes.
std::size_t end_of_command(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text.substr(i).starts_with(" ; ")) {
      return i;
    }
  }
  return std::string_view::npos;
}

void take_prefixes(ExecCommand& command, std::string_view& text) {
  while (!text.empty()) {
    switch (text.front()) {
      case '-': command.failure_is_fine = true; break;
      case ':': command.expands = false; break;
      case '+':
      case '!': command.privileged = true; break;
      default: return;
    }
    text.remove_prefix(1);
  }
}

}  // namespace

Result<Words> split_quoted(std::string_view text) {
  Words words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && is_space(c)) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\') {
      words.back() += escape_at(text, i);
    } else {
      words.back() += c;
    }
  }
  if (quote != 0)
    return fail(Errc::kInvalid, "a quote in " + in_backticks(text) + " is not closed");
  return words;
}

Result<std::vector<ExecCommand>> parse_exec(std::string_view text) {
  std::vector<ExecCommand> commands;
  while (!trimmed(text).empty()) {
    text = trimmed(text);
    const std::size_t end = end_of_command(text);
    std::string_view one = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 3);
    ExecCommand command;
    take_prefixes(command, one);
    if (one.starts_with('@')) {
      return fail(Errc::kInvalid, "`@` gives the program another name, which is not possible here");
    }
    BELFRY_TRY(words, split_quoted(one));
    if (words.empty()) return fail(Errc::kInvalid, "the command is empty");
    command.words = std::move(words);
    commands.push_back(std::move(command));
  }
  return commands;
}

Result<std::string> expand_specifiers(std::string_view text, std::string_view unit_name) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const auto value = specifier_value(text[++i], unit_name);
    if (!value) {
      return fail(Errc::kInvalid, "the specifier `%" + std::string(1, text[i]) +
                                      "` has a value only on its host; write the value, or run "
                                      "`systemctl start " +
                                      std::string(unit_name) + "` there");
    }
    result += *value;
  }
  return result;
}

Result<Words> expand_variables(const Words& words, const Variables& variables) {
  Words result;
  for (const std::string& word : words) {
    const bool whole = word.size() > 1 && word.front() == '$' &&
                       std::all_of(word.begin() + 1, word.end(), is_name_character);
    if (whole) {
      BELFRY_TRY(value, value_of(std::string_view(word).substr(1), variables));
      for (const std::string_view part : words_of(value)) result.emplace_back(part);
    } else {
      BELFRY_TRY(expanded, expand_braces(word, variables));
      result.push_back(std::move(expanded));
    }
  }
  return result;
}

}  // namespace belfry::importer

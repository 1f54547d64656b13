#include "import/names.h"

#include "import/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace belfry::importer {
namespace {

using Queue = std::span<const std::string_view>;

bool is_one_of(std::string_view word, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string_view base_name(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// The word without the quotes and brackets a shell command dresses it in.
std::string_view bare(std::string_view word) {
  constexpr std::string_view kDress = "\"'`(){};!$&|<>";
  const std::size_t first = word.find_first_not_of(kDress);
  if (first == std::string_view::npos) return {};
  return word.substr(first, word.find_last_not_of(kDress) - first + 1);
}

bool ends_a_step(std::string_view word) {
  return word == "&&" || word == "||" || word == ";" || word == "then" ||
         (!word.empty() && word.back() == ';');
}

void skip_step(Queue& words) {
  while (!words.empty() && !ends_a_step(words.front())) words = words.subspan(1);
  if (!words.empty()) words = words.subspan(1);
}

// Skips the options of a wrapper, and the values of those that take one.
void skip_options(Queue& words, bool flock) {
  constexpr std::array<std::string_view, 8> kWithValue{"-u", "-g", "-n", "-c",
                                                       "-p", "-t", "-k", "-s"};
  while (!words.empty() &&
         (words.front().starts_with('-') ||
          (!flock && is_digit(words.front().empty() ? ' ' : words.front().front())))) {
    const bool value = flock ? (words.front() == "-w" || words.front() == "-E")
                             : is_one_of(words.front(), kWithValue);
    words = words.subspan(1);
    if (value && !words.empty()) words = words.subspan(1);
  }
  if (flock && !words.empty()) words = words.subspan(1);  // the lock's own file
  if (flock && !words.empty() && words.front() == "-c") words = words.subspan(1);
}

std::string script_name(std::string_view word) {
  const std::string_view base = base_name(word);
  constexpr std::array<std::string_view, 8> kEndings{".sh", ".bash", ".py",  ".pl",
                                                     ".rb", ".php",  ".jar", ".js"};
  for (const std::string_view ending : kEndings) {
    if (base.size() > ending.size() && base.ends_with(ending)) {
      return slug(base.substr(0, base.size() - ending.size()));
    }
  }
  return slug(base);
}

// Skips an interpreter: its script is what the job is about.
std::string interpreted(Queue words, std::string_view interpreter) {
  Queue rest = words;
  while (!rest.empty() && rest.front().starts_with('-')) {
    const std::string_view option = rest.front();
    rest = rest.subspan(1);
    if (option == "-m" || option == "-jar") break;
    if (option.size() >= 2 && option.size() <= 4 && option.back() == 'c') break;  // `-c`, `-lc`
  }
  if (rest.empty()) return slug(interpreter);
  std::string line;
  for (const std::string_view word : rest) {
    line += std::string(ends_a_step(word) ? word : bare(word)) + " ";
  }
  return name_from_command(line);
}

std::string run_parts_name(Queue words) {
  for (const std::string_view word : words) {
    if (bare(word).starts_with('/')) return "run-parts-" + slug(base_name(bare(word)));
  }
  return "run-parts";
}

constexpr std::array<std::string_view, 14> kWrappers{
    "nice", "ionice", "chrt",  "timeout", "sudo",   "env",         "exec",
    "time", "nohup",  "flock", "chronic", "setsid", "systemd-cat", "doas"};
constexpr std::array<std::string_view, 9> kInterpreters{"sh",   "bash", "dash", "zsh", "ksh",
                                                        "perl", "ruby", "node", "php"};
constexpr std::array<std::string_view, 7> kSteps{"test", "[", "[[", "if", "command", "cd", "sleep"};
constexpr std::array<std::string_view, 3> kKeywords{"then", "do", "else"};

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  return equals != std::string_view::npos && equals > 0 && word.find_first_of("/-.") > equals;
}

}  // namespace

std::string slug(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result;
  for (const char c : lower(text.substr(0, 200))) {
    const bool plain = (c >= 'a' && c <= 'z') || is_digit(c) || c == '.' || c == '_';
    if (plain) {
      result += c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  if (result.size() > kLongest) result.resize(kLongest);
  while (!result.empty() && (result.back() == '-' || result.back() == '.')) result.pop_back();
  while (!result.empty() && result.front() == '.') result.erase(result.begin());
  return result;
}

std::string name_from_command(std::string_view command) {
  constexpr std::size_t kLooksAt = 2'000;  // names stand at the front
  const std::vector<std::string_view> all = words_of(command.substr(0, kLooksAt));
  Queue words(all);
  while (!words.empty()) {
    const std::string_view word = bare(words.front());
    const std::string_view program = base_name(word);
    if (word.empty() && words.front() != "[") {
      words = words.subspan(1);
    } else if (is_assignment(word) || is_one_of(word, kKeywords)) {
      words = words.subspan(1);
    } else if (is_one_of(program, kSteps) || words.front() == "[") {
      skip_step(words);
    } else if (is_one_of(program, kWrappers)) {
      words = words.subspan(1);
      skip_options(words, program == "flock");
    } else if (program == "run-parts") {
      return run_parts_name(words.subspan(1));
    } else if (is_one_of(program, kInterpreters) || program.starts_with("python") ||
               program == "java") {
      return interpreted(words.subspan(1), program);
    } else {
      const std::string name = script_name(word);
      return name.empty() ? "job" : name;
    }
  }
  return "job";
}

std::string UniqueNames::take(std::string_view wanted, std::string_view what_it_does) {
  std::string name(wanted.empty() ? "job" : wanted);
  if (taken_.contains(name)) {
    std::uint32_t hash = 2'166'136'261U;  // FNV-1a
    for (const char c : what_it_does) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    name += '-';
    for (int shift = 28; shift >= 16; shift -= 4) name += kDigits[(hash >> shift) & 0xFU];
  }
  const std::string base = name;
  for (int n = 2; !taken_.insert(name).second; ++n) name = base + "-" + std::to_string(n);
  return name;
}

}  // namespace belfry::importer

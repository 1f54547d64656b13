#include "core/error_code.h"

#include <array>
#include <utility>

namespace belfry::core {
namespace {

constexpr std::size_t kLongestWord = 32;
constexpr std::string_view kDigits = "0123456789";

// Errors that begin like this go on with a number or a name that belongs to the code.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWithDetail{
    {{"exit code ", "exit_"},
     {"killed by ", "signal_"},
     {"status: ", "status_"},
     {"redirect: ", "redirect_"}}};

}  // namespace

std::string error_code(std::string_view error) {
  for (const auto& [beginning, code] : kWithDetail) {
    if (!error.starts_with(beginning)) continue;
    const std::string_view rest = error.substr(beginning.size());
    const bool is_name = code == "signal_";
    const std::string_view detail =
        rest.substr(0, is_name ? rest.find_first_of(" :;,") : rest.find_first_not_of(kDigits));
    if (!detail.empty()) return std::string(code) + std::string(detail);
  }
  const std::string_view word = error.substr(0, error.find(':'));
  const bool is_word = word.size() < error.size() && !word.empty() && word.size() <= kLongestWord &&
                       kDigits.find(word.front()) == word.npos &&
                       word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == word.npos;
  return is_word ? std::string(word) : std::string();
}

}  // namespace belfry::core

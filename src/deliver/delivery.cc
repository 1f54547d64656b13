#include "deliver/delivery.h"

#include "base/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace belfry::deliver {
namespace {

// What receivers say ends up in databases, logs and terminals.
std::string printable(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool fine = character.length > 0 && character.code >= 0x20 && character.code != 0x7f;
    const std::size_t length = std::max<std::size_t>(character.length, 1);
    clean += fine ? text.substr(0, length) : std::string_view("?");
    text.remove_prefix(length);
  }
  return clean;
}

}  // namespace

Outcome succeeded(std::string result) {
  return {.ending = Ending::kSucceeded, .result = std::move(result)};
}

Outcome failed(std::string_view name, std::string_view what) {
  return {.ending = Ending::kFailed, .error = fmt::format("{}: {}", name, printable(what))};
}

Outcome failed_for_good(std::string_view name, std::string_view what) {
  Outcome outcome = failed(name, what);
  outcome.retryable = false;
  return outcome;
}

Outcome put_off(Duration wait) {
  return {.ending = Ending::kPutOff, .wait = wait};
}

}  // namespace belfry::deliver

#include "cli/frame/command.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <charconv>
#include <ranges>
#include <system_error>

namespace belfry::cli {
namespace {

template <typename Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

template <typename Number, typename Target>
Option::Take into_number(Target& to) {
  return [&to](const std::vector<std::string>& values) -> std::string {
    const auto number = number_of<Number>(values.back());
    if (!number) return "`" + values.back() + "` is not a whole number";
    to = *number;
    return {};
  };
}

}  // namespace

Option::Option(std::string_view names, Take take, std::string help) {
  facts_.take = std::move(take);
  facts_.help = std::move(help);
  for (const auto part : std::views::split(names, ',')) {
    const std::string_view name(part.begin(), part.end());
    if (name.starts_with("--")) {
      facts_.long_name = name.substr(2);
    } else if (name.starts_with('-')) {
      facts_.short_name = name[1];
    } else {
      facts_.place_name = name;
    }
  }
}

Option& Option::type(std::string name) {
  facts_.type = std::move(name);
  return *this;
}

Option& Option::required() {
  facts_.is_required = true;
  return *this;
}

Option& Option::range(std::int64_t low, std::int64_t high) {
  return check([low, high](const std::string& value) -> std::string {
    const auto number = number_of<std::int64_t>(value);
    if (!number) return "`" + value + "` is not a whole number";
    if (*number >= low && *number <= high) return {};
    return value + " is not between " + std::to_string(low) + " and " + std::to_string(high);
  });
}

Option& Option::one_of(std::vector<std::string> words) {
  facts_.words = std::move(words);
  return *this;
}

Option& Option::check(Check check) {
  facts_.checks.push_back(std::move(check));
  return *this;
}

Option& Option::separated_by(char mark) {
  facts_.separator = mark;
  return *this;
}

Option& Option::repeatable() {
  facts_.is_list = true;
  return *this;
}

Option& Option::bare(std::string value) {
  facts_.bare = std::move(value);
  return *this;
}

Option& Option::proposes(Proposal what) {
  facts_.proposal = what;
  return *this;
}

std::string Option::name() const {
  if (!facts_.long_name.empty()) return "--" + facts_.long_name;
  if (facts_.short_name != 0) return std::string("-") + facts_.short_name;
  return place();
}

std::string Option::place() const {
  return in_capitals(facts_.place_name);
}

Command& Command::command(std::string name, std::string help) {
  Command& added = commands_.emplace_back(std::move(name), std::move(help));
  added.parent_ = this;
  return added;
}

Option& Command::flag(std::string_view names, bool& to, std::string help) {
  const auto set = [&to](const std::vector<std::string>& /*values*/) {
    to = true;
    return std::string();
  };
  Option& added = options_.emplace_back(names, set, std::move(help));
  added.facts_.is_switch = true;
  return added;
}

Option& Command::option(std::string_view names, std::string& to, std::string help) {
  const auto keep = [&to](const std::vector<std::string>& values) {
    to = values.back();
    return std::string();
  };
  return options_.emplace_back(names, keep, std::move(help));
}

Option& Command::option(std::string_view names, std::vector<std::string>& to, std::string help) {
  const auto keep = [&to](const std::vector<std::string>& values) {
    to = values;
    return std::string();
  };
  Option& added = options_.emplace_back(names, keep, std::move(help));
  added.facts_.is_list = true;
  return added;
}

Option& Command::option(std::string_view names, int& to, std::string help) {
  return options_.emplace_back(names, into_number<int>(to), std::move(help)).type("N");
}

Option& Command::option(std::string_view names, std::size_t& to, std::string help) {
  return options_.emplace_back(names, into_number<std::size_t>(to), std::move(help)).type("N");
}

Option& Command::option(std::string_view names, std::optional<std::int64_t>& to, std::string help) {
  return options_.emplace_back(names, into_number<std::int64_t>(to), std::move(help)).type("N");
}

Option& Command::option(std::string_view names, Option::Take take, std::string help) {
  return options_.emplace_back(names, std::move(take), std::move(help));
}

Command& Command::examples(std::vector<std::string> lines) {
  examples_ = std::move(lines);
  return *this;
}

Command& Command::note(std::string text) {
  note_ = std::move(text);
  return *this;
}

Command& Command::alias(std::string name) {
  aliases_.push_back(std::move(name));
  return *this;
}

Command& Command::hide() {
  hidden_ = true;
  return *this;
}

std::string Command::path() const {
  return parent_ == nullptr ? name_ : parent_->path() + " " + name_;
}

const Command* Command::find(std::string_view word) const {
  for (const Command& each : commands_) {
    if (each.name_ == word || std::ranges::find(each.aliases_, word) != each.aliases_.end()) {
      return &each;
    }
  }
  return nullptr;
}

const Option* Command::find_flag(std::string_view word) const {
  for (const Option& each : options_) {
    const Option::Facts& facts = each.facts();
    if (word.starts_with("--")) {
      if (!facts.long_name.empty() && facts.long_name == word.substr(2)) return &each;
    } else if (word.size() == 2 && facts.short_name == word[1]) {
      return &each;
    }
  }
  return parent_ == nullptr ? nullptr : parent_->find_flag(word);
}

}  // namespace belfry::cli

#include "config/toml_file.h"

#define TOML_EXCEPTIONS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace belfry::config {
namespace {

void collect(const toml::table& table, const std::string& prefix, std::vector<TomlEntry>& entries) {
  for (const auto& [key, value] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = value.as_table(); inner != nullptr && !inner->empty()) {
      collect(*inner, name + ".", entries);
      continue;
    }
    TomlEntry entry{.key = name, .is_list = !value.is_value(), .line = key.source().begin.line};
    if (const auto* text = value.as_string()) {
      entry.text = text->get();
    } else if (const auto* number = value.as_floating_point()) {
      entry.text = fmt::format("{}", number->get());  // the library stumbles over inf
    } else if (!entry.is_list) {
      std::ostringstream written;
      value.visit([&](const auto& node) { written << node; });
      entry.text = written.str();
    }
    entries.push_back(std::move(entry));
  }
}

}  // namespace

Result<std::vector<TomlEntry>> read_toml(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    return fail({.code = Errc::kNotFound,
                 .message = "`" + path + "` cannot be read",
                 .hint = "name a readable TOML file"});
  }
  const toml::parse_result parsed = toml::parse(in, path);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return fail(Errc::kInvalid, path + ":" + std::to_string(error.source().begin.line) + ": " +
                                    std::string(error.description()));
  }
  std::vector<TomlEntry> entries;
  collect(parsed.table(), "", entries);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return entries;
}

}  // namespace belfry::config

#include "import/command.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace belfry::importer {

void set_variable(Variables& variables, std::string_view name, std::string_view value) {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const auto& variable) { return variable.first == name; });
  if (found != variables.end()) {
    found->second = value;
  } else {
    variables.emplace_back(name, value);
  }
}

Words with_environment(const Variables& variables, std::string_view folder, Words command) {
  if (variables.empty() && folder.empty()) return command;
  Words words{"/usr/bin/env"};
  if (!folder.empty()) {
    words.emplace_back("-C");
    words.emplace_back(folder);
  }
  for (const auto& [name, value] : variables) words.push_back(name + "=" + value);
  std::move(command.begin(), command.end(), std::back_inserter(words));
  return words;
}

std::string shell_quoted(std::string_view word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./:=,@%+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'') {
      result += R"('\'')";
    } else {
      result += c;
    }
  }
  return result + "'";
}

std::string shell_line(const Words& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += shell_quoted(word);
  }
  return line;
}

}  // namespace belfry::importer

#include "cli/frame/help.h"

#include "cli/text/text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace belfry::cli {
namespace {

constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kWidestName = 28;  // a longer one has its line to itself

using Entry = std::pair<std::string, std::string>;  // what is written, what it means

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// The text in lines that begin at `indent`; the first one is begun already.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const std::size_t wide = width_of(word);
    if (column > indent && column + 1 + wide > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += wide;
    begin = end + 1;
  }
  return out;
}

std::string entries(const std::vector<Entry>& list, std::size_t width) {
  std::size_t widest = 0;
  for (const auto& [name, meaning] : list) {
    if (name.size() <= kWidestName) widest = std::max(widest, name.size());
  }
  const std::size_t indent = widest + 4;
  std::string out;
  for (const auto& [name, meaning] : list) {
    out += "  " + name;
    if (!meaning.empty()) {
      out += name.size() > widest ? "\n" + std::string(indent, ' ')
                                  : std::string(indent - 2 - name.size(), ' ');
      out += wrapped(meaning, indent, width);
    }
    out += '\n';
  }
  return out;
}

std::string section(const std::string& title, const std::vector<Entry>& list, std::size_t width) {
  return list.empty() ? "" : "\n" + title + ":\n" + entries(list, width);
}

std::string written(const Option::Facts& facts) {
  std::string text = facts.short_name == 0 ? "    " : std::string{'-', facts.short_name, ',', ' '};
  if (facts.long_name.empty()) {
    text = std::string{'-', facts.short_name};
  } else {
    text += "--" + facts.long_name;
  }
  if (facts.is_switch) return text;
  return text + (facts.bare ? "[=" + facts.type + "]" : " " + facts.type);
}

std::string place_of(const Option::Facts& facts) {
  const std::string name = in_capitals(facts.place_name) + (facts.is_list ? "…" : "");
  return facts.is_required ? name : "[" + name + "]";
}

bool is_flag(const Option& option) {
  return !option.facts().long_name.empty() || option.facts().short_name != 0;
}

std::string usage(const Command& command) {
  std::string line = command.path();
  bool has_flags = false;
  for (const Option& each : command.options()) {
    has_flags = has_flags || is_flag(each);
    if (each.facts().is_required && each.facts().place_name.empty()) {
      line += " " + each.name() + " " + each.facts().type;
    }
    if (!each.facts().place_name.empty()) line += " " + place_of(each.facts());
  }
  if (!command.commands().empty()) line += command.verb() ? " [COMMAND]" : " COMMAND";
  return line + (has_flags ? " [FLAGS]" : "");
}

std::vector<Entry> places_of(const Command& command) {
  std::vector<Entry> list;
  for (const Option& each : command.options()) {
    if (each.facts().place_name.empty() || is_flag(each)) continue;
    list.emplace_back(in_capitals(each.facts().place_name), each.facts().help);
  }
  return list;
}

std::vector<Entry> flags_of(const Command& command) {
  std::vector<Entry> list;
  for (const Option& each : command.options()) {
    if (is_flag(each)) list.emplace_back(written(each.facts()), each.facts().help);
  }
  return list;
}

std::vector<Entry> commands_of(const Command& command) {
  std::vector<Entry> list;
  for (const Command& each : command.commands()) {
    if (!each.is_hidden()) list.emplace_back(each.name(), each.help());
  }
  return list;
}

}  // namespace

std::string help_for(const Command& command, int columns) {
  const std::size_t width = std::max<std::size_t>(kNarrowest, static_cast<std::size_t>(columns));
  const bool is_root = command.parent() == nullptr;
  std::string text =
      wrapped(command.help(), 0, width) + "\n\nUsage: " + wrapped(usage(command), 7, width) + "\n";
  if (!command.aliases().empty()) {
    text += "\nAlso called: ";
    for (std::size_t i = 0; i < command.aliases().size(); ++i) {
      text += (i == 0 ? "" : ", ") + command.aliases()[i];
    }
    text += '\n';
  }
  text += section("Words", places_of(command), width);
  text += section("Commands", commands_of(command), width);
  text += section(is_root ? "Flags of every command" : "Flags", flags_of(command), width);
  if (!command.note().empty()) text += "\n" + wrapped(command.note(), 0, width) + "\n";
  if (!command.examples().empty()) text += "\nExamples:\n";
  for (const std::string& line : command.examples()) text += "  " + line + "\n";
  if (!is_root) {
    text += "\n" +
            wrapped("`belfry --help` lists the flags of every command: --server, -o, --yes, …", 0,
                    width) +
            "\n";
  }
  return text;
}

}  // namespace belfry::cli

#include "import/systemd/unit_file.h"

#include "import/text.h"

namespace belfry::importer {
namespace {

bool is_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with(';');
}

UnitLine parse_line(std::string_view line, std::string& section) {
  UnitLine result;
  if (line.starts_with('[') && line.ends_with(']')) {
    section = std::string(line.substr(1, line.size() - 2));
    result.kind = UnitLine::Kind::kSection;
  } else if (const std::size_t equals = line.find('='); equals != std::string_view::npos) {
    result.kind = UnitLine::Kind::kSetting;
    result.key = std::string(trimmed(line.substr(0, equals)));
    result.value = std::string(trimmed(line.substr(equals + 1)));
  }
  result.section = section;
  return result;
}

}  // namespace

std::vector<UnitLine> read_unit(const SourceFile& file) {
  const std::vector<std::string_view> lines = lines_of(file.text);
  std::vector<UnitLine> result;
  std::string section;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trimmed(lines[i]);
    if (line.empty()) continue;
    const std::size_t first = i + 1;
    if (is_comment(line)) {
      result.push_back({UnitLine::Kind::kComment, {file.name, first, first}, section, {}, {}});
      continue;
    }
    std::string whole(line);
    while (whole.ends_with('\\') && i + 1 < lines.size()) {
      const std::string_view next = trimmed(lines[++i]);
      if (is_comment(next)) continue;  // comments inside a continued line are skipped
      whole.back() = ' ';
      whole += next;
    }
    UnitLine parsed = parse_line(whole, section);
    parsed.place = {file.name, first, i + 1};
    result.push_back(std::move(parsed));
  }
  return result;
}

void Unit::append(const SourceFile& file) {
  for (UnitLine& line : read_unit(file)) lines_.push_back(std::move(line));
}

std::string Unit::stem() const {
  return name_.substr(0, name_.rfind('.'));
}

std::vector<const UnitLine*> Unit::all(std::string_view section, std::string_view key) const {
  std::vector<const UnitLine*> found;
  for (const UnitLine& line : lines_) {
    if (line.kind != UnitLine::Kind::kSetting || line.section != section || line.key != key) {
      continue;
    }
    if (line.value.empty()) {
      found.clear();
    } else {
      found.push_back(&line);
    }
  }
  return found;
}

std::string_view Unit::value(std::string_view section, std::string_view key) const {
  const auto found = all(section, key);
  return found.empty() ? std::string_view() : std::string_view(found.back()->value);
}

bool Unit::flag(std::string_view section, std::string_view key) const {
  const std::string word = lower(value(section, key));
  return word == "yes" || word == "true" || word == "on" || word == "1" || word == "y" ||
         word == "t";
}

}  // namespace belfry::importer

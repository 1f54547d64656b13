#include "import/ical/ical_lines.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <utility>

namespace belfry::importer {
namespace {

constexpr std::size_t kDeepest = 4;

// A content line that may have been folded over several lines of the file.
struct Line {
  std::string text;
  std::size_t first = 0;
  std::size_t last = 0;
};

std::vector<Line> unfold(std::string_view text) {
  std::vector<Line> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool folded = !lines.empty() && (line.starts_with(' ') || line.starts_with('\t'));
    if (folded) {
      lines.back().text += line.substr(1);
      lines.back().last = number;
    } else if (!line.empty()) {
      lines.push_back({std::string(line), number, number});
    }
  }
  return lines;
}

// `DTSTART;TZID="Europe/Berlin":2026...`: colons and semicolons inside quotes do not part.
IcalProperty property_of(std::string_view line) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  std::size_t at = 0;
  for (; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ':' && !quoted) {
      break;
    } else if (c == ';' && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  IcalProperty property{.name = in_capitals(parts[0])};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos) continue;
    property.params[in_capitals(parts[i].substr(0, equals))] = parts[i].substr(equals + 1);
  }
  if (at < line.size()) property.value = line.substr(at + 1);
  return property;
}

}  // namespace

const IcalProperty* IcalComponent::find(std::string_view property) const {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [&](const auto& one) { return one.name == property; });
  return found == properties.end() ? nullptr : &*found;
}

std::string IcalComponent::text(std::string_view property) const {
  const IcalProperty* found = find(property);
  if (found == nullptr) return {};
  std::string text;
  for (std::size_t i = 0; i < found->value.size(); ++i) {
    const char c = found->value[i];
    if (c != '\\' || i + 1 == found->value.size()) {
      text += c;
      continue;
    }
    const char next = found->value[++i];
    text += next == 'n' || next == 'N' ? ' ' : next;
  }
  return text;
}

std::vector<IcalComponent> parse_ical(std::string_view text) {
  IcalComponent top;
  std::vector<IcalComponent> open{top};  // the innermost last
  const auto close = [&] {
    IcalComponent done = std::move(open.back());
    open.pop_back();
    open.back().parts.push_back(std::move(done));
  };
  for (const Line& line : unfold(text)) {
    IcalProperty property = property_of(line.text);
    open.back().last_line = line.last;
    if (property.name == "BEGIN") {
      if (open.size() > kDeepest) continue;
      IcalComponent begun{.name = in_capitals(property.value)};
      begun.first_line = line.first;
      begun.last_line = line.last;
      open.push_back(std::move(begun));
    } else if (property.name == "END") {
      if (open.size() > 1 && open.back().name == in_capitals(property.value)) close();
    } else {
      open.back().properties.push_back(std::move(property));
    }
  }
  while (open.size() > 1) close();
  return std::move(open.front().parts);
}

}  // namespace belfry::importer

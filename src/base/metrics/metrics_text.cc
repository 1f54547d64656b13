#include "base/metrics/metrics_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace belfry {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A help text is escaped like a label value, but keeps its quotes.
void append_escaped(std::string& out, std::string_view text, bool escape_quotes) {
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\\' || (c == '"' && escape_quotes)) out += '\\';
      out += c;
    }
  }
}

// Puts a comma before every label but the first.
void append_label(std::string& out, std::string_view name, std::string_view value) {
  if (out.back() != '{') out += ',';
  out.append(name).append("=\"");
  append_escaped(out, value, true);
  out += '"';
}

}  // namespace

bool is_metric_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_label_name(std::string_view name) {
  return is_metric_name(name) && !name.starts_with("__") && name != "le";
}

void append_metric_header(std::string& out, std::string_view name, std::string_view help,
                          std::string_view type) {
  out.append("# HELP ").append(name).append(" ");
  append_escaped(out, help, false);
  out.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void append_sample(std::string& out, std::string_view name, const MetricLabels& labels,
                   std::string_view value) {
  out += name;
  if (!labels.names.empty() || !labels.bound.empty()) {
    out += '{';
    for (std::size_t i = 0; i < labels.names.size(); ++i) {
      append_label(out, labels.names[i], labels.values[i]);
    }
    if (!labels.bound.empty()) append_label(out, "le", labels.bound);
    out += '}';
  }
  out.append(" ").append(value).append("\n");
}

std::string metric_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string metric_number(std::uint64_t value) {
  return fmt::format("{}", value);
}

}  // namespace belfry

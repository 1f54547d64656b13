#include "cli/text/table.h"

#include "base/assert.h"
#include "cli/text/text.h"

#include <algorithm>
#include <numeric>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::kGood: return "\033[32m";
    case Paint::kBad: return "\033[31m";
    case Paint::kWarn: return "\033[33m";
    case Paint::kDim: return "\033[2m";
    case Paint::kBold: return "\033[1m";
    case Paint::kPlain: break;
  }
  return {};
}

std::size_t total(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         (widths.empty() ? 0 : kGap * (widths.size() - 1));
}

// Makes the widest flexible column narrower until the row fits, then drops the last columns.
void shrink(std::vector<std::size_t>& widths, const std::vector<Column>& columns,
            std::size_t room) {
  while (total(widths) > room) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool wider = widest == widths.size() || widths[i] > widths[widest];
      if (columns[i].flexible && widths[i] > kNarrowest && wider) widest = i;
    }
    if (widest < widths.size()) {
      --widths[widest];
    } else if (widths.size() > 1) {
      widths.pop_back();
    } else {
      widths[0] = room;
    }
  }
}

}  // namespace

std::string painted(std::string_view text, Paint paint, const Look& look) {
  if (!look.colour || paint == Paint::kPlain || text.empty()) return std::string(text);
  return std::string(code_of(paint)) + std::string(text) + "\033[0m";
}

void Table::row(std::vector<Cell> cells) {
  BELFRY_ASSERT(cells.size() == columns_.size());
  for (Cell& cell : cells) cell.text = clean(cell.text);
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::natural_widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = width_of(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, width_of(row[i].text));
    widths.push_back(width);
  }
  return widths;
}

void Table::print(std::ostream& out, const Look& look) const {
  std::vector<std::size_t> widths = natural_widths();
  if (look.width > 0) shrink(widths, columns_, static_cast<std::size_t>(look.width));
  const auto line = [&](const auto& cell_at) {
    std::string text;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Cell cell = cell_at(i);
      const std::string shown = fit(cell.text, widths[i]);
      const std::string blanks(widths[i] - width_of(shown), ' ');
      const bool last = i + 1 == widths.size();
      if (columns_[i].right) text += blanks;
      text += painted(shown, cell.paint, look);
      if (!columns_[i].right && !last) text += blanks;
      if (!last) text += std::string(kGap, ' ');
    }
    while (text.ends_with(' ')) text.pop_back();
    out << text << '\n';
  };
  line([&](std::size_t i) { return Cell{columns_[i].title, Paint::kDim}; });
  for (const auto& row : rows_) line([&](std::size_t i) { return row[i]; });
}

}  // namespace belfry::cli

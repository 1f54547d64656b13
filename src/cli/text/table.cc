#include "cli/text/table.h"

#include "base/assert.h"
#include "cli/text/text.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <ostream>

namespace belfry::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;
constexpr std::size_t kReadable = 24;  // of a cell; narrower ones are left out if they may

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

// The columns that are shown, by their index, and how wide each is.
struct Layout {
  std::vector<std::size_t> columns;
  std::vector<std::size_t> widths;

  void drop(std::size_t at) {
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(at));
    widths.erase(widths.begin() + static_cast<std::ptrdiff_t>(at));
  }
};

// Makes the widest flexible columns narrower until the row fits, but none narrower than `least`.
void cut(Layout& layout, const std::vector<Column>& columns, std::size_t room, std::size_t least) {
  while (total(layout.widths) > room) {
    std::size_t widest = layout.widths.size();
    for (std::size_t i = 0; i < layout.widths.size(); ++i) {
      const bool wider = widest == layout.widths.size() || layout.widths[i] > layout.widths[widest];
      if (columns[layout.columns[i]].flexible && layout.widths[i] > least && wider) widest = i;
    }
    if (widest == layout.widths.size()) return;
    --layout.widths[widest];
  }
}

// The most spare column, and of several the last; none if all are needed.
std::optional<std::size_t> most_spare(const Layout& layout, const std::vector<Column>& columns) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    const int spare = columns[layout.columns[i]].spare;
    if (spare > 0 && (!found || spare >= columns[layout.columns[*found]].spare)) found = i;
  }
  return found;
}

void shrink(Layout& layout, const std::vector<Column>& columns, std::size_t room) {
  const std::vector<std::size_t> natural = layout.widths;
  cut(layout, columns, room, kReadable);
  while (total(layout.widths) > room) {
    const auto spare = most_spare(layout, columns);
    if (!spare) break;
    layout.drop(*spare);
    // What was cut may grow again in the room that is free now.
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
      layout.widths[i] = natural[layout.columns[i]];
    }
    cut(layout, columns, room, kReadable);
  }
  cut(layout, columns, room, kNarrowest);
  while (total(layout.widths) > room && layout.widths.size() > 1) {
    layout.drop(layout.widths.size() - 1);
  }
  if (total(layout.widths) > room) layout.widths[0] = room;
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
  Layout layout{.columns = {}, .widths = natural_widths()};
  for (std::size_t i = 0; i < columns_.size(); ++i) layout.columns.push_back(i);
  if (look.width > 0) shrink(layout, columns_, static_cast<std::size_t>(look.width));
  const auto line = [&](const auto& cell_at) {
    std::string text;
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
      const Cell cell = cell_at(layout.columns[i]);
      const std::string shown = fit(cell.text, layout.widths[i]);
      const std::string blanks(layout.widths[i] - width_of(shown), ' ');
      const bool last = i + 1 == layout.columns.size();
      const bool right = columns_[layout.columns[i]].right;
      if (right) text += blanks;
      text += painted(shown, cell.paint, look);
      if (!right && !last) text += blanks;
      if (!last) text += std::string(kGap, ' ');
    }
    while (text.ends_with(' ')) text.pop_back();
    out << text << '\n';
  };
  line([&](std::size_t i) { return Cell{columns_[i].title, Paint::kDim}; });
  for (const auto& row : rows_) line([&](std::size_t i) { return row[i]; });
}

}  // namespace belfry::cli

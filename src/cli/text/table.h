#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::cli {

// What a text means; whether that becomes a colour is the terminal's matter.
enum class Paint : std::uint8_t { kPlain, kGood, kBad, kWarn, kDim, kBold };

// How things may look where they are printed.
struct Look {
  int width = 0;  // 0: no limit
  bool colour = false;
};

std::string painted(std::string_view text, Paint paint, const Look& look);

struct Column {
  std::string title;
  bool flexible = false;  // is cut first when there is no room
  bool right = false;
};

struct Cell {
  std::string text;
  Paint paint = Paint::kPlain;
};

// Rows that fit the terminal: a row is a line, never two. Flexible columns are cut, then the last
// columns are left out; without a limit nothing is.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as columns.
  void row(std::vector<Cell> cells);
  bool is_empty() const { return rows_.empty(); }

  void print(std::ostream& out, const Look& look) const;

 private:
  std::vector<std::size_t> natural_widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace belfry::cli

#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::cli {

// What a text means; the terminal decides whether that becomes a colour.
enum class Paint : std::uint8_t { kPlain, kGood, kBad, kWarn, kDim, kBold };

// How things may look where they are printed.
struct Look {
  int width = 0;  // 0: no limit
  bool colour = false;
};

std::string painted(std::string_view text, Paint paint, const Look& look);

struct Column {
  std::string title;
  bool flexible = false;  // is cut when there is no room
  bool right = false;
  int spare = 0;  // above 0: may be left out; the highest goes first
};

struct Cell {
  std::string text;
  Paint paint = Paint::kPlain;
};

// Rows that fit the terminal: a row is one line, never two. Where there is no room, flexible
// columns are cut as long as they stay readable, then spare columns are left out, then flexible
// ones are cut further, and at last the last columns go. Without a limit nothing of this happens.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell for each column.
  void row(std::vector<Cell> cells);
  bool is_empty() const { return rows_.empty(); }

  void print(std::ostream& out, const Look& look) const;

 private:
  std::vector<std::size_t> natural_widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace belfry::cli

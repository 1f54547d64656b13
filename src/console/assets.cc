#include "console/assets.h"

#include <cstddef>
#include <vector>

extern "C" const char belfry_console_assets[];

namespace belfry::console {
namespace {

struct Piece {
  std::size_t offset;
  std::size_t size;
};

struct Row {
  std::string_view path;
  std::string_view type;
  std::string_view etag;
  bool is_hashed;
  Piece plain;
  Piece brotli;
  Piece gzip;
};

std::string_view text_of(Piece piece) {
  return {&belfry_console_assets[piece.offset], piece.size};
}

std::vector<Asset> read_table() {
  const std::vector<Row> rows{
#include "console/asset_table.inc"
  };
  std::vector<Asset> assets;
  assets.reserve(rows.size());
  for (const Row& row : rows) {
    assets.push_back({row.path, row.type, row.etag, row.is_hashed, text_of(row.plain),
                      text_of(row.brotli), text_of(row.gzip)});
  }
  return assets;
}

}  // namespace

std::span<const Asset> assets() {
  static const std::vector<Asset> all = read_table();
  return all;
}

}  // namespace belfry::console

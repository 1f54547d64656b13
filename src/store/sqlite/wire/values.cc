#include "store/sqlite/wire/values.h"

#include <array>
#include <cstddef>

namespace belfry::store::sqlite {

// Big-endian, so that blobs sort and print as the numbers do.
void Binder::bind(const Bits128& bits) {
  std::array<unsigned char, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint64_t half = i < 8 ? bits.high : bits.low;
    bytes[i] = static_cast<unsigned char>(half >> (56 - 8 * (i % 8)));
  }
  keep(sqlite3_bind_blob(statement_, ++index_, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
}

void Row::read_one(Bits128& out) {
  const int length = sqlite3_column_bytes(statement_, index_);
  const void* blob = sqlite3_column_blob(statement_, index_++);
  const auto* bytes = static_cast<const unsigned char*>(blob);
  out = {};
  for (int i = 0; i < length && i < 16; ++i) {
    std::uint64_t& half = i < 8 ? out.high : out.low;
    half = half << 8 | bytes[i];
  }
}

void Row::read_one(std::string& out) {
  const unsigned char* text = sqlite3_column_text(statement_, index_);
  const int length = sqlite3_column_bytes(statement_, index_++);
  out.clear();
  // The C API's texts are unsigned char.
  if (text != nullptr) out.assign(reinterpret_cast<const char*>(text), std::size_t(length));
}

}  // namespace belfry::store::sqlite

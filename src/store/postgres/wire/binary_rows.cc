#include "store/postgres/wire/binary_rows.h"

#include "store/postgres/wire/wire_time.h"

#include <array>
#include <bit>
#include <utility>

namespace belfry::store::postgres {
namespace {

constexpr std::string_view kCopySignature("PGCOPY\n\377\r\n\0", 11);
constexpr char kJsonbVersion = 1;

std::array<char, 8> highest_first(std::int64_t value, std::size_t bytes) {
  static_assert(std::endian::native == std::endian::little);
  const std::uint64_t shifted = static_cast<std::uint64_t>(value) << (64 - 8 * bytes);
  return std::bit_cast<std::array<char, 8>>(__builtin_bswap64(shifted));
}

}  // namespace

BinaryRows& BinaryRows::begin(int columns) {
  finish_row();
  ++count_;
  if (as_elements_) {
    row_begin_ = bytes_.size();
    put(0, 4);  // its length, once it is known
  }
  put(columns, as_elements_ ? 4 : 2);
  return *this;
}
BinaryRows& BinaryRows::boolean(bool value) {
  return number(TypeOid::kBool, value ? 1 : 0, 1);
}
BinaryRows& BinaryRows::smallint(std::int64_t value) {
  return number(TypeOid::kInt2, value, 2);
}
BinaryRows& BinaryRows::integer(std::int64_t value) {
  return number(TypeOid::kInt4, value, 4);
}
BinaryRows& BinaryRows::bigint(std::int64_t value) {
  return number(TypeOid::kInt8, value, 8);
}
BinaryRows& BinaryRows::text(std::string_view value) {
  return string(TypeOid::kText, value);
}
BinaryRows& BinaryRows::text_or_null(std::string_view value) {
  return value.empty() ? null(TypeOid::kText) : text(value);
}
BinaryRows& BinaryRows::json(std::string_view value) {
  return string(TypeOid::kJson, value);
}
BinaryRows& BinaryRows::jsonb(std::string_view value) {
  put_type(TypeOid::kJsonb);
  put(static_cast<std::int64_t>(value.size()) + 1, 4);
  bytes_ += kJsonbVersion;
  bytes_ += value;
  return *this;
}
BinaryRows& BinaryRows::instant(std::optional<Instant> value) {
  if (!value) return null(TypeOid::kTimestamptz);
  return number(TypeOid::kTimestamptz, to_server_micros(*value), 8);
}

BinaryRows& BinaryRows::uuid_or_null(const std::optional<Bits128>& value) {
  if (!value) return null(TypeOid::kUuid);
  put_type(TypeOid::kUuid);
  put(16, 4);
  put(static_cast<std::int64_t>(value->high), 8);
  put(static_cast<std::int64_t>(value->low), 8);
  return *this;
}

BinaryRows& BinaryRows::number(TypeOid type, std::int64_t value, std::size_t bytes) {
  put_type(type);
  put(static_cast<std::int64_t>(bytes), 4);
  put(value, bytes);
  return *this;
}
BinaryRows& BinaryRows::string(TypeOid type, std::string_view value) {
  put_type(type);
  put(static_cast<std::int64_t>(value.size()), 4);
  bytes_ += value;
  return *this;
}
BinaryRows& BinaryRows::null(TypeOid type) {
  put_type(type);
  put(-1, 4);
  return *this;
}

void BinaryRows::put_type(TypeOid type) {
  if (as_elements_) put(static_cast<std::int64_t>(type), 4);
}

void BinaryRows::put(std::int64_t value, std::size_t bytes) {
  bytes_.append(highest_first(value, bytes).data(), bytes);
}

void BinaryRows::finish_row() {
  if (!as_elements_ || count_ == 0) return;
  const auto length = static_cast<std::int64_t>(bytes_.size() - row_begin_ - 4);
  bytes_.replace(row_begin_, 4, highest_first(length, 4).data(), 4);
}

CopyRows::CopyRows() : BinaryRows(false) {
  bytes_ = kCopySignature;
  put(0, 4);  // no flags
  put(0, 4);  // no more header
}

void CopyRows::end() {
  put(-1, 2);
  ended_ = true;
}
std::optional<std::string> CopyRows::take() {
  if (taken_) return std::nullopt;
  taken_ = ended_;
  return std::exchange(bytes_, {});
}

std::string Records::take(TypeOid type) {
  finish_row();
  const std::string rows = std::exchange(bytes_, {});
  put_array_header(bytes_, type, std::exchange(count_, 0), false);
  bytes_ += rows;
  return std::exchange(bytes_, {});
}

}  // namespace belfry::store::postgres

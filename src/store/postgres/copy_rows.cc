#include "store/postgres/copy_rows.h"

#include "store/postgres/wire.h"

#include <array>
#include <utility>

namespace belfry::store::postgres {
namespace {

constexpr std::string_view kSignature("PGCOPY\n\377\r\n\0", 11);
constexpr char kJsonbVersion = 1;

}  // namespace

CopyRows::CopyRows() : bytes_(kSignature) {
  put(0, 4);  // no flags
  put(0, 4);  // no more header
}

CopyRows& CopyRows::begin(int columns) {
  put(columns, 2);
  return *this;
}
CopyRows& CopyRows::boolean(bool value) {
  return number(value ? 1 : 0, 1);
}
CopyRows& CopyRows::smallint(std::int64_t value) {
  return number(value, 2);
}
CopyRows& CopyRows::integer(std::int64_t value) {
  return number(value, 4);
}
CopyRows& CopyRows::bigint(std::int64_t value) {
  return number(value, 8);
}
CopyRows& CopyRows::text(std::string_view value) {
  put(static_cast<std::int64_t>(value.size()), 4);
  bytes_ += value;
  return *this;
}
CopyRows& CopyRows::jsonb(std::string_view value) {
  put(static_cast<std::int64_t>(value.size()) + 1, 4);
  bytes_ += kJsonbVersion;
  bytes_ += value;
  return *this;
}
CopyRows& CopyRows::instant(std::optional<Instant> value) {
  return value ? bigint(to_server_micros(*value)) : null();
}
CopyRows& CopyRows::null() {
  put(-1, 4);
  return *this;
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

CopyRows& CopyRows::number(std::int64_t value, std::size_t bytes) {
  put(static_cast<std::int64_t>(bytes), 4);
  put(value, bytes);
  return *this;
}

void CopyRows::put(std::int64_t value, std::size_t bytes) {
  std::array<char, 8> written{};
  auto rest = static_cast<std::uint64_t>(value);
  for (std::size_t i = bytes; i-- > 0; rest >>= 8) written[i] = static_cast<char>(rest & 0xffU);
  bytes_.append(written.data(), bytes);
}

}  // namespace belfry::store::postgres

#include "store/postgres/wire/bind.h"

#include "store/postgres/wire/wire_time.h"

#include <cstddef>
#include <utility>

namespace belfry::store::postgres {
namespace {

// Appends the low `bytes` bytes, highest first.
void put(std::string& out, std::int64_t value, int bytes) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> shift & 0xffU));
  }
}

std::string number(std::int64_t value, int bytes) {
  std::string out;
  put(out, value, bytes);
  return out;
}

std::string number_array(TypeOid element, std::span<const std::int64_t> values, int bytes) {
  std::string out;
  put_array_header(out, element, values.size(), false);
  out.reserve(out.size() + values.size() * static_cast<std::size_t>(4 + bytes));
  for (const std::int64_t value : values) {
    put(out, bytes, 4);
    put(out, value, bytes);
  }
  return out;
}

}  // namespace

void put_array_header(std::string& out, TypeOid element, std::size_t size, bool nulls) {
  put(out, size == 0 ? 0 : 1, 4);
  put(out, nulls ? 1 : 0, 4);
  put(out, static_cast<std::int64_t>(element), 4);
  if (size == 0) return;
  put(out, static_cast<std::int64_t>(size), 4);
  put(out, 1, 4);
}

Params& Params::add(TypeOid type, std::optional<std::string> bytes) {
  params_.push_back({type, std::move(bytes)});
  return *this;
}

Params& Params::boolean(bool value) {
  return add(TypeOid::kBool, number(value ? 1 : 0, 1));
}
Params& Params::smallint(std::int64_t value) {
  return add(TypeOid::kInt2, number(value, 2));
}
Params& Params::maybe_smallint(std::optional<std::int64_t> value) {
  if (!value) return add(TypeOid::kInt2, std::nullopt);
  return smallint(*value);
}
Params& Params::integer(std::int64_t value) {
  return add(TypeOid::kInt4, number(value, 4));
}
Params& Params::bigint(std::int64_t value) {
  return add(TypeOid::kInt8, number(value, 8));
}
Params& Params::maybe_bigint(std::optional<std::int64_t> value) {
  return value ? bigint(*value) : add(TypeOid::kInt8, std::nullopt);
}
Params& Params::text(std::string_view value) {
  return add(TypeOid::kText, std::string(value));
}
Params& Params::maybe_text(const std::optional<std::string>& value) {
  return add(TypeOid::kText, value);
}
Params& Params::bytes(std::span<const std::uint8_t> value) {
  return add(TypeOid::kBytea, std::string(value.begin(), value.end()));
}

Params& Params::instant(std::optional<Instant> value) {
  if (!value) return add(TypeOid::kTimestamptz, std::nullopt);
  return add(TypeOid::kTimestamptz, number(to_server_micros(*value), 8));
}

Params& Params::uuid(const Bits128& value) {
  std::string bytes = number(static_cast<std::int64_t>(value.high), 8);
  put(bytes, static_cast<std::int64_t>(value.low), 8);
  return add(TypeOid::kUuid, std::move(bytes));
}

Params& Params::booleans(const std::vector<bool>& values) {
  std::string out;
  put_array_header(out, TypeOid::kBool, values.size(), false);
  for (const bool value : values) {
    put(out, 1, 4);
    put(out, value ? 1 : 0, 1);
  }
  return add(TypeOid::kBoolArray, std::move(out));
}
Params& Params::smallints(std::span<const std::int64_t> values) {
  return add(TypeOid::kInt2Array, number_array(TypeOid::kInt2, values, 2));
}
Params& Params::integers(std::span<const std::int64_t> values) {
  return add(TypeOid::kInt4Array, number_array(TypeOid::kInt4, values, 4));
}
Params& Params::bigints(std::span<const std::int64_t> values) {
  return add(TypeOid::kInt8Array, number_array(TypeOid::kInt8, values, 8));
}

Params& Params::texts(std::span<const std::string_view> values) {
  std::string out;
  put_array_header(out, TypeOid::kText, values.size(), false);
  for (const std::string_view value : values) {
    put(out, static_cast<std::int64_t>(value.size()), 4);
    out += value;
  }
  return add(TypeOid::kTextArray, std::move(out));
}

Params& Params::instants(std::span<const std::optional<Instant>> values) {
  bool nulls = false;
  for (const auto& value : values) nulls = nulls || !value;
  std::string out;
  put_array_header(out, TypeOid::kTimestamptz, values.size(), nulls);
  for (const auto& value : values) {
    put(out, value ? 8 : -1, 4);
    if (value) put(out, to_server_micros(*value), 8);
  }
  return add(TypeOid::kTimestamptzArray, std::move(out));
}

Params& Params::records(std::string array) {
  return add(TypeOid::kAsTheStatementSays, std::move(array));
}

Params::Wire Params::wire() const {
  Wire wire;
  for (const Param& param : params_) {
    wire.types.push_back(static_cast<std::uint32_t>(param.type));
    wire.values.push_back(param.bytes ? param.bytes->data() : nullptr);
    wire.lengths.push_back(param.bytes ? static_cast<int>(param.bytes->size()) : 0);
    wire.formats.push_back(1);
  }
  return wire;
}

}  // namespace belfry::store::postgres

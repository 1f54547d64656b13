#include "store/postgres/wire/reply.h"

#include "base/assert.h"
#include "store/postgres/wire/wire_time.h"

#include <libpq-fe.h>

#include <cstddef>

namespace belfry::store::postgres {
namespace {

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace

bool Row::next_is_null() const {
  return PQgetisnull(result_, row_, column_) != 0;
}

std::string_view Row::next() {
  BELFRY_ASSERT(column_ < PQnfields(result_));
  const std::string_view bytes(PQgetvalue(result_, row_, column_),
                               static_cast<std::size_t>(PQgetlength(result_, row_, column_)));
  ++column_;
  return bytes;
}

std::int64_t Row::number() {
  const std::string_view bytes = next();
  const std::uint64_t raw = big_endian(bytes);
  switch (bytes.size()) {
    case 0: return 0;
    case 2: return static_cast<std::int16_t>(raw);
    case 4: return static_cast<std::int32_t>(raw);
    default: break;
  }
  BELFRY_ASSERT(bytes.size() == 8);
  return static_cast<std::int64_t>(raw);
}

bool Row::boolean() {
  const std::string_view bytes = next();
  BELFRY_ASSERT(bytes.size() <= 1);
  return !bytes.empty() && bytes.front() != 0;
}

std::string Row::text() {
  return std::string(next());
}

std::optional<std::string> Row::maybe_text() {
  const bool is_null = next_is_null();
  std::string value = text();
  return is_null ? std::nullopt : std::optional(std::move(value));
}

Instant Row::instant() {
  const std::string_view bytes = next();
  BELFRY_ASSERT(bytes.size() == 8);
  return from_server_micros(static_cast<std::int64_t>(big_endian(bytes)));
}

std::optional<Instant> Row::maybe_instant() {
  if (next_is_null()) {
    skip(1);
    return std::nullopt;
  }
  return instant();
}

Bits128 Row::bits128() {
  const std::string_view bytes = next();
  if (bytes.empty()) return {};
  BELFRY_ASSERT(bytes.size() == 16);
  return {big_endian(bytes.substr(0, 8)), big_endian(bytes.substr(8))};
}

void Reply::Clear::operator()(pg_result* result) const {
  PQclear(result);
}

int Reply::size() const {
  return PQntuples(result_.get());
}

std::string_view Reply::command() const {
  return result_ ? PQcmdStatus(result_.get()) : "";
}

}  // namespace belfry::store::postgres

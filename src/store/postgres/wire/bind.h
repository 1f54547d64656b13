#pragma once

#include "base/bits128.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::store::postgres {

// The server's numbers for the types we send.
enum class TypeOid : std::uint32_t {
  kAsTheStatementSays = 0,
  kBool = 16,
  kBytea = 17,
  kInt8 = 20,
  kInt2 = 21,
  kInt4 = 23,
  kText = 25,
  kJson = 114,
  kBoolArray = 1000,
  kInt2Array = 1005,
  kInt4Array = 1007,
  kTextArray = 1009,
  kInt8Array = 1016,
  kTimestamptz = 1184,
  kTimestamptzArray = 1185,
  kUuid = 2950,
  kJsonb = 3802,
};

// The header of a one-dimensional array, counted from 1; an empty one has no dimension.
void put_array_header(std::string& out, TypeOid element, std::size_t size, bool nulls);

// The arguments of one statement, in order, in the binary format:
//
//   Params().instant(now).bigint(7).texts(names)
//
// Instant::max() and min() travel as 'infinity' and '-infinity'.
class Params {
 public:
  Params& boolean(bool value);
  Params& smallint(std::int64_t value);
  Params& maybe_smallint(std::optional<std::int64_t> value);
  Params& integer(std::int64_t value);
  Params& bigint(std::int64_t value);
  Params& maybe_bigint(std::optional<std::int64_t> value);
  Params& text(std::string_view value);
  Params& maybe_text(const std::optional<std::string>& value);
  Params& bytes(std::span<const std::uint8_t> value);
  Params& instant(std::optional<Instant> value);
  Params& uuid(const Bits128& value);

  Params& booleans(const std::vector<bool>& values);
  Params& smallints(std::span<const std::int64_t> values);
  Params& integers(std::span<const std::int64_t> values);
  Params& bigints(std::span<const std::int64_t> values);
  Params& texts(std::span<const std::string_view> values);
  Params& instants(std::span<const std::optional<Instant>> values);
  Params& records(std::string array);  // as Records makes it

  // As libpq wants them; valid while this object lives and is not added to.
  struct Wire {
    std::vector<std::uint32_t> types;
    std::vector<const char*> values;
    std::vector<int> lengths;
    std::vector<int> formats;
  };
  Wire wire() const;

 private:
  Params& add(TypeOid type, std::optional<std::string> bytes);

  struct Param {
    TypeOid type;
    std::optional<std::string> bytes;
  };
  std::vector<Param> params_;
};

}  // namespace belfry::store::postgres

#pragma once

#include "base/bits128.h"
#include "base/time.h"
#include "store/postgres/wire/bind.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::store::postgres {

// Rows for the server in its binary format: for COPY, or as the elements of an array. A column must
// be given with the type that the table, or the composite type, has.
class BinaryRows {
 public:
  BinaryRows& begin(int columns);  // a row
  BinaryRows& boolean(bool value);
  BinaryRows& smallint(std::int64_t value);
  BinaryRows& integer(std::int64_t value);
  BinaryRows& bigint(std::int64_t value);
  BinaryRows& text(std::string_view value);
  BinaryRows& text_or_null(std::string_view value);  // null when empty
  BinaryRows& json(std::string_view value);
  BinaryRows& jsonb(std::string_view value);
  BinaryRows& instant(std::optional<Instant> value);
  BinaryRows& uuid_or_null(const std::optional<Bits128>& value);

 protected:
  explicit BinaryRows(bool as_elements) : as_elements_(as_elements) {}

  void put(std::int64_t value, std::size_t bytes);  // highest first
  void finish_row();

  std::string bytes_;
  std::size_t count_ = 0;  // of rows

 private:
  BinaryRows& number(TypeOid type, std::int64_t value, std::size_t bytes);
  BinaryRows& string(TypeOid type, std::string_view value);
  BinaryRows& null(TypeOid type);
  void put_type(TypeOid type);

  const bool as_elements_;     // each with its length, each column with its type
  std::size_t row_begin_ = 0;  // where the length of the last row is
};

//   CopyRows rows;
//   rows.begin(2).bigint(7).text("seven");
//   rows.end();
//   transaction.copy(kCopyThings, [&] { return rows.take(); });
class CopyRows : public BinaryRows {
 public:
  CopyRows();

  void end();  // after the last row
  // What was written since the last call; none once the end was taken.
  std::optional<std::string> take();

 private:
  bool ended_ = false;
  bool taken_ = false;  // the end
};

// For unnest($1::thing[]): far cheaper for the server than unnest of one array for each column.
//
//   Records rows;
//   rows.begin(2).bigint(7).text("seven");
//   params.records(rows.take(oid_of_thing));
class Records : public BinaryRows {
 public:
  Records() : BinaryRows(true) {}

  // As an array; `type` is the server's number for the composite type.
  std::string take(TypeOid type);
};

}  // namespace belfry::store::postgres

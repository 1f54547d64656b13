#pragma once

#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::store::postgres {

// Rows in the binary format of COPY, which has no types: a column must be given as the table has
// it.
//
//   CopyRows rows;
//   rows.begin(2).bigint(7).text("seven").end();
//   transaction.copy(kCopyThings, [&] { return rows.take(); });
class CopyRows {
 public:
  CopyRows();

  CopyRows& begin(int columns);  // a row
  CopyRows& boolean(bool value);
  CopyRows& smallint(std::int64_t value);
  CopyRows& integer(std::int64_t value);
  CopyRows& bigint(std::int64_t value);
  CopyRows& text(std::string_view value);  // json as well
  CopyRows& jsonb(std::string_view value);
  CopyRows& instant(std::optional<Instant> value);
  CopyRows& null();

  void end();  // after the last row
  // What was written since it was last called; nothing once the end was taken.
  std::optional<std::string> take();

 private:
  void put(std::int64_t value, std::size_t bytes);  // highest first
  CopyRows& number(std::int64_t value, std::size_t bytes);

  std::string bytes_;
  bool ended_ = false;
  bool taken_ = false;  // the end
};

}  // namespace belfry::store::postgres

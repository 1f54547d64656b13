#pragma once

#include "base/bits128.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct pg_result;

namespace belfry::store::postgres {

// Reads the columns of one row from left to right. The reader knows the statement, so a column of
// another kind than asked for is our own mistake.
class Row {
 public:
  Row(const pg_result* result, int row) : result_(result), row_(row) {}

  bool next_is_null() const;
  void skip(int columns) { column_ += columns; }

  std::int64_t number();  // of any width; a null reads as 0
  bool boolean();
  std::string text();  // a null reads as empty
  std::optional<std::string> maybe_text();
  Instant instant();  // never null
  std::optional<Instant> maybe_instant();
  Bits128 bits128();  // a null reads as zero

 private:
  std::string_view next();

  const pg_result* result_;
  int row_;
  int column_ = 0;
};

// What the server answered.
class Reply {
 public:
  Reply() = default;
  explicit Reply(pg_result* result) : result_(result) {}  // owns it from here on

  int size() const;
  bool empty() const { return size() == 0; }
  Row row(int index) const { return {result_.get(), index}; }
  std::string_view command() const;  // "COMMIT", "INSERT 0 1"

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

// One value for each row.
template <typename Read>
auto read_all(const Reply& reply, const Read& read) {
  std::vector<decltype(read(reply.row(0)))> values;
  values.reserve(static_cast<std::size_t>(reply.size()));
  for (int i = 0; i < reply.size(); ++i) values.push_back(read(reply.row(i)));
  return values;
}

}  // namespace belfry::store::postgres

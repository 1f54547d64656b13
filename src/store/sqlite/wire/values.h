#pragma once

#include "base/ids.h"
#include "base/time.h"
#include "core/run.h"
#include "store/access.h"
#include "store/runs.h"

#include <sqlite3.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

// How our types look in SQLite: times are microseconds, enums and ids integers, incarnations blobs
// of 16 bytes, what is absent is null. Everything binds and reads in sequence, so the order of a
// call's arguments is the order of the statement's parameters or columns.
namespace belfry::store::sqlite {

// Binds the parameters of a statement one after the other. Texts are not copied: they have to
// outlive the step.
class Binder {
 public:
  explicit Binder(sqlite3_stmt* statement) : statement_(statement) {}

  // The first failure, or SQLITE_OK.
  int code() const { return code_; }

  template <std::integral T>
  void bind(T value) {
    keep(sqlite3_bind_int64(statement_, ++index_, static_cast<std::int64_t>(value)));
  }
  template <typename T>
    requires std::is_enum_v<T>
  void bind(T value) {
    bind(static_cast<std::int64_t>(value));
  }
  void bind(std::string_view text) {
    // A null pointer would bind null where an empty text is meant.
    const char* data = text.data() == nullptr ? "" : text.data();
    keep(sqlite3_bind_text64(statement_, ++index_, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  }
  void bind(const std::string& text) { bind(std::string_view(text)); }
  void bind(std::nullopt_t) { keep(sqlite3_bind_null(statement_, ++index_)); }
  void bind(Instant instant) { bind(instant.micros()); }
  void bind(Tick tick) { bind(tick.instant()); }
  void bind(Duration duration) { bind(duration.count()); }
  template <typename Tag, typename Rep>
  void bind(const Strong<Tag, Rep>& strong) {
    bind(strong.value());
  }
  void bind(const Bits128& bits);
  // Not copied either.
  void bind(const KeyHash& hash) {
    keep(sqlite3_bind_blob(statement_, ++index_, hash.data(), int{std::tuple_size_v<KeyHash>},
                           SQLITE_STATIC));
  }
  template <typename T>
  void bind(const std::optional<T>& value) {
    value ? bind(*value) : bind(std::nullopt);
  }
  // Three parameters: the key of a run begins with its partition. A grant has four.
  void bind(const core::RunRef& run) {
    bind(partition_of(run.job));
    bind(run.job);
    bind(run.key);
  }
  void bind(const RunGrant& grant) {
    bind(grant.run);
    bind(grant.fence);
  }

 private:
  void keep(int code) {
    if (code_ == SQLITE_OK) code_ = code;
  }

  sqlite3_stmt* statement_;
  int index_ = 0;
  int code_ = SQLITE_OK;
};

// The current row of a statement, read from left to right.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}

  // row.read(job.id, job.name, job.revision);
  template <typename... Fields>
  void read(Fields&... fields) {
    (read_one(fields), ...);
  }

 private:
  template <std::integral T>
  void read_one(T& out) {
    out = static_cast<T>(sqlite3_column_int64(statement_, index_++));
  }
  template <typename T>
    requires std::is_enum_v<T>
  void read_one(T& out) {
    out = static_cast<T>(sqlite3_column_int64(statement_, index_++));
  }
  void read_one(std::string& out);  // null reads as an empty text
  void read_one(Bits128& out);      // null reads as zero
  void read_one(Instant& out) {
    out = Instant::from_micros(sqlite3_column_int64(statement_, index_++));
  }
  void read_one(Tick& out) {
    out = Tick(Instant::from_micros(sqlite3_column_int64(statement_, index_++)));
  }
  void read_one(Duration& out) { out = Duration(sqlite3_column_int64(statement_, index_++)); }
  template <typename Tag, typename Rep>
  void read_one(Strong<Tag, Rep>& out) {
    Rep value{};
    read_one(value);
    out = Strong<Tag, Rep>(value);
  }
  template <typename T>
  void read_one(std::optional<T>& out) {
    if (sqlite3_column_type(statement_, index_) == SQLITE_NULL) {
      out.reset();
      ++index_;
    } else {
      read_one(out.emplace());
    }
  }
  void read_one(core::RunRef& out) { read(out.job, out.key); }
  void read_one(RunGrant& out) { read(out.run, out.fence); }

  sqlite3_stmt* statement_;
  int index_ = 0;
};

}  // namespace belfry::store::sqlite

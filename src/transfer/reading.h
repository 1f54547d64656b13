#pragma once

#include "base/json.h"
#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace belfry::transfer {

// One line: what kind of thing, and the thing.
struct Entry {
  std::size_t line = 0;  // its number, from 1
  std::string kind;
  Json body;

  // Fields that have to be there; the error names the line.
  Result<std::string> text(const char* name) const;
  Result<std::vector<std::string>> texts(const char* name) const;
  Result<Instant> instant(const char* name) const;
  Result<Json> object(const char* name) const;
  // Fields that may be missing, or nonsense: then 0, or false.
  std::int64_t number(const char* name) const;
  bool flag(const char* name) const;
  Error wrong(const std::string& what) const;
};

// Reads an export to its end. kInvalid for what is none, is of a later format, or was cut short.
Status read_export(std::istream& in, const std::function<Status(const Entry&)>& on_entry);

}  // namespace belfry::transfer

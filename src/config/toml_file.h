#pragma once

#include "base/result.h"

#include <string>
#include <vector>

// A configuration file; the only place that knows the TOML library.
namespace belfry::config {

// `key = value` of the file, in its order.
struct TomlEntry {
  std::string key;       // with its tables: "a.b"
  std::string text;      // what is in the quotes; numbers and booleans as they are written
  bool is_list = false;  // an array or a table, not one value
  unsigned line = 0;
};

// kNotFound when the file cannot be read; kInvalid, naming the line, when it is not TOML.
Result<std::vector<TomlEntry>> read_toml(const std::string& path);

}  // namespace belfry::config

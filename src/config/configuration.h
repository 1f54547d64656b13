#pragma once

#include "base/result.h"
#include "config/serve_options.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

// What a node is told, from its four sources: flags > environment > file > defaults.
namespace belfry::config {

struct ConfigurationSources {
  std::map<std::string, std::string> flags;        // by the name of the setting
  std::map<std::string, std::string> environment;  // all of it
  std::string file;                                // --config; empty: BELFRY_CONFIG, or none
};

// A setting's value, and where it comes from.
struct ChosenValue {
  std::string text;
  std::string source;  // "flag", "environment", "file belfry.toml:3", "default"
};

struct Configuration {
  ServeOptions options;
  std::vector<ChosenValue> values;  // as serve_settings() has them
};

// kInvalid names the flag, variable or line that is wrong. Unknown names are refused too, with the
// nearest known one: a misspelt setting must not silently keep its default.
Result<Configuration> configure(const ConfigurationSources& sources);

}  // namespace belfry::config

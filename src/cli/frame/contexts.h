#pragma once

#include "cli/frame/command.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

// Servers that a person works with, by name: `belfry context add prod https://a,https://b`.
namespace belfry::cli {

struct Context {
  std::vector<std::string>
      servers;  // nodes of one cluster: the next one is tried where one is away
  std::string token_file;
  std::string tenant;
  std::string ca_file;
};

struct Contexts {
  std::map<std::string, Context> by_name;
  std::string current;  // empty: none
};

using Environment = std::function<std::string(const char* name)>;

// $XDG_CONFIG_HOME/belfry/contexts.json, or below ~/.config; empty if there is no home.
std::string contexts_file(const Environment& environment);

// A file that is not there has none.
Answer<Contexts> read_contexts(const std::string& file);
Answer<void> write_contexts(const std::string& file, const Contexts& contexts);

// "https://a, https://b" as a list.
std::vector<std::string> split_servers(const std::string& text);

// The context of this name, which somebody has asked for.
Answer<Context> find_context(const Contexts& contexts, const std::string& name);

}  // namespace belfry::cli

#pragma once

#include <cstdint>
#include <functional>
#include <string>

// The folder where a node keeps its files, as the node and the command line find it.
namespace belfry::config {

using Environment = std::function<std::string(const char* name)>;  // empty: not set

// Where it is unless somebody says otherwise.
std::string default_data_folder(const Environment& environment);

// The token that proves who owns a node without keys: the token, then the address it is for.
std::string owner_token_file(const std::string& folder);
// Empty if there is none, if it cannot be read, or if it is for another port than this one.
std::string read_owner_token(const std::string& folder, std::uint16_t port);

}  // namespace belfry::config

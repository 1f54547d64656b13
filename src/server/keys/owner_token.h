#pragma once

#include "base/result.h"

#include <string>

namespace belfry::server {

// Writes the token that proves who owns a node without keys into its folder, for nobody else to
// read, together with the address it is for: the command line sends it there and nowhere else, so
// that who takes the port after us is not handed it. A node draws a new one each time it starts.
Status write_owner_token(const std::string& folder, const std::string& token,
                         const std::string& address);

// Where there are keys, the token of before is of no use any more.
void remove_owner_token(const std::string& folder);

}  // namespace belfry::server

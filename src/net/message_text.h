#pragma once

#include "net/http.h"

#include <string_view>

// What may stand in a message, for both directions. Private to net.
namespace belfry::net {

bool is_token(std::string_view text);

// Names are tokens, values hold no control character: a line break in one would let a user's text
// become a header of its own.
bool are_sendable(const Headers& headers);

}  // namespace belfry::net

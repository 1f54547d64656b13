#pragma once

#include "base/result.h"
#include "store/access.h"

#include <string>

namespace belfry::server {

// Where a node begins beyond loopback there is nobody yet who could make a key. Makes the one in
// the file, of the scope `root`, if there is no key at all. Several nodes may begin at once with
// the same file; once there are keys, the file is not looked at.
Status make_first_key(const std::string& file, store::AccessStore& store);

}  // namespace belfry::server

#pragma once

namespace belfry::server {

// As many open files as a node may need, if the system lets us: each call under way is one, and by
// default a process has a thousand.
void raise_file_limit();

}  // namespace belfry::server

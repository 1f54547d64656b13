#pragma once

#include <string>

namespace belfry::config {

// "belfry 0.1.0 (a1b2c3d)": the release, and the commit it was built from.
std::string version_line();

}  // namespace belfry::config

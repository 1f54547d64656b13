#pragma once

#include "config/data_folder.h"

#include <string>

namespace belfry::cli {

// Opens an address in the person's browser, if there is one to open it in: true. The address may
// sign in, and other users of the machine can see what programs are started with; so the browser is
// started with a file that only its user can read, and that leads there.
bool open_in_browser(const std::string& address, const config::Environment& environment);

}  // namespace belfry::cli

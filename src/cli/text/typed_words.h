#pragma once

#include <string>

namespace belfry::cli {

// A line of the server in the words of the command line: `?state` is --state, and a call that it
// proposes is the command that makes it. Other lines stay as they are.
std::string in_typed_words(std::string line);

// The flag of `add` and `edit` for a field of a job: "cron_expression: …" becomes "--cron: …".
std::string with_flag(std::string line);

}  // namespace belfry::cli

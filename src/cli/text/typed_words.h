#pragma once

#include <string>
#include <string_view>

namespace belfry::cli {

// A line of the server in the words of the command line: `?state` is --state, and a call that it
// proposes is the command that makes it. Other lines stay as they are.
std::string in_typed_words(std::string line);

// The flag of `add` and `edit` for a field of a job: "cron_expression: …" becomes "--cron: …".
std::string with_flag(std::string line);

// The same for verbs whose flags are called like the fields: "until: …" becomes "--until: …".
std::string with_option(std::string line);

// What people type for a value that the API writes in capitals: `timed-out` is TIMED_OUT.
std::string as_api_word(std::string_view typed);

}  // namespace belfry::cli

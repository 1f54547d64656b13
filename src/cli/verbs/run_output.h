#pragma once

#include "cli/frame/session.h"

#include <cstddef>
#include <string>

// What a run wrote.
namespace belfry::cli {

// The output of an attempt, or of the last one if `attempt` is empty. kNotFound if there is none.
Answer<Json> output_of(const std::string& run, const std::string& attempt, client::Client& client);

// The last lines of a text, at most `count` of them.
std::string last_lines(const std::string& text, std::size_t count);

// Below the outcome of a run: the last lines of what it wrote, if it wrote anything.
void print_last_lines(const Json& run, client::Client& client, const Session& session);

}  // namespace belfry::cli

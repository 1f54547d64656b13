#pragma once

#include "cli/frame/session.h"

// Runs as people want to see them.
namespace belfry::cli {

// Whether a run in this state is over.
bool is_over(const std::string& state);

Paint paint_of(const std::string& state);

// A table of runs, as the API lists them.
void print_runs(const Json& runs, const Session& session);

// "✓ succeeded · 12ms · attempt 1 of 3", with the error and what to do below.
void print_outcome(const Json& run, const Session& session);

}  // namespace belfry::cli

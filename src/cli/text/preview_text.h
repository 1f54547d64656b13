#pragma once

#include "cli/frame/session.h"

namespace belfry::cli {

// A schedule as the server previews it: the next fires with a countdown, and what its author may
// not expect.
void print_fires(const Json& preview, const Session& session);
void print_warnings(const Json& preview, const Session& session);

}  // namespace belfry::cli

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "config/exec_settings.h"
#include "worker/exec_handler.h"

namespace belfry::server {

// How this process runs commands, as it was told. kInvalid names the setting that is wrong.
Result<worker::ExecOptions> exec_options(const config::ExecSettings& settings,
                                         Duration grace = std::chrono::seconds(10));

// Keeps commands, also those of our own user, from reading our memory, environment and files: no
// tracing, no /proc, no core dumps.
void hide_from_commands();

}  // namespace belfry::server

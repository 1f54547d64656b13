#pragma once

#include <csignal>

namespace belfry::server {

// SIGTERM and SIGINT, held back from every thread that is started from now on: one thread reads
// them. Call it before any thread starts.
sigset_t hold_termination_signals();

// Until one of them comes.
void wait_for_signal(const sigset_t& signals);

// From now on another one ends the process.
void let_signals_end_us(const sigset_t& signals);

}  // namespace belfry::server

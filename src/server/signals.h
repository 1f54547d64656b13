#pragma once

#include <csignal>

namespace belfry::server {

// Holds SIGTERM and SIGINT back from every thread started from now on: one thread reads them. Call
// it before any thread starts.
sigset_t hold_termination_signals();

// Waits until one of them comes.
void wait_for_signal(const sigset_t& signals);

// From now on, one more of them ends the process.
void let_signals_end_us(const sigset_t& signals);

}  // namespace belfry::server

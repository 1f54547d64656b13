#pragma once

#include <csignal>
#include <functional>

namespace belfry::server {

// Holds SIGTERM and SIGINT back from every thread started from now on: one thread reads them. Call
// it before any thread starts.
sigset_t hold_termination_signals();

// Holds SIGHUP back as well, as a word to us instead of an end.
void hold_hangups(sigset_t& signals);

// Waits until one of them comes that ends us. Meanwhile calls `look` every second, and at once with
// `true` for a SIGHUP that is held.
void wait_for_signal(const sigset_t& signals, const std::function<void(bool hung_up)>& look = {});

// From now on, one more of them ends the process.
void let_signals_end_us(const sigset_t& signals);

}  // namespace belfry::server

#include "server/signals.h"

#include <ctime>

namespace belfry::server {

sigset_t hold_termination_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void hold_hangups(sigset_t& signals) {
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void wait_for_signal(const sigset_t& signals, const std::function<void(bool hung_up)>& look) {
  const timespec second{.tv_sec = 1, .tv_nsec = 0};
  for (;;) {
    const int received = sigtimedwait(&signals, nullptr, &second);
    if (received > 0 && received != SIGHUP) break;
    if (look) look(received == SIGHUP);
  }
  // Supervisors and shells often send a signal both to the process and to its group: that counts
  // as one.
  const timespec moment{.tv_sec = 0, .tv_nsec = 100'000'000};
  while (sigtimedwait(&signals, nullptr, &moment) > 0) {
  }
}

void let_signals_end_us(const sigset_t& signals) {
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace belfry::server

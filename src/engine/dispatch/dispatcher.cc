#include "engine/dispatch/dispatcher.h"

namespace belfry::engine {

Result<Completions::Report> Dispatcher::end_attempts() {
  auto report = completions_.run_once(clock_.boot_now());
  // An ended run may make room for the next of its job or tenant.
  if (!report || report->ended > 0) claims_.wake_at(clock_.boot_now());
  return report;
}

void Dispatcher::close() {
  // Those who wait are told of a failure; there is nobody else to tell.
  (void)completions_.run_once(clock_.boot_now());
  completions_.close();
  claims_.close();
}

}  // namespace belfry::engine

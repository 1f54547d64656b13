// A stranger's program: a handler, tried out without a server, and a worker with a way to one.
#include "base/real_clock.h"
#include "client/client.h"
#include "worker/rest_transport.h"
#include "worker/tryout.h"
#include "worker/worker.h"

#include <cstdio>

using namespace belfry;

int main() {
  const auto handler = [](worker::Context& run) {
    run.progress(1, 1);
    return worker::done({{"said", run.task().payload}});
  };
  worker::TryOut run(Json("hello"));
  if (run.with(handler).result != Json{{"said", "hello"}}) return 1;

  auto transport = worker::RestTransport::make({.server = "http://127.0.0.1:7070"});
  if (!transport) return 1;
  const RealClock clock;
  Logger log(clock, stderr_sink());
  worker::Worker worker(*transport, clock, log, {.name = "user"});
  worker.handle("greeting", handler);
  worker.stop();
  const Status done = worker.run();
  std::puts(done ? "fine" : to_string(done.error()).c_str());
  return done ? 0 : 1;
}

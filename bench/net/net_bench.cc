// What waiting clients cost, and how many requests a server answers. The server is a separate
// process, so that its memory is only its own.
//
//   net_bench serve         prints its port and serves until its input ends
//   net_bench waiting PORT PID   5,000 long polls and 500 streams
//   net_bench call URL      one request, as a command line makes it
#include "net/client/client.h"
#include "net/server/responder.h"
#include "net/server/server.h"
#include "net/url.h"
#include "tests/support/raw_client.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belfry::net {
namespace {

using BenchClock = std::chrono::steady_clock;

constexpr std::size_t kPolls = 5'000;
constexpr std::size_t kStreams = 500;

double resident_megabytes(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  in >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

int serve() {
  std::vector<Stream> streams;  // loop thread only
  HttpServer* self = nullptr;
  const auto handler = [&](const Request& request, const Responder& to) {
    if (request.path == "/poll") {
      to.park(std::chrono::minutes(10), [to](ParkEnd) { to.send({.status = 204}); });
    } else if (request.path == "/stream") {
      streams.push_back(to.stream({.headers = {{"Content-Type", "text/event-stream"}}}));
    } else if (request.path == "/ring") {
      for (const Stream& stream : streams) stream.write("data: ding\n\n");
      to.send({});
    } else {
      to.send({.body = std::to_string(self->stats().parked)});
    }
  };
  auto server = HttpServer::start({}, handler);
  if (!server) return 1;
  self = server->get();
  std::printf("%u\n", static_cast<unsigned>(self->port()));
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  self->stop(std::chrono::seconds(1));
  return 0;
}

std::string get(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: bench\r\n\r\n";
}

int waiting(std::uint16_t port, const std::string& pid) {
  test::RawClient control(port);
  control.send(get("/"));
  control.read_response();
  const double before = resident_megabytes(pid);
  std::vector<test::RawClient> polls;
  std::vector<test::RawClient> streams;
  const auto begin = BenchClock::now();
  for (std::size_t i = 0; i < kPolls; ++i) polls.emplace_back(port).send(get("/poll"));
  for (std::size_t i = 0; i < kStreams; ++i) streams.emplace_back(port).send(get("/stream"));
  std::string parked;
  while (parked != std::to_string(kPolls + kStreams)) {
    control.send(get("/"));
    parked = control.read_response().body;
  }
  const auto ready = BenchClock::now();
  const double after = resident_megabytes(pid);
  for (auto& stream : streams) stream.read_response();
  const auto ring = BenchClock::now();
  control.send(get("/ring"));
  for (auto& stream : streams) stream.read_until("ding\n\n");
  const auto heard = BenchClock::now();
  const auto milliseconds = [](auto duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
  };
  std::printf("%zu long polls and %zu streams wait after %.0f ms\n", kPolls, kStreams,
              milliseconds(ready - begin));
  std::printf("memory: %.1f MB before, %.1f MB with them\n", before, after);
  std::printf("one event reaches all streams in %.1f ms\n", milliseconds(heard - ring));
  return 0;
}

int call(std::string_view address) {
  const auto url = Url::parse(address);
  if (!url) return 2;
  HttpClient client;
  return client.request({.url = *url}, std::chrono::seconds(5)) ? 0 : 6;
}

}  // namespace
}  // namespace belfry::net

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (words.size() == 1 && words[0] == "serve") return belfry::net::serve();
  if (words.size() == 2 && words[0] == "call") return belfry::net::call(words[1]);
  if (words.size() == 3 && words[0] == "waiting") {
    return belfry::net::waiting(static_cast<std::uint16_t>(std::stoi(words[1])), words[2]);
  }
  return 2;
}

#pragma once

#include "base/real_clock.h"
#include "net/server/server.h"
#include "net/server/server_state.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace belfry::net {

class Connection;

// What the connections of a server have in common. Loop thread only; private to net.
struct ServerCore {
  std::shared_ptr<ServerState> state;
  Handler handler;
  std::function<Response(int, std::string_view)> render_error;
  std::function<void()> on_empty;  // the last connection has gone

  RealClock clock;
  std::unordered_set<std::shared_ptr<Connection>> connections;
  std::vector<char> scratch = std::vector<char>(64 * 1024);  // what is read, for a moment
  std::size_t bodies_bytes = 0;                              // of requests being read
  bool stopping = false;
};

}  // namespace belfry::net

#pragma once

#include "base/fair_share.h"
#include "base/real_clock.h"
#include "net/server/server.h"
#include "net/server/server_state.h"

#include <array>
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
  explicit ServerCore(std::shared_ptr<ServerState> the_state) : state(std::move(the_state)) {}

  const std::shared_ptr<ServerState> state;
  Handler handler;
  OnHead on_head;
  std::function<Response(int, std::string_view)> render_error;
  std::function<void()> on_empty;  // the last connection has gone

  RealClock clock;
  std::unordered_set<std::shared_ptr<Connection>> connections;
  std::vector<char> scratch = std::vector<char>(64 * 1024);  // what is read, for a moment
  // Bytes of requests being read or handled, by BodyTerms::Room.
  std::array<FairShare, 3> bodies{FairShare(state->limits.all_bodies_bytes),
                                  FairShare(state->limits.vital_bodies_bytes),
                                  FairShare(state->limits.stranger_bodies_bytes)};
  FairShare places{state->limits.connections};  // of connections, by address
  bool stopping = false;
};

}  // namespace belfry::net

#pragma once

#include "client/client.h"
#include "worker/transport.h"

#include <vector>

namespace belfry::worker {

// A worker's way to a server over REST, one connection for each kind of call.
class RestTransport final : public Transport {
 public:
  static Result<RestTransport> make(const client::ClientOptions& options);

  Result<std::vector<Task>> claim(const ClaimRequest& want) override;
  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const Heartbeat> beats,
                                                 Duration lease) override;
  Result<std::vector<CompletionAnswer>> complete(std::span<const Completion> ends) override;
  void stop_claiming() override { claims_.interrupt(); }

 private:
  RestTransport(client::Client claims, client::Client beats, client::Client ends)
      : claims_(std::move(claims)), beats_(std::move(beats)), ends_(std::move(ends)) {}

  client::Client claims_;
  client::Client beats_;
  client::Client ends_;
};

}  // namespace belfry::worker

#pragma once

#include "api/frame/router.h"
#include "net/server/server.h"
#include "net/server/work_pool.h"
#include "service/services.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace belfry::api {

// Decides by a call's header about its body: who sends it, whether the key allows the call, and how
// much the route takes. Whoever is not let in is answered before the body is read. A key that is
// remembered is known at once; for any other a thread of the pool asks the store.
class BodyDesk {
 public:
  using Decide = std::function<void(net::BodyTerms)>;

  // Told of calls that are refused here; on a thread of the pool.
  using OnRefused = std::function<void(const Route&, const Call&, const Problem&)>;

  // All of them outlive it.
  BodyDesk(const Router& router, const service::Services& services, net::WorkPool& pool,
           OnRefused on_refused)
      : router_(router), services_(services), pool_(pool), on_refused_(std::move(on_refused)) {}

  // On the loop thread; does not wait.
  void look_at(const net::Request& head, const std::string& request_id, const Decide& decide);

 private:
  net::BodyTerms ask(const Route& route, const net::Request& head,
                     const std::string& request_id) const;

  const Router& router_;
  const service::Services& services_;
  net::WorkPool& pool_;
  const OnRefused on_refused_;
};

}  // namespace belfry::api

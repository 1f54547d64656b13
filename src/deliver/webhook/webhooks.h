#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "deliver/carrier.h"
#include "deliver/webhook/address_guard.h"
#include "deliver/webhook/circuit_breaker.h"
#include "deliver/webhook/http_caller.h"
#include "deliver/webhook/resolver.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belfry::deliver {

// The target with its secrets in place. It may wait for somebody if the target names secrets.
using OpenTarget = std::function<Result<Json>(TenantId tenant, Json target)>;

struct WebhooksConfig {
  CircuitBreakerConfig breaker;
  HttpLimits http;
  // Of a tenant's, for a free place at their host; more if they are known to go through soon.
  std::size_t most_waiting_per_host = 32;
  Duration longest_wait = std::chrono::milliseconds(500);  // for that place
  Resolver::Lookup lookup = Resolver::system_lookup();
  OpenTarget open = {};  // null: targets hold no secrets but what stands there
};

// Takes runs to URLs. Each goes through the breaker (may the host be called now?), the resolver,
// the guard (may its addresses be dialled?) and the caller. A run that cannot go now is put off
// rather than kept: a slow host delays its own runs only.
class Webhooks final : public Carrier {
 public:
  Webhooks(WebhooksConfig config, AddressGuard guard, const Clock& clock,
           std::function<Instant()> now);

  bool ready() const override { return true; }
  void start(Delivery delivery, Done done) override;
  void drop(const RunGrant& grant) override;

  // Whether a call to this URL could be begun: its host has addresses, and they may be dialled. The
  // answer may come later, on a thread of its own; none if this object ends before.
  void check(const net::Url& url, TenantId tenant, std::function<void(Status)> on_answer);

  // Hosts that have stopped answering, and are left alone for a while.
  std::vector<CircuitBreaker::Silent> silent() const;

 private:
  // One on its way; dropped ones are forgotten, so that late answers find nothing.
  struct Trip {
    Delivery delivery;
    Done done;
    net::Url url;
    BootInstant waits_since = BootInstant::min();
    BootInstant called_at = BootInstant::min();
    bool through_gate = false;
    std::optional<HttpCaller::CallId> call;
  };
  // A tenant's runs that wait for a host, beyond those under way.
  struct Crowd {
    std::deque<RunGrant> waiting;
    Duration pace{};  // how long a call takes there on average; zero: none has ended yet
    BootInstant seen = BootInstant::min();
    std::int64_t put_off = 0;  // runs put off since then:
    BootInstant since = BootInstant::min();
  };

  void look_up(const RunGrant& grant);
  void call_opened(const RunGrant& grant, const Resolver::Answer& addresses);
  std::optional<Outcome> open(const RunGrant& grant);
  void call(const RunGrant& grant, const Resolver::Answer& addresses);
  void finish(const RunGrant& grant, Outcome outcome, CircuitBreaker::Seen seen);
  void let_next_in(const std::string& place);
  struct Next {
    RunGrant grant;
    std::optional<Outcome> outcome;  // it may not go after all
  };
  std::optional<Next> take_next(const std::string& place) BELFRY_REQUIRES(mutex_);
  void put_off_those_who_waited();

  static std::string place_of(const net::Url& url) { return url.authority(); }
  Crowd& crowd_of(const Trip& trip) BELFRY_REQUIRES(mutex_) {
    return crowds_[{place_of(trip.url), trip.delivery.tenant}];
  }
  Duration crowd_wait(Crowd& crowd, BootInstant now) const BELFRY_REQUIRES(mutex_);
  bool moves_on(const Crowd& crowd) const BELFRY_REQUIRES(mutex_);
  void note_pace(const Trip& trip, BootInstant now) BELFRY_REQUIRES(mutex_);
  // Whether a run may go; an outcome if it may not even wait.
  struct Admission {
    bool go = false;
    std::optional<Outcome> outcome;
  };
  Admission admit(const RunGrant& grant, Trip& trip, BootInstant now) BELFRY_REQUIRES(mutex_);

  const WebhooksConfig config_;
  const AddressGuard guard_;
  const Clock& clock_;
  const std::function<Instant()> now_;

  mutable Mutex mutex_;
  CircuitBreaker breaker_ BELFRY_GUARDED_BY(mutex_);
  std::map<RunGrant, Trip> trips_ BELFRY_GUARDED_BY(mutex_);
  // Each tenant waits for itself: one with many slow calls delays its own only.
  std::map<std::pair<std::string, TenantId>, Crowd> crowds_ BELFRY_GUARDED_BY(mutex_);
  BootInstant next_look_ BELFRY_GUARDED_BY(mutex_) = BootInstant::min();
  // Last, so that their threads end first. The caller's may ask the resolver for those who wait at
  // the breaker: whoever ends this has dropped them all before.
  HttpCaller caller_;
  Resolver resolver_;
};

}  // namespace belfry::deliver

#include "deliver/webhook/webhooks.h"

#include "core/target_secrets.h"
#include "deliver/webhook/webhook_request.h"

#include <algorithm>

namespace belfry::deliver {
namespace {

constexpr Duration kCrowdMemory = std::chrono::seconds(30);
constexpr Duration kBetweenLooks = std::chrono::milliseconds(100);
constexpr Duration kFirstPutOff = std::chrono::seconds(1);
constexpr Duration kBetweenPutOff = std::chrono::milliseconds(10);
constexpr Duration kShortestBetween = std::chrono::microseconds(100);
constexpr Duration kLongestSpread = std::chrono::seconds(30);

// The report should arrive before the store ends the attempt by itself, without saying why.
Duration time_for(const Delivery& delivery, BootInstant now) {
  const Duration left = delivery.give_up_at - now;
  return left - std::min<Duration>(left / 10, std::chrono::milliseconds(500));
}

}  // namespace

Webhooks::Webhooks(WebhooksConfig config, AddressGuard guard, const Clock& clock,
                   std::function<Instant()> now)
    : config_(std::move(config)),
      guard_(std::move(guard)),
      clock_(clock),
      now_(std::move(now)),
      breaker_(config_.breaker),
      caller_(config_.http),
      resolver_(8, config_.lookup) {
  caller_.on_tick([this] { put_off_those_who_waited(); });
}

void Webhooks::check(const net::Url& url, TenantId tenant, std::function<void(Status)> on_answer) {
  if (Status fine = AddressGuard::check(url); !fine) return on_answer(std::move(fine));
  resolver_.resolve(
      url.host, tenant, [this, port = url.port, on_answer](const Resolver::Answer& addresses) {
        on_answer(addresses ? guard_.check(*addresses, port) : fail(addresses.error()));
      });
}

void Webhooks::start(Delivery delivery, Done done) {
  const auto url = webhook_url(delivery);
  if (!url) return done(failed_for_good("url", url.error().message));
  if (const Status fine = AddressGuard::check(*url); !fine) {
    return done(failed_for_good("address", fine.error().message));
  }
  const RunGrant grant = delivery.grant;
  Admission admission;
  {
    const MutexLock lock(mutex_);
    const auto [place, fresh] =
        trips_.try_emplace(grant, Trip{std::move(delivery), std::move(done), *url});
    if (!fresh) return;
    admission = admit(grant, place->second, clock_.boot_now());
  }
  if (admission.outcome)
    return finish(grant, *std::move(admission.outcome), CircuitBreaker::Seen::kNothing);
  if (admission.go) look_up(grant);
}

Webhooks::Admission Webhooks::admit(const RunGrant& grant, Trip& trip, BootInstant now) {
  const std::string place = place_of(trip.url);
  const auto answer = breaker_.ask(place, trip.delivery.tenant.value(), now);
  switch (answer.say) {
    case CircuitBreaker::Say::kGo: trip.through_gate = true; return {.go = true};
    case CircuitBreaker::Say::kOpen:
      // Silence no longer than an attempt may take is perhaps a brief weakness, and costs
      // no attempt.
      if (answer.silent_for > trip.delivery.timeout) {
        return {.outcome = failed("circuit_open", "`" + place + "` did not answer for too long")};
      }
      return {.outcome = put_off(answer.wait + crowd_wait(crowd_of(trip), now))};
    case CircuitBreaker::Say::kFull: break;
  }
  Crowd& crowd = crowd_of(trip);
  if (crowd.waiting.size() >= config_.most_waiting_per_host && !moves_on(crowd)) {
    return {.outcome = put_off(kFirstPutOff + crowd_wait(crowd, now))};
  }
  if (trip.waits_since == BootInstant::min()) trip.waits_since = now;
  crowd.waiting.push_back(grant);
  return {};
}

// Each run waits a little longer than the one before, about as fast as the host takes them.
Duration Webhooks::crowd_wait(Crowd& crowd, BootInstant now) const {
  if (crowd.since + kCrowdMemory < now) {
    crowd.since = now;
    crowd.put_off = 0;
  }
  const auto places = static_cast<std::int64_t>(config_.breaker.most_per_host);
  const bool known = crowd.pace > Duration::zero();
  const Duration between = known ? std::max(crowd.pace / places, kShortestBetween) : kBetweenPutOff;
  return std::min(between * crowd.put_off++, kLongestSpread);
}

// Whether the last in line will have its turn soon.
bool Webhooks::moves_on(const Crowd& crowd) const {
  const auto rounds =
      static_cast<std::int64_t>(crowd.waiting.size() / config_.breaker.most_per_host);
  return crowd.pace > Duration::zero() && crowd.pace * (rounds + 1) < config_.longest_wait;
}

void Webhooks::note_pace(const Trip& trip, BootInstant now) {
  if (!trip.call) return;
  Crowd& crowd = crowd_of(trip);
  const Duration took = std::max(now - trip.called_at, Duration(1));
  crowd.pace = crowd.pace == Duration::zero() ? took : (crowd.pace * 7 + took) / 8;
  crowd.seen = now;
}

void Webhooks::look_up(const RunGrant& grant) {
  std::string host;
  TenantId tenant;
  Resolver::Where where{};
  {
    const MutexLock lock(mutex_);
    const auto found = trips_.find(grant);
    if (found == trips_.end()) return;
    const Trip& trip = found->second;
    host = trip.url.host;
    tenant = trip.delivery.tenant;
    // Whoever starts a delivery must not wait for secrets.
    if (!core::secret_refs_in(trip.delivery.target).empty()) where = Resolver::Where::kAside;
  }
  resolver_.resolve(
      host, tenant, [this, grant](const Resolver::Answer& answer) { call_opened(grant, answer); },
      where);
}

void Webhooks::call_opened(const RunGrant& grant, const Resolver::Answer& addresses) {
  auto refused = open(grant);
  if (refused) return finish(grant, *std::move(refused), CircuitBreaker::Seen::kNothing);
  call(grant, addresses);
}

// Without the lock, because it may take a moment.
std::optional<Outcome> Webhooks::open(const RunGrant& grant) {
  if (!config_.open) return {};
  Json target;
  TenantId tenant;
  {
    const MutexLock lock(mutex_);
    const auto found = trips_.find(grant);
    if (found == trips_.end()) return {};
    target = found->second.delivery.target;
    tenant = found->second.delivery.tenant;
  }
  auto opened = config_.open(tenant, std::move(target));
  if (!opened) return failed("secret", opened.error().message);
  const MutexLock lock(mutex_);
  const auto found = trips_.find(grant);
  if (found == trips_.end()) return {};
  Trip& trip = found->second;
  trip.delivery.target = *std::move(opened);
  auto url = webhook_url(trip.delivery);  // its query may have held secrets
  if (!url) return failed_for_good("url", url.error().message);
  trip.url = *std::move(url);
  return {};
}

void Webhooks::call(const RunGrant& grant, const Resolver::Answer& addresses) {
  std::optional<Outcome> outcome;
  CircuitBreaker::Seen seen = CircuitBreaker::Seen::kNothing;
  {
    const MutexLock lock(mutex_);
    const auto found = trips_.find(grant);
    if (found == trips_.end()) return;
    Trip& trip = found->second;
    const std::uint16_t port = trip.url.port;
    auto request = webhook_call(trip.delivery, trip.url, now_());
    if (!addresses) {
      outcome = failed("dns", addresses.error().message);
      seen = CircuitBreaker::Seen::kFailed;
    } else if (const Status fine = guard_.check(*addresses, port); !fine) {
      outcome = failed_for_good("address", fine.error().message);
    } else if (!request) {
      outcome = failed_for_good("request", request.error().message);
    } else {
      request->addresses = *addresses;
      request->may_dial = [this, port](const IpAddress& address) {
        return guard_.check(address, port).has_value();
      };
      request->timeout = time_for(trip.delivery, clock_.boot_now());
      trip.called_at = clock_.boot_now();
      trip.call = caller_.start(*std::move(request), [this, grant](const HttpAnswer& answer) {
        finish(grant, webhook_outcome(answer),
               answered(answer) ? CircuitBreaker::Seen::kReached : CircuitBreaker::Seen::kFailed);
      });
    }
  }
  if (outcome) finish(grant, *std::move(outcome), seen);
}

void Webhooks::finish(const RunGrant& grant, Outcome outcome, CircuitBreaker::Seen seen) {
  Done done;
  std::string place;
  bool leaves_room = false;
  {
    const MutexLock lock(mutex_);
    const auto found = trips_.find(grant);
    if (found == trips_.end()) return;
    Trip& trip = found->second;
    place = place_of(trip.url);
    leaves_room = trip.through_gate;
    if (leaves_room) {
      breaker_.end(place, trip.delivery.tenant.value(), seen, clock_.boot_now());
      note_pace(trip, clock_.boot_now());
    }
    done = std::move(trip.done);
    trips_.erase(found);
  }
  done(std::move(outcome));
  if (leaves_room) let_next_in(place);
}

std::vector<CircuitBreaker::Silent> Webhooks::silent() const {
  const MutexLock lock(mutex_);
  return breaker_.silent(clock_.boot_now());
}

void Webhooks::drop(const RunGrant& grant) {
  std::string place;
  bool leaves_room = false;
  {
    const MutexLock lock(mutex_);
    const auto found = trips_.find(grant);
    if (found == trips_.end()) return;
    const Trip& trip = found->second;
    place = place_of(trip.url);
    leaves_room = trip.through_gate;
    if (trip.call) caller_.drop(*trip.call);
    if (leaves_room) {
      breaker_.end(place, trip.delivery.tenant.value(), CircuitBreaker::Seen::kNothing,
                   clock_.boot_now());
    }
    trips_.erase(found);
  }
  if (leaves_room) let_next_in(place);
}

void Webhooks::let_next_in(const std::string& place) {
  for (;;) {
    std::optional<Next> next;
    {
      const MutexLock lock(mutex_);
      next = take_next(place);
    }
    if (!next) return;
    if (!next->outcome) return look_up(next->grant);
    finish(next->grant, *std::move(next->outcome), CircuitBreaker::Seen::kNothing);
  }
}

// Of the tenants that may call the host once more, the one whose first run has waited longest.
std::optional<Webhooks::Next> Webhooks::take_next(const std::string& place) {
  std::vector<std::pair<BootInstant, Crowd*>> crowds;
  for (auto each = crowds_.lower_bound({place, TenantId(0)});
       each != crowds_.end() && each->first.first == place; ++each) {
    auto& waiting = each->second.waiting;
    while (!waiting.empty()) {
      const auto trip = trips_.find(waiting.front());
      if (trip != trips_.end() && !trip->second.through_gate) {
        crowds.emplace_back(trip->second.waits_since, &each->second);
        break;
      }
      waiting.pop_front();
    }
  }
  std::ranges::sort(crowds);
  for (const auto& [since, crowd] : crowds) {
    const RunGrant grant = crowd->waiting.front();
    Trip& trip = trips_.find(grant)->second;
    crowd->waiting.pop_front();
    Admission admission = admit(grant, trip, clock_.boot_now());
    if (admission.go || admission.outcome) {
      return Next{grant, std::move(admission.outcome)};
    }
    crowd->waiting.pop_back();  // no place after all, and now it is last in line
    crowd->waiting.push_front(grant);
  }
  return {};
}

void Webhooks::put_off_those_who_waited() {
  std::vector<std::pair<RunGrant, Duration>> tired;
  {
    const MutexLock lock(mutex_);
    const BootInstant now = clock_.boot_now();
    if (now < next_look_) return;
    next_look_ = now + kBetweenLooks;
    for (auto crowd = crowds_.begin(); crowd != crowds_.end();) {
      auto& waiting = crowd->second.waiting;
      while (!waiting.empty()) {
        const auto trip = trips_.find(waiting.front());
        const bool there = trip != trips_.end() && !trip->second.through_gate;
        if (there && trip->second.waits_since + config_.longest_wait > now) break;
        if (there) {
          tired.emplace_back(waiting.front(), kFirstPutOff + crowd_wait(crowd->second, now));
        }
        waiting.pop_front();
      }
      const BootInstant used = std::max(crowd->second.since, crowd->second.seen);
      const bool over = waiting.empty() && used + kCrowdMemory < now;
      crowd = over ? crowds_.erase(crowd) : std::next(crowd);
    }
  }
  for (const auto& [grant, wait] : tired)
    finish(grant, put_off(wait), CircuitBreaker::Seen::kNothing);
}

}  // namespace belfry::deliver

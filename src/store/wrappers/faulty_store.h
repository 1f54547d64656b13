#pragma once

#include "store/wrappers/intercepted_store.h"

#include <functional>
#include <string_view>

namespace belfry::store {

// What can go wrong with a call.
enum class Fault : std::uint8_t {
  kNone,
  kUnavailable,  // refused before anything happened
  kLostRequest,  // nothing happened, and the caller cannot know
  kLostReply,    // it happened, and the caller cannot know
};

using FaultPlan = std::function<Fault(std::string_view transaction)>;

// Asks the plan before each call what shall go wrong with it.
class FaultyCalls {
 public:
  explicit FaultyCalls(FaultPlan plan) : plan_(std::move(plan)) {}

  template <typename Call>
  auto operator()(const Transaction& transaction, Call call) -> decltype(call()) {
    const Fault fault = plan_(transaction.name);
    if (fault == Fault::kNone) return call();
    // A call that changes nothing can be unavailable, but leaves nothing unknown.
    if (fault == Fault::kUnavailable || transaction.kind != Transaction::Kind::kWrite) {
      return fail(Errc::kUnavailable, "injected: the store is away");
    }
    if (fault == Fault::kLostRequest) {
      return fail(Errc::kUnknownOutcome, "injected: the request is lost");
    }
    const auto done = call();
    if (!done) return fail(done.error());
    return fail(Errc::kUnknownOutcome, "injected: the reply is lost");
  }

 private:
  FaultPlan plan_;
};

// A store with a bad connection. For simulations and tests; the store behind it is a real one.
class FaultyStore : public InterceptedStore<FaultyCalls> {
 public:
  FaultyStore(Store& inner, FaultPlan plan)
      : InterceptedStore(inner, FaultyCalls(std::move(plan))) {}
};

}  // namespace belfry::store

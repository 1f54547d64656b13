#pragma once

#include "base/clock.h"
#include "base/digest.h"
#include "base/mutex.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace belfry::service {

// Links that sign a browser in without anybody typing a key: whoever may call draws one, and the
// page that is opened with it shows the same credentials from then on. A link is good once, for a
// few minutes, and only at the node that drew it: it lives in the memory of this process, so that
// nothing of it is left after a crash, and only as a hash. Thread-safe.
class SignInLinks {
 public:
  static constexpr Duration kGoodFor = std::chrono::minutes(5);
  static constexpr std::size_t kMost = 1'000;  // beyond that the oldest is void

  // `owner_token` is what a caller without a key shows for itself elsewhere; empty: there is none,
  // and such callers get no link.
  SignInLinks(const Clock& clock, std::string owner_token)
      : clock_(clock), owner_token_(std::move(owner_token)) {}

  // The code of a new link that passes on this `Authorization`; without one, the owner's token.
  std::optional<std::string> draw(const std::optional<std::string>& authorization);

  // What the link passes on. None: there is no such link, it was used, or it is too old.
  std::optional<std::string> redeem(std::string_view code);

 private:
  struct Link {
    std::string authorization;
    BootInstant until;  // a clock that nobody sets, so that nobody makes a link last
  };

  void drop_old(BootInstant now) BELFRY_REQUIRES(mutex_);

  const Clock& clock_;
  const std::string owner_token_;
  Mutex mutex_;
  std::map<Sha256, Link> links_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service

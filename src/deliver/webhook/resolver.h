#pragma once

#include "base/condition.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "base/result.h"
#include "deliver/webhook/ip_address.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace belfry::deliver {

// The addresses of names, by the system's resolver, which blocks. A few threads do the waiting, at
// most half of them for one tenant: perhaps nobody answers for its names. Questions of one tenant
// for the same name at the same time are one question; nothing is kept beyond that, because the
// addresses are checked at each call.
class Resolver {
 public:
  using Answer = Result<std::vector<IpAddress>>;
  using OnAnswer = std::function<void(const Answer&)>;
  using Lookup = std::function<Answer(const std::string& host)>;

  explicit Resolver(std::size_t threads = 8, Lookup lookup = system_lookup());
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  enum class Where : std::uint8_t {
    kAtOnce,  // on the caller's thread if the host is already an address
    kAside,   // always on one of its own, for an asker that wants to take its time
  };
  void resolve(const std::string& host, TenantId tenant, OnAnswer on_answer,
               Where where = Where::kAtOnce);

  static Lookup system_lookup();

 private:
  struct Question {
    TenantId tenant;
    std::string host;
    friend auto operator<=>(const Question&, const Question&) = default;
  };
  void work();
  // The first question whose tenant may have one more thread.
  std::optional<Question> next() BELFRY_REQUIRES(mutex_);

  const std::size_t most_per_tenant_;
  const Lookup lookup_;
  Mutex mutex_;
  Condition bell_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::deque<Question> asked_ BELFRY_GUARDED_BY(mutex_);
  std::map<TenantId, std::size_t> busy_ BELFRY_GUARDED_BY(mutex_);  // threads, by whom they serve
  std::map<Question, std::vector<OnAnswer>> waiting_ BELFRY_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace belfry::deliver

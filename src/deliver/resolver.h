#pragma once

#include "base/condition.h"
#include "base/mutex.h"
#include "base/result.h"
#include "deliver/ip_address.h"

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace belfry::deliver {

// The addresses of names, by the system's resolver, which blocks: a few threads do the waiting. Who
// asks for the same name at the same time shares one question; nothing is kept beyond that, for the
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

  // Answers from one of its threads; at once, on the caller's, if the host is an address already.
  void resolve(const std::string& host, OnAnswer on_answer);

  static Lookup system_lookup();

 private:
  void work();

  const Lookup lookup_;
  Mutex mutex_;
  Condition bell_;
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::deque<std::string> asked_ BELFRY_GUARDED_BY(mutex_);
  std::map<std::string, std::vector<OnAnswer>> waiting_ BELFRY_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace belfry::deliver

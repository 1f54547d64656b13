#include "deliver/webhook/resolver.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>

namespace belfry::deliver {
namespace {

constexpr std::size_t kMostAnswers = 64;
constexpr Duration kLongestRest = std::chrono::minutes(1);  // the bell is rung for each question

Resolver::Answer ask_system(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int problem = getaddrinfo(host.c_str(), nullptr, &wanted, &list);
  if (problem != 0) {
    return fail(Errc::kUnavailable, "`" + host + "`: " + gai_strerror(problem));
  }
  std::vector<IpAddress> addresses;
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
    const auto address = IpAddress::of(*each->ai_addr);
    if (address && addresses.size() < kMostAnswers) addresses.push_back(*address);
  }
  freeaddrinfo(list);
  if (addresses.empty()) return fail(Errc::kUnavailable, "`" + host + "` has no address");
  return addresses;
}

}  // namespace

Resolver::Lookup Resolver::system_lookup() {
  return ask_system;
}

Resolver::Resolver(std::size_t threads, Lookup lookup)
    : most_per_tenant_(std::max<std::size_t>(threads / 2, 1)), lookup_(std::move(lookup)) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Resolver::~Resolver() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  bell_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Resolver::resolve(const std::string& host, TenantId tenant, OnAnswer on_answer, Where where) {
  if (const auto address = IpAddress::parse(host); address && where == Where::kAtOnce) {
    return on_answer(std::vector<IpAddress>{*address});
  }
  {
    const MutexLock lock(mutex_);
    const Question question{tenant, host};
    auto& waiting = waiting_[question];
    waiting.push_back(std::move(on_answer));
    if (waiting.size() > 1) return;
    asked_.push_back(question);
  }
  bell_.notify_one();
}

std::optional<Resolver::Question> Resolver::next() {
  const auto may_go = [this](const Question& question) BELFRY_REQUIRES(mutex_) {
    const auto busy = busy_.find(question.tenant);
    return busy == busy_.end() || busy->second < most_per_tenant_;
  };
  const auto found = std::find_if(asked_.begin(), asked_.end(), may_go);
  if (found == asked_.end()) return std::nullopt;
  Question question = std::move(*found);
  asked_.erase(found);
  ++busy_[question.tenant];
  return question;
}

void Resolver::work() {
  for (;;) {
    std::optional<Question> question;
    {
      const MutexLock lock(mutex_);
      while (!stopping_ && !(question = next())) bell_.wait_for(mutex_, kLongestRest);
      if (stopping_) return;
    }
    const auto address = IpAddress::parse(question->host);
    const Answer answer =
        address ? Answer(std::vector<IpAddress>{*address}) : lookup_(question->host);
    std::vector<OnAnswer> askers;
    {
      const MutexLock lock(mutex_);
      if (stopping_) return;
      askers = std::move(waiting_[*question]);
      waiting_.erase(*question);
      if (--busy_[question->tenant] == 0) busy_.erase(question->tenant);
    }
    for (const OnAnswer& on_answer : askers) on_answer(answer);
  }
}

}  // namespace belfry::deliver

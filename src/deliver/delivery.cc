#include "deliver/delivery.h"

#include "net/digest.h"

#include <fmt/format.h>

namespace belfry::deliver {

Outcome succeeded(std::string result) {
  return {.ending = Ending::kSucceeded, .result = std::move(result)};
}

Outcome failed(std::string_view name, std::string_view what) {
  return {.ending = Ending::kFailed, .error = fmt::format("{}: {}", name, what)};
}

Outcome failed_for_good(std::string_view name, std::string_view what) {
  Outcome outcome = failed(name, what);
  outcome.retryable = false;
  return outcome;
}

Outcome put_off(Duration wait) {
  return {.ending = Ending::kPutOff, .wait = wait};
}

std::string traceparent_of(const Delivery& delivery) {
  const net::Sha256 digest = net::sha256(delivery.run_id);
  std::string trace;
  for (std::size_t i = 0; i < 16; ++i) trace += fmt::format("{:02x}", digest[i]);
  return fmt::format("00-{}-{:016x}-01", trace, delivery.grant.fence.value());
}

}  // namespace belfry::deliver

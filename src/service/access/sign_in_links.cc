#include "service/access/sign_in_links.h"

#include <algorithm>
#include <utility>

namespace belfry::service {
namespace {

constexpr std::size_t kCodeBytes = 32;

}  // namespace

std::optional<std::string> SignInLinks::draw(const std::optional<std::string>& authorization) {
  if (!authorization && owner_token_.empty()) return {};
  std::string code = random_token(kCodeBytes);
  const BootInstant now = clock_.boot_now();
  const MutexLock lock(mutex_);
  drop_old(now);
  links_[sha256(code)] = {.authorization = authorization.value_or("Bearer " + owner_token_),
                          .until = now + kGoodFor};
  return code;
}

std::optional<std::string> SignInLinks::redeem(std::string_view code) {
  const MutexLock lock(mutex_);
  const auto found = links_.find(sha256(code));
  if (found == links_.end()) return {};
  const Link link = std::move(found->second);
  links_.erase(found);  // whatever comes of it: nobody tries a link twice
  if (clock_.boot_now() >= link.until) return {};
  return link.authorization;
}

void SignInLinks::drop_old(BootInstant now) {
  std::erase_if(links_, [now](const auto& each) { return now >= each.second.until; });
  while (links_.size() >= kMost) {
    links_.erase(std::min_element(links_.begin(), links_.end(), [](const auto& a, const auto& b) {
      return a.second.until < b.second.until;
    }));
  }
}

}  // namespace belfry::service

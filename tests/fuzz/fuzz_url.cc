#include "deliver/webhook/address_guard.h"
#include "net/url.h"
#include "tests/fuzz/fuzz.h"

#include <arpa/inet.h>

#include <algorithm>

namespace belfry::fuzz {
namespace {

// What we take for an address is one for the system too, and the same.
void check_address(const std::string& text) {
  const auto address = deliver::IpAddress::parse(text);
  if (!address) return;
  std::array<std::uint8_t, 16> bytes{};
  const bool is_v4 = text.find(':') == std::string::npos;
  BELFRY_ASSERT(inet_pton(is_v4 ? AF_INET : AF_INET6, text.c_str(), bytes.data()) == 1);
  const auto& ours = address->bytes();
  BELFRY_ASSERT(std::equal(ours.begin() + (is_v4 ? 12 : 0), ours.end(), bytes.begin()));
  BELFRY_ASSERT(deliver::IpAddress::parse(address->text()) == address);
}

void check_url(std::string_view text) {
  const auto url = net::Url::parse(text);
  if (!url) {
    BELFRY_ASSERT(url.error().code == Errc::kInvalid && !url.error().message.empty());
    return;
  }
  const std::string written = to_string(*url);
  const auto again = net::Url::parse(written);
  BELFRY_ASSERT(again.has_value() && *again == *url);
  BELFRY_ASSERT(std::none_of(written.begin(), written.end(),
                             [](unsigned char c) { return c <= ' ' || c == 0x7f; }));
  if (!deliver::AddressGuard::check(*url)) return;
  // A host that passed has nothing in it that another parser might split at.
  BELFRY_ASSERT(url->host.find_first_of("@/\\?#%[]") == std::string::npos);
  check_address(url->host);
}

}  // namespace
}  // namespace belfry::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace belfry::fuzz;
  const std::string text(as_text(data, size));
  check_url(text);
  if (text.find('\0') == std::string::npos) check_address(text);
  const auto network = belfry::deliver::Network::parse(text);
  BELFRY_ASSERT(!network || network->contains(network->base));
  return 0;
}

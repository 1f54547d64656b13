#include "deliver/topic/broker.h"

#include "net/url.h"

#include <algorithm>
#include <array>

namespace belfry::deliver {
namespace {

constexpr std::array<std::string_view, 4> kSchemes{"redis", "amqp", "nats", "kafka"};

Error bad_broker(std::string message) {
  return {.code = Errc::kInvalid,
          .message = std::move(message),
          .field = "--broker",
          .hint = "write NAME=redis://host:6379, amqp://..., nats://... or kafka://..."};
}

// Takes off what comes before the separator; everything if there is none.
std::string_view take_before(std::string_view& text, char separator) {
  const auto at = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

std::string decoded(std::string_view text) {
  return net::decode_percent(text).value_or(std::string(text));
}

void read_authority(std::string_view authority, BrokerAddress& address) {
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    std::string_view login = authority.substr(0, at);
    address.user = decoded(take_before(login, ':'));
    address.password = decoded(login);
    authority.remove_prefix(at + 1);
  }
  // Several hosts, as Kafka allows, keep their ports.
  const bool several = authority.find(',') != std::string_view::npos;
  const auto colon = several ? std::string_view::npos : authority.rfind(':');
  const bool has_port = colon != std::string_view::npos && authority.back() != ']';
  address.host = authority.substr(0, has_port ? colon : authority.size());
  if (has_port) address.port = authority.substr(colon + 1);
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
}

}  // namespace

Result<BrokerAddress> BrokerAddress::parse(std::string_view text) {
  BrokerAddress address;
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return fail(bad_broker("a broker has a name and an address"));
  }
  address.name = take_before(text, '=');
  const auto scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) {
    return fail(bad_broker("the address of `" + address.name + "` has no scheme"));
  }
  address.scheme = text.substr(0, scheme_end);
  text.remove_prefix(scheme_end + 3);
  if (std::find(kSchemes.begin(), kSchemes.end(), address.scheme) == kSchemes.end()) {
    return fail(bad_broker("`" + address.scheme + "` is not a kind of broker that Belfry knows"));
  }
  std::string_view rest = take_before(text, '?');
  address.options = text;
  read_authority(take_before(rest, '/'), address);
  address.path = decoded(rest);
  if (address.host.empty()) {
    return fail(bad_broker("the address of `" + address.name + "` has no host"));
  }
  if (address.scheme == "kafka" && !(address.user + address.password).empty()) {
    return fail(
        bad_broker("a login for Kafka is a setting of librdkafka: write it after the `?`, "
                   "as sasl.username=...&sasl.password=..."));
  }
  return address;
}

std::unique_ptr<Broker> make_broker(const BrokerAddress& address, const Clock& clock) {
  if (address.scheme == "redis") return make_redis(address, clock);
  if (address.scheme == "amqp") return make_rabbitmq(address, clock);
  if (address.scheme == "nats") return make_nats(address, clock);
  return make_kafka(address);
}

}  // namespace belfry::deliver

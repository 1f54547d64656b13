#include "deliver/topic/broker.h"

#include "net/url.h"

#include <algorithm>
#include <array>

namespace belfry::deliver {
namespace {

// What may be written, what is meant, and whether it is with TLS.
struct Scheme {
  std::string_view written;
  std::string_view meant;
  bool secure;
};
constexpr std::array<Scheme, 7> kSchemes{{{"redis", "redis", false},
                                          {"rediss", "redis", true},
                                          {"amqp", "amqp", false},
                                          {"amqps", "amqp", true},
                                          {"nats", "nats", false},
                                          {"tls", "nats", true},
                                          {"kafka", "kafka", false}}};

Error bad_broker(std::string message) {
  return {.code = Errc::kInvalid,
          .message = std::move(message),
          .field = "--broker",
          .hint =
              "write NAME=redis://host:6379, amqp://..., nats://... or kafka://...; with TLS "
              "rediss://, amqps:// or tls:// (NATS)"};
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

// "ca=FILE&cert=FILE&key=FILE"; those of Kafka are librdkafka's business.
Status read_options(BrokerAddress& address) {
  std::string_view rest = address.options;
  while (!rest.empty()) {
    std::string_view value = take_before(rest, '&');
    const std::string_view name = take_before(value, '=');
    if (name == "ca" && address.secure) {
      address.ca_file = decoded(value);
    } else if (name == "cert" && address.secure) {
      address.own.certificate = decoded(value);
    } else if (name == "key" && address.secure) {
      address.own.key = decoded(value);
    } else {
      return fail(bad_broker("`" + std::string(name) + "` in the address of `" + address.name +
                             "` is not an option: with TLS there are ca, cert and key"));
    }
  }
  if (address.own.certificate.empty() == address.own.key.empty()) return {};
  return fail(bad_broker("the address of `" + address.name + "` needs both cert and key"));
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
  const std::string_view written = text.substr(0, scheme_end);
  const auto scheme = std::ranges::find(kSchemes, written, &Scheme::written);
  text.remove_prefix(scheme_end + 3);
  if (scheme == kSchemes.end()) {
    return fail(
        bad_broker("`" + std::string(written) + "` is not a kind of broker that Belfry knows"));
  }
  address.scheme = scheme->meant;
  address.secure = scheme->secure;
  std::string_view rest = take_before(text, '?');
  address.options = text;
  read_authority(take_before(rest, '/'), address);
  address.path = decoded(rest);
  if (address.host.empty()) {
    return fail(bad_broker("the address of `" + address.name + "` has no host"));
  }
  if (address.scheme != "kafka") BELFRY_CHECK(read_options(address));
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

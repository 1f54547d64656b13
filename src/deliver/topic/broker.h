#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/tls_files.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::deliver {

struct Message {
  std::string topic;
  std::string id;   // the run's: some brokers drop a second one
  std::string key;  // the job's: brokers that know keys keep the order within one key
  std::string body;
};

// A connection to one broker, used by one thread; each call blocks for `patience` at most.
class Broker {
 public:
  virtual ~Broker() = default;

  // Connects, so that messages can be published. Drops an earlier connection.
  virtual Status connect() = 0;

  // What the broker said to each message, in order: a JSON text once it certainly has it, or an
  // error: kInvalid if it will never take it, kConflict if it refuses it now, kUnavailable if it
  // takes nothing from anybody now, and kUnknownOutcome if the connection was lost before it
  // answered, perhaps because of this very message. After the last two, connect() must follow.
  virtual std::vector<Result<std::string>> publish(std::span<const Message> messages) = 0;

  // Called when nothing is to be published: keeps the connection alive, or notices that it is gone.
  virtual Status idle() { return {}; }
};

struct BrokerAddress {
  std::string name;    // what targets call it
  std::string scheme;  // redis, amqp, nats, kafka
  std::string user;
  std::string password;
  std::string host;
  std::string port;     // empty: the usual one
  std::string path;     // without the first slash: a database, a virtual host
  std::string options;  // after the question mark
  // With TLS: rediss, amqps, tls (NATS). The options ca, cert and key name files.
  bool secure = false;
  std::string ca_file;  // empty: the system's authorities
  net::TlsFiles own;    // empty: none

  // "orders=rediss://:secret@host:6379/0?ca=/etc/belfry/ca.pem"
  static Result<BrokerAddress> parse(std::string_view text);
};

// What a lost connection means for a message that was not answered.
inline Error in_doubt(Error loss) {
  loss.code = Errc::kUnknownOutcome;
  return loss;
}

inline constexpr Duration kBrokerPatience = std::chrono::seconds(5);

std::unique_ptr<Broker> make_redis(const BrokerAddress& address, const Clock& clock);
std::unique_ptr<Broker> make_rabbitmq(const BrokerAddress& address, const Clock& clock);
std::unique_ptr<Broker> make_nats(const BrokerAddress& address, const Clock& clock);
std::unique_ptr<Broker> make_kafka(const BrokerAddress& address);

std::unique_ptr<Broker> make_broker(const BrokerAddress& address, const Clock& clock);

}  // namespace belfry::deliver

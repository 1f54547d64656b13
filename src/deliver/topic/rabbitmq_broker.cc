// RabbitMQ (AMQP 0-9-1) with publisher confirms. A topic is a queue's name,
// or EXCHANGE/ROUTING-KEY.
#include "base/json.h"
#include "deliver/topic/broker.h"
#include "deliver/topic/cloud_event.h"

#include <amqp.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace belfry::deliver {
namespace {

constexpr amqp_channel_t kChannel = 1;
constexpr int kHeartbeatSeconds = 30;
constexpr int kLargestFrame = 131'072;
constexpr int kSecurePort = 5671;

amqp_bytes_t bytes_of(std::string_view text) {
  return {text.size(), const_cast<char*>(text.data())};
}
std::string text_of(const amqp_bytes_t& bytes) {
  return {static_cast<const char*>(bytes.bytes), bytes.len};
}
timeval patience() {
  return {.tv_sec = std::chrono::floor<std::chrono::seconds>(kBrokerPatience).count(),
          .tv_usec = 0};
}

struct ConnectionDeleter {
  void operator()(amqp_connection_state_t_* connection) const {
    amqp_destroy_connection(connection);
  }
};

class RabbitMq final : public Broker {
 public:
  RabbitMq(BrokerAddress address, const Clock& clock)
      : address_(std::move(address)), clock_(clock) {}

  Status connect() override {
    connection_.reset(amqp_new_connection());
    next_tag_ = 1;
    const timeval limit = patience();
    BELFRY_TRY(socket, make_socket());
    int port = address_.secure ? kSecurePort : AMQP_PROTOCOL_PORT;
    std::from_chars(address_.port.data(), address_.port.data() + address_.port.size(), port);
    const int opened = amqp_socket_open_noblock(socket, address_.host.c_str(), port, &limit);
    if (opened != AMQP_STATUS_OK) return fail(Errc::kUnavailable, amqp_error_string2(opened));
    // Whenever there is room, there is room for one message at least: see wait_for_room.
    const int room = 1 << 20;
    ::setsockopt(amqp_get_sockfd(connection_.get()), SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    amqp_set_handshake_timeout(connection_.get(), &limit);
    amqp_set_rpc_timeout(connection_.get(), &limit);
    const std::string user = address_.user.empty() ? "guest" : address_.user;
    const std::string password = address_.user.empty() ? "guest" : address_.password;
    const std::string host = address_.path.empty() ? "/" : address_.path;
    BELFRY_CHECK(
        check(amqp_login(connection_.get(), host.c_str(), 0, kLargestFrame, kHeartbeatSeconds,
                         AMQP_SASL_METHOD_PLAIN, user.c_str(), password.c_str())));
    amqp_channel_open(connection_.get(), kChannel);
    BELFRY_CHECK(check(amqp_get_rpc_reply(connection_.get())));
    amqp_confirm_select(connection_.get(), kChannel);
    return check(amqp_get_rpc_reply(connection_.get()));
  }

  std::vector<Result<std::string>> publish(std::span<const Message> messages) override {
    const BootInstant deadline = clock_.boot_now() + kBrokerPatience;
    Batch batch{.messages = messages, .first_tag = next_tag_, .answers = {}};
    batch.answers.resize(messages.size());
    Status status;
    for (const Message& message : messages) {
      status = wait_for_room(deadline);
      if (status) status = send(message);
      if (!status) break;
      ++next_tag_;
    }
    while (status && batch.is_open()) status = hear(batch, deadline);
    std::vector<Result<std::string>> result;
    for (auto& answer : batch.answers) {
      result.push_back(answer ? *std::move(answer)
                              : Result<std::string>(fail(in_doubt(status.error()))));
    }
    return result;
  }

  // Heartbeats are only answered while somebody listens.
  Status idle() override {
    Batch none{.messages = {}, .first_tag = next_tag_, .answers = {}};
    return hear(none, clock_.boot_now());
  }

 private:
  struct Batch {
    std::span<const Message> messages;
    std::uint64_t first_tag = 0;
    std::vector<std::optional<Result<std::string>>> answers;

    bool is_open() const {
      return std::any_of(answers.begin(), answers.end(), [](const auto& a) { return !a; });
    }
    void answer(std::uint64_t tag, bool up_to, const Result<std::string>& what) {
      for (std::size_t i = 0; i < answers.size(); ++i) {
        const bool meant = first_tag + i == tag || (up_to && first_tag + i <= tag);
        if (meant && !answers[i]) answers[i] = what;
      }
    }
    void refuse(const std::string& id, const std::string& why) {
      for (std::size_t i = 0; i < answers.size(); ++i) {
        if (messages[i].id == id) answers[i] = fail(Errc::kConflict, why);
      }
    }
  };

  Result<amqp_socket_t*> make_socket() {
    amqp_connection_state_t_* const connection = connection_.get();
    amqp_socket_t* const socket =
        address_.secure ? amqp_ssl_socket_new(connection) : amqp_tcp_socket_new(connection);
    if (socket == nullptr) return fail(Errc::kUnavailable, "no memory for a socket");
    if (!address_.secure) return socket;
    amqp_ssl_socket_set_verify_peer(socket, 1);
    amqp_ssl_socket_set_verify_hostname(socket, 1);
    const bool ours = net::apply_tls_rules(amqp_ssl_socket_get_context(socket));
    const std::string& ca = address_.ca_file;
    const net::TlsFiles& own = address_.own;
    if (!ours || (!ca.empty() && amqp_ssl_socket_set_cacert(socket, ca.c_str()) != 0)) {
      return fail(Errc::kUnavailable, "`" + ca + "` cannot be used as certificate authorities");
    }
    if (!own.key.empty() &&
        amqp_ssl_socket_set_key(socket, own.certificate.c_str(), own.key.c_str()) != 0) {
      return fail(Errc::kUnavailable, "`" + own.certificate + "` or its key cannot be used");
    }
    return socket;
  }

  // A RabbitMQ in an alarm reads nothing for hours but keeps beating, and librabbitmq would wait
  // with it.
  Status wait_for_room(BootInstant deadline) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock_.boot_now());
    pollfd wanted{.fd = amqp_get_sockfd(connection_.get()), .events = POLLOUT, .revents = 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready > 0) return {};
    return fail(Errc::kUnavailable, "RabbitMQ takes nothing");
  }

  Status send(const Message& message) {
    const auto slash = message.topic.find('/');
    const bool named = slash != std::string::npos;
    const std::string exchange = named ? message.topic.substr(0, slash) : "";
    const std::string key = named ? message.topic.substr(slash + 1) : message.topic;
    amqp_basic_properties_t properties{};
    properties._flags =
        AMQP_BASIC_CONTENT_TYPE_FLAG | AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_MESSAGE_ID_FLAG;
    properties.content_type = bytes_of(kCloudEventType);
    properties.delivery_mode = AMQP_DELIVERY_PERSISTENT;
    properties.message_id = bytes_of(message.id);
    const int sent = amqp_basic_publish(connection_.get(), kChannel, bytes_of(exchange),
                                        bytes_of(key), 1, 0, &properties, bytes_of(message.body));
    if (sent != AMQP_STATUS_OK) return fail(Errc::kUnavailable, amqp_error_string2(sent));
    return {};
  }

  int next_frame(amqp_frame_t& frame, BootInstant deadline) {
    const Duration left = std::max(deadline - clock_.boot_now(), Duration::zero());
    const timeval limit{.tv_sec = static_cast<time_t>(left.count() / 1'000'000),
                        .tv_usec = static_cast<suseconds_t>(left.count() % 1'000'000)};
    return amqp_simple_wait_frame_noblock(connection_.get(), &frame, &limit);
  }

  // The id of a message that comes back. Not with amqp_read_message, which sets aside as many bytes
  // as the broker claims will come.
  Result<std::string> read_returned(BootInstant deadline) {
    amqp_frame_t frame{};
    if (next_frame(frame, deadline) != AMQP_STATUS_OK || frame.frame_type != AMQP_FRAME_HEADER) {
      return fail(Errc::kUnavailable, "a message came back without its header");
    }
    const auto& properties =
        *static_cast<const amqp_basic_properties_t*>(frame.payload.properties.decoded);
    const bool is_named = (properties._flags & AMQP_BASIC_MESSAGE_ID_FLAG) != 0;
    std::string id = is_named ? text_of(properties.message_id) : "";
    for (std::uint64_t left = frame.payload.properties.body_size; left > 0;) {
      if (next_frame(frame, deadline) != AMQP_STATUS_OK || frame.frame_type != AMQP_FRAME_BODY ||
          frame.payload.body_fragment.len > left) {
        return fail(Errc::kUnavailable, "a message came back without its body");
      }
      left -= frame.payload.body_fragment.len;
    }
    return id;
  }

  // One frame, if any comes in time.
  Status hear(Batch& batch, BootInstant deadline) {
    amqp_maybe_release_buffers(connection_.get());
    amqp_frame_t frame{};
    const int got = next_frame(frame, deadline);
    if (got == AMQP_STATUS_TIMEOUT && !batch.is_open()) return {};
    if (got == AMQP_STATUS_TIMEOUT) return fail(Errc::kUnavailable, "no confirmation in time");
    if (got != AMQP_STATUS_OK) return fail(Errc::kUnavailable, amqp_error_string2(got));
    if (frame.frame_type != AMQP_FRAME_METHOD) return {};
    return heed(batch, frame.payload.method, deadline);
  }

  Status heed(Batch& batch, const amqp_method_t& method, BootInstant deadline) {
    if (method.id == AMQP_BASIC_ACK_METHOD) {
      const auto* ack = static_cast<const amqp_basic_ack_t*>(method.decoded);
      batch.answer(ack->delivery_tag, ack->multiple != 0, write_json({{"confirmed", true}}));
    } else if (method.id == AMQP_BASIC_NACK_METHOD) {
      const auto* nack = static_cast<const amqp_basic_nack_t*>(method.decoded);
      batch.answer(nack->delivery_tag, nack->multiple != 0,
                   fail(Errc::kConflict, "RabbitMQ refused it"));
    } else if (method.id == AMQP_BASIC_RETURN_METHOD) {
      const std::string why =
          text_of(static_cast<const amqp_basic_return_t*>(method.decoded)->reply_text);
      BELFRY_TRY(id, read_returned(deadline));
      batch.refuse(id, "no queue takes it: " + why);
    } else if (method.id == AMQP_CHANNEL_CLOSE_METHOD) {
      // An exchange that does not exist, for example: one message is at fault, and the channel
      // is gone.
      const auto* close = static_cast<const amqp_channel_close_t*>(method.decoded);
      return fail(Errc::kUnavailable, text_of(close->reply_text));
    } else if (method.id == AMQP_CONNECTION_CLOSE_METHOD) {
      return fail(Errc::kUnavailable, "RabbitMQ closed the connection");
    }
    return {};
  }

  static Status check(const amqp_rpc_reply_t& reply) {
    if (reply.reply_type == AMQP_RESPONSE_NORMAL) return {};
    if (reply.reply_type == AMQP_RESPONSE_LIBRARY_EXCEPTION) {
      return fail(Errc::kUnavailable, amqp_error_string2(reply.library_error));
    }
    return fail(Errc::kUnavailable,
                "RabbitMQ refused the connection, the login or the virtual host");
  }

  const BrokerAddress address_;
  const Clock& clock_;
  std::unique_ptr<amqp_connection_state_t_, ConnectionDeleter> connection_;
  std::uint64_t next_tag_ = 1;
};

}  // namespace

std::unique_ptr<Broker> make_rabbitmq(const BrokerAddress& address, const Clock& clock) {
  return std::make_unique<RabbitMq>(address, clock);
}

}  // namespace belfry::deliver

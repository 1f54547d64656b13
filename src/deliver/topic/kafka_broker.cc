// Kafka through librdkafka: an idempotent producer, each message confirmed by its delivery report.
// The options of the address, after the question mark, are settings of librdkafka.
#include "base/json.h"
#include "deliver/topic/broker.h"
#include "deliver/topic/cloud_event.h"
#include "net/url.h"

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <optional>

namespace belfry::deliver {
namespace {

constexpr auto kPatienceMillis = static_cast<int>(
    std::chrono::duration_cast<std::chrono::milliseconds>(kBrokerPatience).count());

struct ProducerDeleter {
  void operator()(rd_kafka_t* producer) const {
    rd_kafka_purge(producer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    rd_kafka_flush(producer, 100);
    rd_kafka_destroy(producer);
  }
};
struct ConfDeleter {
  void operator()(rd_kafka_conf_t* conf) const { rd_kafka_conf_destroy(conf); }
};

using Slot = std::optional<Result<std::string>>;

Error refusal_of(rd_kafka_resp_err_t problem, const char* why) {
  const auto code_of = [&] {
    switch (static_cast<int>(problem)) {
      case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
      case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION: return Errc::kInvalid;
      case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
      case RD_KAFKA_RESP_ERR__TRANSPORT:
      case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
      case RD_KAFKA_RESP_ERR__PURGE_INFLIGHT:
      case RD_KAFKA_RESP_ERR__PURGE_QUEUE: return Errc::kUnknownOutcome;
      // This producer will never send again; a new one may.
      case RD_KAFKA_RESP_ERR__FATAL: return Errc::kUnavailable;
      default: return Errc::kConflict;
    }
  };
  return {.code = code_of(), .message = why};
}

Result<std::string> answer_to(const rd_kafka_message_t& message) {
  if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return fail(refusal_of(message.err, rd_kafka_err2str(message.err)));
  }
  return write_json({{"partition", message.partition}, {"offset", message.offset}});
}

void on_report(rd_kafka_t* /*producer*/, const rd_kafka_message_t* message, void* /*opaque*/) {
  if (auto* const slot = static_cast<Slot*>(message->_private)) *slot = answer_to(*message);
}

class Kafka final : public Broker {
 public:
  explicit Kafka(BrokerAddress address) : address_(std::move(address)) {}

  Status connect() override {
    producer_.reset();
    std::unique_ptr<rd_kafka_conf_t, ConfDeleter> conf(rd_kafka_conf_new());
    rd_kafka_conf_set_dr_msg_cb(conf.get(), on_report);
    rd_kafka_conf_set_log_cb(conf.get(), nullptr);
    BELFRY_CHECK(set(*conf, "bootstrap.servers", servers()));
    BELFRY_CHECK(set(*conf, "client.id", "belfry"));
    BELFRY_CHECK(set(*conf, "enable.idempotence", "true"));
    BELFRY_CHECK(set(*conf, "message.timeout.ms", std::to_string(kPatienceMillis)));
    BELFRY_CHECK(set(*conf, "linger.ms", "0"));
    const auto options = net::parse_query(address_.options);
    if (!options) return fail(Errc::kInvalid, "the broker's options are not a query");
    for (const net::Parameter& option : *options) {
      BELFRY_CHECK(set(*conf, option.name, option.value));
    }
    char problem[512] = {};
    producer_.reset(rd_kafka_new(RD_KAFKA_PRODUCER, conf.get(), problem, sizeof problem));
    if (!producer_) return fail(Errc::kUnavailable, problem);
    (void)conf.release();  // the producer's now
    return idle();
  }

  std::vector<Result<std::string>> publish(std::span<const Message> messages) override {
    std::vector<Slot> slots(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) send(messages[i], slots[i]);
    // Reports come while we wait; the messages' own time ends before this wait.
    rd_kafka_flush(producer_.get(), kPatienceMillis + 1'000);
    const auto open = [](const Slot& slot) { return !slot; };
    const bool unheard = std::any_of(slots.begin(), slots.end(), open);
    if (unheard) producer_.reset();  // before the slots go: reports must not find them later
    std::vector<Result<std::string>> answers;
    for (Slot& slot : slots) {
      answers.push_back(
          slot ? *std::move(slot)
               : Result<std::string>(fail(Errc::kUnknownOutcome, "no report in time")));
    }
    return answers;
  }

  Status idle() override {
    if (!producer_) return fail(Errc::kUnavailable, "not connected");
    char why[512] = {};
    if (rd_kafka_fatal_error(producer_.get(), why, sizeof why) != RD_KAFKA_RESP_ERR_NO_ERROR) {
      return fail(Errc::kUnavailable, why);
    }
    const struct rd_kafka_metadata* metadata = nullptr;
    const auto code = rd_kafka_metadata(producer_.get(), 0, nullptr, &metadata, kPatienceMillis);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return fail(Errc::kUnavailable, rd_kafka_err2str(code));
    rd_kafka_metadata_destroy(metadata);
    return {};
  }

 private:
  // The brackets of an IPv6 address were taken off.
  std::string servers() const {
    const bool several = address_.host.find(',') != std::string::npos;
    const bool bare = !several && address_.host.find(':') != std::string::npos;
    const std::string host = bare ? "[" + address_.host + "]" : address_.host;
    return address_.port.empty() ? host : host + ":" + address_.port;
  }

  static Status set(rd_kafka_conf_t& conf, const std::string& name, const std::string& value) {
    char problem[512] = {};
    if (rd_kafka_conf_set(&conf, name.c_str(), value.c_str(), problem, sizeof problem) !=
        RD_KAFKA_CONF_OK) {
      return fail(Errc::kInvalid, problem);
    }
    return {};
  }

  void send(const Message& message, Slot& slot) {
    auto* const headers = rd_kafka_headers_new(2);
    rd_kafka_header_add(headers, "content-type", -1, kCloudEventType.data(),
                        static_cast<ssize_t>(kCloudEventType.size()));
    rd_kafka_header_add(headers, "message-id", -1, message.id.data(),
                        static_cast<ssize_t>(message.id.size()));
    std::array<rd_kafka_vu_t, 6> parts{};
    parts[0].vtype = RD_KAFKA_VTYPE_TOPIC;
    parts[0].u.cstr = message.topic.c_str();
    parts[1].vtype = RD_KAFKA_VTYPE_KEY;
    parts[1].u.mem.ptr = const_cast<char*>(message.key.data());
    parts[1].u.mem.size = message.key.size();
    parts[2].vtype = RD_KAFKA_VTYPE_VALUE;
    parts[2].u.mem.ptr = const_cast<char*>(message.body.data());
    parts[2].u.mem.size = message.body.size();
    parts[3].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    parts[3].u.i = RD_KAFKA_MSG_F_COPY;
    parts[4].vtype = RD_KAFKA_VTYPE_HEADERS;
    parts[4].u.headers = headers;
    parts[5].vtype = RD_KAFKA_VTYPE_OPAQUE;
    parts[5].u.ptr = &slot;
    rd_kafka_error_t* const error = rd_kafka_produceva(producer_.get(), parts.data(), parts.size());
    if (error == nullptr) return;
    rd_kafka_headers_destroy(headers);
    const auto problem =
        rd_kafka_error_is_fatal(error) != 0 ? RD_KAFKA_RESP_ERR__FATAL : rd_kafka_error_code(error);
    slot = fail(refusal_of(problem, rd_kafka_error_string(error)));
    rd_kafka_error_destroy(error);
  }

  const BrokerAddress address_;
  std::unique_ptr<rd_kafka_t, ProducerDeleter> producer_;
};

}  // namespace

std::unique_ptr<Broker> make_kafka(const BrokerAddress& address) {
  return std::make_unique<Kafka>(address);
}

}  // namespace belfry::deliver

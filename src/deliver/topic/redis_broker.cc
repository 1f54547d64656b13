// Redis Streams: one XADD for each message, many at a time, each answered.
#include "base/json.h"
#include "deliver/topic/broker.h"
#include "deliver/topic/byte_stream.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace belfry::deliver {
namespace {

std::string command(std::initializer_list<std::string_view> words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string_view word : words) {
    text += "$" + std::to_string(word.size()) + "\r\n";
    text += word;
    text += "\r\n";
  }
  return text;
}

// How Redis says that it takes nothing from anybody just now, whatever the message: another node
// became the primary, it is loading its file, its memory is full.
constexpr std::array<std::string_view, 9> kNotNow{"READONLY",    "LOADING",    "MASTERDOWN",
                                                  "CLUSTERDOWN", "NOAUTH",     "OOM",
                                                  "MISCONF",     "NOREPLICAS", "TRYAGAIN"};

Errc code_of(const std::string& refusal) {
  const std::string_view word = std::string_view(refusal).substr(0, refusal.find(' '));
  const bool passes = std::find(kNotNow.begin(), kNotNow.end(), word) != kNotNow.end();
  return passes ? Errc::kUnavailable : Errc::kConflict;
}

class Redis final : public Broker {
 public:
  Redis(BrokerAddress address, const Clock& clock)
      : address_(std::move(address)), clock_(clock), stream_(clock) {
    if (address_.port.empty()) address_.port = "6379";
  }

  Status connect() override {
    const BootInstant deadline = clock_.boot_now() + kBrokerPatience;
    BELFRY_CHECK(stream_.open(address_.host, address_.port, deadline));
    if (address_.secure) {
      BELFRY_CHECK(stream_.secure(address_.host, address_.ca_file, address_.own));
    }
    if (!address_.password.empty()) {
      const std::string user = address_.user.empty() ? "default" : address_.user;
      BELFRY_CHECK(say(command({"AUTH", user, address_.password}), deadline));
    }
    if (!address_.path.empty()) BELFRY_CHECK(say(command({"SELECT", address_.path}), deadline));
    return say(command({"PING"}), deadline);
  }

  std::vector<Result<std::string>> publish(std::span<const Message> messages) override {
    const BootInstant deadline = clock_.boot_now() + kBrokerPatience;
    std::string text;
    for (const Message& message : messages) {
      text += command({"XADD", message.topic, "*", "id", message.id, "event", message.body});
    }
    Status status = stream_.send(text, deadline);
    std::vector<Result<std::string>> answers;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      Reply reply;
      if (status) status = read(reply, deadline);
      if (!status) {
        answers.emplace_back(fail(in_doubt(status.error())));
      } else if (reply.refused) {
        answers.emplace_back(fail(code_of(reply.text), reply.text));
      } else {
        answers.emplace_back(write_json({{"entry", reply.text}}));
      }
    }
    return answers;
  }

  Status idle() override { return say(command({"PING"}), clock_.boot_now() + kBrokerPatience); }

 private:
  // Being refused at the login is as good as no connection.
  Status say(const std::string& words, BootInstant deadline) {
    BELFRY_CHECK(stream_.send(words, deadline));
    Reply reply;
    BELFRY_CHECK(read(reply, deadline));
    if (reply.refused) return fail(Errc::kUnavailable, reply.text);
    return {};
  }

  // A status, a number or a text; or the server's refusal.
  struct Reply {
    bool refused = false;
    std::string text;
  };
  Status read(Reply& reply, BootInstant deadline) {
    BELFRY_TRY(line, stream_.line(deadline));
    const std::string kind = line.substr(0, 1);
    reply = {.refused = kind == "-", .text = line.substr(kind.size())};
    if (kind == "-" || kind == "+" || kind == ":") return {};
    std::size_t size = 0;
    const char* const end = reply.text.data() + reply.text.size();
    if (kind != "$" || std::from_chars(reply.text.data(), end, size).ec != std::errc()) {
      return fail(Errc::kUnavailable, "an answer that is not Redis");
    }
    BELFRY_TRY(text, stream_.block(size, deadline));
    reply.text = std::move(text);
    return {};
  }

  BrokerAddress address_;
  const Clock& clock_;
  ByteStream stream_;
};

}  // namespace

std::unique_ptr<Broker> make_redis(const BrokerAddress& address, const Clock& clock) {
  return std::make_unique<Redis>(address, clock);
}

}  // namespace belfry::deliver

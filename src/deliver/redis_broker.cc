// Redis Streams: one XADD for each message, many in one go, each answered.
#include "base/json.h"
#include "deliver/broker.h"
#include "deliver/byte_stream.h"

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

class Redis final : public Broker {
 public:
  Redis(BrokerAddress address, const Clock& clock)
      : address_(std::move(address)), clock_(clock), stream_(clock) {
    if (address_.port.empty()) address_.port = "6379";
  }

  Status connect() override {
    const BootInstant deadline = clock_.boot_now() + kBrokerPatience;
    BELFRY_CHECK(stream_.open(address_.host, address_.port, deadline));
    if (!address_.password.empty()) {
      const std::string_view user = address_.user.empty() ? "default" : address_.user;
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
      if (status) {
        auto answer = reply(deadline);
        const bool refused = !answer && answer.error().code == Errc::kConflict;
        if (!answer && !refused) status = fail(answer.error());
        if (answer) answer = write_json({{"entry", *answer}});
        answers.push_back(std::move(answer));
      } else {
        answers.emplace_back(fail(status.error()));
      }
    }
    return answers;
  }

  Status idle() override { return say(command({"PING"}), clock_.boot_now() + kBrokerPatience); }

 private:
  // A refusal at the door is as good as no connection.
  Status say(const std::string& words, BootInstant deadline) {
    BELFRY_CHECK(stream_.send(words, deadline));
    BELFRY_TRY(answer, reply(deadline));
    return {};
  }

  // One reply that is a status, a number or a text; an error of the server's is kConflict.
  Result<std::string> reply(BootInstant deadline) {
    BELFRY_TRY(line, stream_.line(deadline));
    const std::string rest = line.empty() ? "" : line.substr(1);
    if (line.starts_with('-')) return fail(Errc::kConflict, rest);
    if (line.starts_with('+') || line.starts_with(':')) return rest;
    if (!line.starts_with('$')) return fail(Errc::kUnavailable, "an answer that is not Redis'");
    std::size_t size = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    if (problem != std::errc()) return fail(Errc::kUnavailable, "an answer that is not Redis'");
    BELFRY_TRY(text, stream_.bytes(size + 2, deadline));
    text.resize(size);
    return text;
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

// NATS JetStream: messages with headers, each acknowledged by the stream that keeps its subject.
#include "base/digest.h"
#include "base/json.h"
#include "deliver/topic/broker.h"
#include "deliver/topic/byte_stream.h"
#include "deliver/topic/cloud_event.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

namespace belfry::deliver {
namespace {

// One message the server sent us, or a note that it sent something else.
struct Incoming {
  std::string subject;
  std::string headers;
  std::string body;
};

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < line.size()) {
    const auto end = std::min(line.find(' ', at), line.size());
    if (end > at) words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::size_t number_of(const std::string& word) {
  std::size_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

// Where a job may publish. The server's own subjects begin with `$` or `_`: a message at
// `$JS.API.STREAM.PURGE.x` is a command, given with our login.
bool is_subject(const std::string& topic) {
  if (topic.starts_with('$') || topic.starts_with('_')) return false;
  if (topic.find_first_of(" \t\r\n*>") != std::string::npos) return false;
  return ("." + topic + ".").find("..") == std::string::npos;
}

class Nats final : public Broker {
 public:
  Nats(BrokerAddress address, const Clock& clock)
      : address_(std::move(address)), clock_(clock), stream_(clock) {
    if (address_.port.empty()) address_.port = "4222";
  }

  Status connect() override {
    const BootInstant deadline = clock_.boot_now() + kBrokerPatience;
    BELFRY_CHECK(stream_.open(address_.host, address_.port, deadline));
    BELFRY_TRY(info, stream_.line(deadline));
    if (!info.starts_with("INFO ")) return fail(Errc::kUnavailable, "this is not NATS: " + info);
    // A NATS server greets in the clear, then expects TLS.
    if (address_.secure) {
      BELFRY_CHECK(stream_.secure(address_.host, address_.ca_file, address_.own));
    }
    const auto facts = parse_json(info.substr(5));
    if (facts && facts->contains("max_payload") && (*facts)["max_payload"].is_number_unsigned()) {
      max_payload_ = (*facts)["max_payload"].get<std::size_t>();
    }
    inbox_ = "_INBOX." + random_token(12);
    Json login{{"verbose", false}, {"pedantic", false}, {"headers", true}, {"no_responders", true},
               {"name", "belfry"}, {"lang", "cpp"},     {"version", "1"},  {"protocol", 1}};
    if (!address_.password.empty()) {
      login["user"] = address_.user;
      login["pass"] = address_.password;
    } else if (!address_.user.empty()) {
      login["auth_token"] = address_.user;
    }
    BELFRY_CHECK(stream_.send(
        fmt::format("CONNECT {}\r\nSUB {}.* 1\r\nPING\r\n", write_json(login), inbox_), deadline));
    return await_pong(deadline);
  }

  std::vector<Result<std::string>> publish(std::span<const Message> messages) override {
    const BootInstant deadline = clock_.boot_now() + kBrokerPatience;
    std::vector<std::optional<Result<std::string>>> answers(messages.size());
    // Never starts over: a second answer to an earlier message must not be taken for one of these.
    const std::size_t first = std::exchange(next_reply_, next_reply_ + messages.size());
    std::size_t open = 0;
    std::string text;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (auto refusal = refuse(messages[i])) {
        answers[i] = fail(*std::move(refusal));
      } else {
        text += frame(messages[i], first + i);
        ++open;
      }
    }
    Status status = stream_.send(text, deadline);
    while (status && open > 0) {
      auto incoming = next(deadline);
      if (!incoming) {
        status = fail(incoming.error());
        break;
      }
      if (!incoming->subject.starts_with(inbox_ + ".")) continue;
      const std::size_t index = number_of(incoming->subject.substr(inbox_.size() + 1)) - first;
      if (index >= answers.size() || answers[index]) continue;
      answers[index] = acknowledgement(*incoming);
      --open;
    }
    std::vector<Result<std::string>> result;
    for (auto& answer : answers) {
      result.push_back(answer ? *std::move(answer)
                              : Result<std::string>(fail(in_doubt(status.error()))));
    }
    return result;
  }

  Status idle() override {
    const BootInstant deadline = clock_.boot_now() + kBrokerPatience;
    BELFRY_CHECK(stream_.send("PING\r\n", deadline));
    return await_pong(deadline);
  }

 private:
  std::optional<Error> refuse(const Message& message) const {
    if (!is_subject(message.topic)) {
      return Error{.code = Errc::kInvalid,
                   .message = "`" + message.topic +
                              "` is not a subject for events: no blanks, no wildcards, no empty "
                              "parts, and none that begins with $ or _"};
    }
    if (message.body.size() + 1'024 > max_payload_) {
      return Error{.code = Errc::kInvalid, .message = "longer than the server's max_payload"};
    }
    return std::nullopt;
  }

  std::string frame(const Message& message, std::size_t index) const {
    const std::string headers = fmt::format(
        "NATS/1.0\r\nNats-Msg-Id: {}\r\nContent-Type: {}\r\n\r\n", message.id, kCloudEventType);
    return fmt::format("HPUB {} {}.{} {} {}\r\n{}{}\r\n", message.topic, inbox_, index,
                       headers.size(), headers.size() + message.body.size(), headers, message.body);
  }

  static Result<std::string> acknowledgement(const Incoming& incoming) {
    if (incoming.headers.find(" 503") != std::string::npos) {
      return fail(Errc::kConflict, "no stream keeps this subject");
    }
    auto answer = parse_json(incoming.body);
    if (!answer || !answer->is_object()) {
      return fail(Errc::kConflict, "a malformed acknowledgement");
    }
    if (const auto error = answer->find("error"); error != answer->end()) {
      const bool not_now = error->is_object() && error->value("code", Json()) == 503;
      return fail(not_now ? Errc::kUnavailable : Errc::kConflict, write_json(*error));
    }
    if (!answer->contains("stream") || !answer->contains("seq")) {
      return fail(Errc::kConflict, "the answer is not from a stream");
    }
    return write_json(*answer);
  }

  Status await_pong(BootInstant deadline) {
    for (;;) {
      BELFRY_TRY(line, stream_.line(deadline));
      if (line == "PONG") return {};
      BELFRY_CHECK(heed(line, deadline));
      if (line.starts_with("MSG") || line.starts_with("HMSG")) {
        BELFRY_TRY(late, read(line, deadline));  // for a message whose time was over
      }
    }
  }

  Result<Incoming> next(BootInstant deadline) {
    for (;;) {
      BELFRY_TRY(line, stream_.line(deadline));
      BELFRY_CHECK(heed(line, deadline));
      if (line.starts_with("MSG") || line.starts_with("HMSG")) return read(line, deadline);
    }
  }

  // MSG subject sid [reply] size / HMSG subject sid [reply] headers size
  Result<Incoming> read(const std::string& line, BootInstant deadline) {
    const auto words = words_of(line);
    const bool has_headers = words.front() == "HMSG";
    if (words.size() < 4) return fail(Errc::kUnavailable, "an answer that is not NATS");
    const std::size_t total = number_of(words.back());
    const std::size_t headers = has_headers ? number_of(words[words.size() - 2]) : 0;
    BELFRY_TRY(bytes, stream_.block(total, deadline));
    if (headers > total) return fail(Errc::kUnavailable, "an answer that is not NATS");
    return Incoming{words[1], bytes.substr(0, headers), bytes.substr(headers, total - headers)};
  }

  Status heed(const std::string& line, BootInstant deadline) {
    if (line.starts_with("PING")) return stream_.send("PONG\r\n", deadline);
    if (line.starts_with("-ERR")) return fail(Errc::kUnavailable, line);
    return {};
  }

  BrokerAddress address_;
  const Clock& clock_;
  ByteStream stream_;
  std::string inbox_;
  std::size_t next_reply_ = 0;
  std::size_t max_payload_ = 1 << 20;
};

}  // namespace

std::unique_ptr<Broker> make_nats(const BrokerAddress& address, const Clock& clock) {
  return std::make_unique<Nats>(address, clock);
}

}  // namespace belfry::deliver

#pragma once

#include "base/json.h"
#include "base/text/instant_text.h"
#include "tests/support/must.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace belfry::alert_day {

// Takes messages; one that comes again counts once, if it is the same.
class Receiver {
 public:
  explicit Receiver(Instant start) : start_(start) {}

  void take(std::uint64_t id, const std::string& body) {
    const auto [message, is_new] = messages_.try_emplace(id, body);
    if (is_new) return;
    ++repeated_;
    if (message->second != body) wrong_.push_back("two messages have the id " + std::to_string(id));
  }

  std::multiset<std::string> heard() {
    std::multiset<std::string> heard;
    for (const auto& [id, text] : messages_) {
      const Json body = test::must(parse_json(text));
      if (body.at("opened").size() != body.at("opened_count") ||
          body.at("recovered").size() != body.at("recovered_count")) {
        wrong_.emplace_back("a message does not name all: make the day calmer");
      }
      const std::string rule = body.at("rule").get<std::string>() + "|";
      for (const Json& one : body.at("opened")) {
        heard.insert(rule + one.at("subject").get<std::string>() + "|opened|" +
                     second_of(one.at("opened_at")));
      }
      for (const Json& one : body.at("recovered")) {
        heard.insert(rule + one.at("subject").get<std::string>() + "|recovered|" +
                     second_of(one.at("opened_at")) + "|" + second_of(one.at("resolved_at")));
      }
    }
    return heard;
  }
  std::size_t repeated() const { return repeated_; }
  const std::vector<std::string>& wrong() const { return wrong_; }

  std::string second_of(const Json& instant) const {
    const Instant at = test::must(parse_instant(instant.get<std::string>()));
    return std::to_string(std::chrono::floor<std::chrono::seconds>(at - start_).count());
  }

 private:
  const Instant start_;
  std::map<std::uint64_t, std::string> messages_;
  std::vector<std::string> wrong_;
  std::size_t repeated_ = 0;
};

}  // namespace belfry::alert_day

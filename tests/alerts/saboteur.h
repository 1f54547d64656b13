#pragma once

#include "store/wrappers/faulty_store.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::alert_day {

// A store that seems to have lost one of its protections, or a watcher one of its duties. The day
// must notice each: otherwise it proves nothing when it is green. It also says when a look has
// taken effect, whatever its watcher hears of it.
class Saboteur final : public store::FaultyStore {
 public:
  struct Trick {
    std::string_view name;
    std::string_view stands_for;
  };
  static const std::vector<Trick>& tricks();

  Saboteur(store::Store& inner, std::string trick, std::function<void()> on_look)
      : FaultyStore(inner, [](std::string_view) { return store::Fault::kNone; }),
        inner_(inner),
        trick_(std::move(trick)),
        on_look_(std::move(on_look)) {}

  Result<store::AlertLook> begin_alert_look() override;
  Result<std::vector<core::AlertJob>> alert_facts(const store::AlertQuestion& question) override;
  Status end_alert_look(const store::AlertFindings& findings) override;
  Result<std::vector<store::AlertMessageRow>> claim_alert_messages(const std::string& queue,
                                                                   std::size_t most,
                                                                   Duration lease) override;
  Result<bool> end_alert_message(const AlertMessageEnd& end) override;

 private:
  bool is(std::string_view name) const { return trick_ == name; }

  store::Store& inner_;
  const std::string trick_;
  const std::function<void()> on_look_;
  std::uint64_t looks_ = 0;                // that took effect
  std::map<std::uint64_t, Fence> fences_;  // of messages, the last of each
};

}  // namespace belfry::alert_day

#include "store/postgres/wire/hint_channel.h"

#include "store/postgres/sql.h"

#include <algorithm>
#include <charconv>

namespace belfry::store::postgres {

std::string write_hints(const Hints& hints) {
  std::string text = hints.runs ? "r" : "";
  if (hints.events) text += text.empty() ? "e" : " e";
  for (const PartitionNo partition : hints.changed) {
    if (!text.empty()) text += ' ';
    text += std::to_string(partition.value());
  }
  return text;
}

void read_hints(std::string_view text, Hints& hints) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    std::uint16_t partition = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), partition);
    if (word == "r") hints.runs = true;
    if (word == "e") hints.events = true;
    if (parsed.ec == std::errc() && parsed.ptr == word.data() + word.size()) {
      hints.changed.emplace_back(partition);
    }
  }
}

// Once listening, a readable socket means hints, not a goodbye: Connection::open is for
// the rest.
Status HintChannel::open() {
  if (connection_.is_idle()) return {};
  BELFRY_CHECK(connection_.open(deadline()));
  if (!listens_) return {};
  BELFRY_TRY(reply, connection_.run_script(kListenForHints, Effect::kNone, deadline()));
  return {};
}

Status HintChannel::send(const Hints& hints) {
  constexpr std::size_t kMostPartitions = 1'000;  // a notification has at most 8,000 bytes
  for (std::size_t i = 0; i == 0 || i < hints.changed.size(); i += kMostPartitions) {
    const auto begin = hints.changed.begin() + static_cast<std::ptrdiff_t>(i);
    const std::size_t count = std::min(kMostPartitions, hints.changed.size() - i);
    const Hints part{.changed = {begin, begin + static_cast<std::ptrdiff_t>(count)},
                     .runs = hints.runs && i == 0,
                     .events = hints.events && i == 0};
    BELFRY_TRY(reply, connection_.run(kSendHints, Params().text(write_hints(part)), Effect::kNone,
                                      deadline()));
  }
  return {};
}

// Events are for people: telling other nodes ten times a second is often enough, and each
// notification costs a commit.
Hints HintChannel::due_for_others(const Hints& hints) {
  constexpr Duration kEventsApart = std::chrono::milliseconds(100);
  Hints due = hints;
  owes_events_ |= hints.events;
  const BootInstant now = clock_.boot_now();
  due.events = owes_events_ && now >= events_from_;
  if (due.events) {
    owes_events_ = false;
    events_from_ = now + kEventsApart;
  }
  return due;
}

Result<Hints> HintChannel::await(Duration longest) {
  BELFRY_CHECK(open());
  if (owes_events_) longest = std::min<Duration>(longest, events_from_ - clock_.boot_now());
  box_->wait(std::max(longest, Duration::zero()), listens_ ? connection_.socket() : -1);
  Hints hints = box_->take();
  const Hints for_others = due_for_others(hints);
  if (!for_others.empty()) BELFRY_CHECK(send(for_others));
  BELFRY_TRY(notices, connection_.take_notices());
  for (const std::string& notice : notices) read_hints(notice, hints);
  std::sort(hints.changed.begin(), hints.changed.end());
  hints.changed.erase(std::unique(hints.changed.begin(), hints.changed.end()), hints.changed.end());
  return hints;
}

}  // namespace belfry::store::postgres

#include "store/postgres/wire/hint_channel.h"

#include "store/postgres/sql.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace belfry::store::postgres {

// Each hint is a word: `r` runs, `e` events, a number a partition whose jobs changed, `t7:-3` the
// run -3 of job 7, `p12` all runs of partition 12.
std::vector<std::string> write_hints(const Hints& hints) {
  std::vector<std::string> words;
  if (hints.runs) words.emplace_back("r");
  if (hints.events) words.emplace_back("e");
  for (const PartitionNo partition : hints.changed) {
    words.push_back(std::to_string(partition.value()));
  }
  for (const core::RunRef& run : hints.touched) {
    words.push_back("t" + std::to_string(run.job.value()) + ":" + std::to_string(run.key.value()));
  }
  for (const PartitionNo partition : hints.crowded) {
    words.push_back("p" + std::to_string(partition.value()));
  }
  constexpr std::size_t kMostBytes = 7'900;  // a notification has less than 8,000
  std::vector<std::string> texts;
  for (const std::string& word : words) {
    if (texts.empty() || texts.back().size() + 1 + word.size() > kMostBytes) {
      texts.push_back(word);
    } else {
      texts.back() += ' ' + word;
    }
  }
  return texts;
}

namespace {

// The whole word as a number.
template <typename Number>
std::optional<Number> number_of(std::string_view word) {
  Number number{};
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) return std::nullopt;
  return number;
}

std::optional<core::RunRef> read_run(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto job = number_of<std::uint64_t>(word.substr(0, colon));
  const auto key = number_of<std::int64_t>(word.substr(colon + 1));
  if (!job || !key) return std::nullopt;
  return core::RunRef{JobId(*job), core::RunKey(*key)};
}

void read_hint(std::string_view word, Hints& hints) {
  if (word == "r") {
    hints.runs = true;
  } else if (word == "e") {
    hints.events = true;
  } else if (word.starts_with('t')) {
    if (const auto run = read_run(word.substr(1))) hints.touched.push_back(*run);
  } else if (word.starts_with('p')) {
    if (const auto no = number_of<std::uint16_t>(word.substr(1))) hints.crowded.emplace_back(*no);
  } else if (const auto no = number_of<std::uint16_t>(word)) {
    hints.changed.emplace_back(*no);
  }
}

}  // namespace

void read_hints(std::string_view text, Hints& hints) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    read_hint(word, hints);
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
  for (const std::string& text : write_hints(hints)) {
    BELFRY_TRY(reply, connection_.run(kSendHints, Params().text(text), Effect::kNone, deadline()));
  }
  return {};
}

// Each notification costs a commit. Owners do not read changes more often than this, and events are
// for people: telling other nodes ten times a second is often enough.
Hints HintChannel::due_for_others(const Hints& hints) {
  constexpr Duration kChangesApart = std::chrono::milliseconds(5);
  constexpr Duration kEventsApart = std::chrono::milliseconds(100);
  Hints due = hints;
  due.changed.clear();
  owed_changes_.insert(hints.changed.begin(), hints.changed.end());
  owes_events_ |= hints.events;
  const BootInstant now = clock_.boot_now();
  if (!owed_changes_.empty() && now >= changes_from_) {
    due.changed.assign(owed_changes_.begin(), owed_changes_.end());
    owed_changes_.clear();
    changes_from_ = now + kChangesApart;
  }
  due.events = owes_events_ && now >= events_from_;
  if (due.events) {
    owes_events_ = false;
    events_from_ = now + kEventsApart;
  }
  return due;
}

// How long to wait, such that what is owed is told in time.
Duration HintChannel::patience(Duration longest) const {
  const BootInstant now = clock_.boot_now();
  if (owes_events_) longest = std::min<Duration>(longest, events_from_ - now);
  if (!owed_changes_.empty()) longest = std::min<Duration>(longest, changes_from_ - now);
  return std::max(longest, Duration::zero());
}

Result<Hints> HintChannel::await(Duration longest) {
  BELFRY_CHECK(open());
  box_->wait(patience(longest), listens_ ? connection_.socket() : -1);
  Hints hints = box_->take();
  const Hints for_others = due_for_others(hints);
  if (!for_others.empty()) BELFRY_CHECK(send(for_others));
  hints.runs = false;  // ours; from here on it is about the others'
  BELFRY_TRY(notices, connection_.take_notices());
  for (const std::string& notice : notices) read_hints(notice, hints);
  std::sort(hints.changed.begin(), hints.changed.end());
  hints.changed.erase(std::unique(hints.changed.begin(), hints.changed.end()), hints.changed.end());
  return hints;
}

}  // namespace belfry::store::postgres

#include "tests/alerts/saboteur.h"

namespace belfry::alert_day {

using store::AlertFindings;
using store::AlertLook;

const std::vector<Saboteur::Trick>& Saboteur::tricks() {
  static const std::vector<Trick> kAll{
      {"no_fence", "a look that takes effect although others have looked since it began"},
      {"told_twice", "messages without the mark that they were sent, as if in two transactions"},
      {"lost_message", "the mark without the messages"},
      {"no_recovery", "an end that is told to nobody"},
      {"loud_end", "an end that is told although it is quiet"},
      {"deaf_to_silences", "silences that are not heeded"},
      {"blind_to_pauses", "paused jobs that are taken for active ones"},
      {"forgets_the_quiet", "what begins while it is quiet is not remembered"},
      {"never_unhushed", "what began while it was quiet stays so"},
      {"short_memory", "late starts and missed ticks that count only while they are new"},
      {"off_by_one", "one failure too few in a row"},
      {"deaf_to_nodes", "what nodes say of their schedules is lost"},
      {"no_message_fence", "a courier that lost its lease decides what becomes of a message"},
  };
  return kAll;
}

Result<AlertLook> Saboteur::begin_alert_look() {
  auto look = inner_.begin_alert_look();
  if (!look) return look;
  if (is("deaf_to_silences")) look->silences.clear();
  return look;
}

Result<std::vector<core::AlertJob>> Saboteur::alert_facts(const store::AlertQuestion& question) {
  store::AlertQuestion asked = question;
  if (is("short_memory")) asked.also.clear();
  auto jobs = inner_.alert_facts(asked);
  if (!jobs) return jobs;
  for (core::AlertJob& job : *jobs) {
    if (is("blind_to_pauses")) job.paused = false;
    if (is("off_by_one"))
      job.failures_in_a_row = std::max<std::int64_t>(0, job.failures_in_a_row - 1);
    if (is("deaf_to_nodes")) job.broken.reset();
  }
  return jobs;
}

Status Saboteur::end_alert_look(const AlertFindings& findings) {
  AlertFindings written = findings;
  if (is("no_fence")) written.look = looks_;
  if (is("told_twice") && looks_ % 50 == 0) {
    written.told_open.clear();
    written.told_end.clear();
  }
  if (is("lost_message") && looks_ % 50 == 0) written.messages.clear();
  if (is("forgets_the_quiet")) {
    std::erase_if(written.opens, [](const auto& open) { return open.opening.quiet; });
  }
  if (is("never_unhushed")) written.unhushed.clear();
  for (core::AlertVerdict::Ending& end : written.ends) {
    if (is("no_recovery")) end.quiet = true;
    if (is("loud_end")) end.quiet = end.unheard = false;
  }
  const Status ended = inner_.end_alert_look(written);
  if (ended) {
    ++looks_;
    on_look_();
  }
  return ended;
}

Result<std::vector<store::AlertMessageRow>> Saboteur::claim_alert_messages(const std::string& queue,
                                                                           std::size_t most,
                                                                           Duration lease) {
  auto claimed = inner_.claim_alert_messages(queue, most, lease);
  if (!claimed) return claimed;
  for (const store::AlertMessageRow& message : *claimed) fences_[message.id] = message.fence;
  return claimed;
}

Result<bool> Saboteur::end_alert_message(const AlertMessageEnd& end) {
  AlertMessageEnd written = end;
  if (is("no_message_fence")) written.fence = fences_[end.id];
  return inner_.end_alert_message(written);
}

}  // namespace belfry::alert_day

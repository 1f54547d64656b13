#include "engine/chores/note_keeper.h"

#include <chrono>

namespace belfry::engine {
namespace {

constexpr Duration kAnyway = std::chrono::minutes(1);
constexpr Duration kNoticeable = std::chrono::milliseconds(100);  // clocks always differ a little

bool differs(std::optional<Duration> offset, std::optional<Duration> before) {
  if (!offset || !before) return offset.has_value() != before.has_value();
  return *offset - *before > kNoticeable || *before - *offset > kNoticeable;
}

}  // namespace

bool NoteKeeper::is_news(const store::NodeNote& note, BootInstant now) const {
  return !told_ || now - told_at_ >= kAnyway || differs(note.clock_offset, told_->clock_offset) ||
         note.partitions != told_->partitions || note.broken != told_->broken;
}

Result<bool> NoteKeeper::run_once(const store::NodeNote& note, BootInstant now) {
  if (!is_news(note, now)) return false;
  told_.reset();
  BELFRY_CHECK(store_.put_node_note(note));
  told_ = note;
  told_at_ = now;
  return true;
}

}  // namespace belfry::engine

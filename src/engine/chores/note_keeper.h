#pragma once

#include "base/time.h"
#include "store/overview.h"

#include <optional>

namespace belfry::engine {

// Tells the store what a node says of itself, when it has changed; and once a minute anyway, since
// the row of a node that was away for long is made anew, without what was said before.
class NoteKeeper {
 public:
  explicit NoteKeeper(store::NodeNoteStore& store) : store_(store) {}

  // Whether it was told. After an error, the next call tells it again.
  Result<bool> run_once(const store::NodeNote& note, BootInstant now);

 private:
  bool is_news(const store::NodeNote& note, BootInstant now) const;

  store::NodeNoteStore& store_;
  std::optional<store::NodeNote> told_;
  BootInstant told_at_ = BootInstant::min();
};

}  // namespace belfry::engine

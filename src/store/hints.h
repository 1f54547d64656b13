#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "core/run.h"

#include <span>
#include <vector>

// Hints let a node look sooner than it would by itself. Nothing depends on one: each may be lost,
// late or false, and a node that gets none finds out at its next renewal or claim.
namespace belfry::store {

// What was just done, in this process or another, that others may want to look at.
struct Hints {
  std::vector<PartitionNo> changed;  // whose jobs changed; each once
  // Live runs that did something on their own: they were asked for, wait again, or let others go.
  // Whoever keeps a book of them should look at them, or at all of a partition's.
  std::vector<core::RunRef> touched;
  std::vector<PartitionNo> crowded;  // partitions with too many such runs to name
  bool runs = false;                 // another process has decided runs
  bool events = false;               // there are events to read

  bool empty() const {
    return changed.empty() && touched.empty() && crowded.empty() && !runs && !events;
  }
  friend bool operator==(const Hints&, const Hints&) = default;
};

class HintStore {
 public:
  virtual ~HintStore() = default;

  // Waits until there are hints, but at most `longest`. For one thread only, which also sends this
  // process's hints to the others: without it they get none from here.
  virtual Result<Hints> await_hints(Duration longest) = 0;
  // Tells others that live runs have changed; see Hints::touched.
  virtual void touch(std::span<const core::RunRef> runs) = 0;
  // Ends a wait, now or the next one.
  virtual void interrupt_hints() = 0;
};

}  // namespace belfry::store

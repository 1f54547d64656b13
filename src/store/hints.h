#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"

#include <vector>

// Looking sooner than one would by oneself. Nothing depends on a hint: each may be lost, late or
// false, and whoever gets none finds out by the next renewal or claim.
namespace belfry::store {

// What somebody, in this process or another, has just done and others may want to look at.
struct Hints {
  std::vector<PartitionNo> changed;  // jobs of these; each once
  bool runs = false;                 // runs wait to be claimed
  bool events = false;               // there are events to read

  bool empty() const { return changed.empty() && !runs && !events; }
  friend bool operator==(const Hints&, const Hints&) = default;
};

class HintStore {
 public:
  virtual ~HintStore() = default;

  // Waits until there are hints, but at most `longest`. For one thread, which also passes on to
  // other processes what this one has done: without it they get no hints from here.
  virtual Result<Hints> await_hints(Duration longest) = 0;
  // Ends a wait, now or the next one.
  virtual void interrupt_hints() = 0;
};

}  // namespace belfry::store

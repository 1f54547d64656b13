#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "store/common/hint_queue.h"
#include "store/postgres/wire/connection.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::store::postgres {

// Hints between the processes of a cluster, over NOTIFY. They are sent after the commit they are
// about, not inside it: a NOTIFY inside would make all commits of the database wait for each other.
// What gets lost is found at the next renewal.
//
// The queue takes hints from any thread; all else is for the one thread that calls await.
class HintChannel {
 public:
  // `listens` is false behind a transaction pooler, which forgets who listens: then this process
  // still gets its own hints and sends them to others, but does not receive theirs.
  HintChannel(Connection::Options options, Duration call_deadline, const Clock& clock, bool listens,
              std::shared_ptr<HintQueue> box)
      : call_deadline_(call_deadline),
        clock_(clock),
        listens_(listens),
        box_(box ? std::move(box) : std::make_shared<HintQueue>()),
        connection_(std::move(options), clock) {}

  HintQueue& box() { return *box_; }

  Result<Hints> await(Duration longest);

 private:
  Status open();
  Status send(const Hints& hints);
  Hints due_for_others(const Hints& hints);
  Duration patience(Duration longest) const;
  BootInstant deadline() const { return clock_.boot_now() + call_deadline_; }

  const Duration call_deadline_;
  const Clock& clock_;
  const bool listens_;
  const std::shared_ptr<HintQueue> box_;
  Connection connection_;
  // What others have not been told of yet, and when they may be told again.
  std::set<PartitionNo> owed_changes_;
  BootInstant changes_from_ = {};
  bool owes_events_ = false;
  BootInstant events_from_ = {};
};

// Hints as texts of notifications, and back. Words that are not understood (a newer program's) are
// passed over.
std::vector<std::string> write_hints(const Hints& hints);
void read_hints(std::string_view text, Hints& hints);

}  // namespace belfry::store::postgres

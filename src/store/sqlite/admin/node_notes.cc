#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

#include <set>

namespace belfry::store::sqlite {

Status SqliteStore::put_node_note(const NodeNote& note) {
  return write([&](const Session& session) -> Status {
    if (note.clock_offset) {
      BELFRY_CHECK(session.db.run(kNoteClockOffset, note.node, *note.clock_offset));
    }
    const std::set<PartitionNo> known(note.partitions.begin(), note.partitions.end());
    std::set<JobId> broken;
    for (const BrokenSchedule& one : note.broken) broken.insert(one.job);
    std::vector<JobId> mended;
    const auto add = [&](Row& row) {
      JobId job;
      row.read(job);
      if (known.contains(partition_of(job)) && !broken.contains(job)) mended.push_back(job);
    };
    BELFRY_CHECK(session.db.each(kBrokenSchedulesOf, add, note.node));
    for (const JobId job : mended) BELFRY_CHECK(session.db.run(kForgetBrokenSchedule, job));
    for (const BrokenSchedule& one : note.broken) {
      BELFRY_CHECK(
          session.db.run(kNoteBrokenSchedule, session.now, note.node, one.job, one.reason));
    }
    return {};
  });
}

}  // namespace belfry::store::sqlite

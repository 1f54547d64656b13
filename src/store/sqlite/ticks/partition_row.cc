#include "store/sqlite/ticks/partition_row.h"

#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<PartitionRow> read_partition(const Session& session, PartitionNo partition) {
  PartitionRow result;
  const auto read = [&](Row& row) {
    row.read(result.owner, result.epoch, result.decided_through, result.version);
  };
  BELFRY_TRY(found, session.db.first(kPartitionRow, read, partition));
  if (!found) {
    return fail(Errc::kNotFound, "no partition " + std::to_string(partition.value()));
  }
  return result;
}

}  // namespace belfry::store::sqlite

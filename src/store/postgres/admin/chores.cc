#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

constexpr int kMostBatches = 1'000;  // of pruned rows in one call; the next call goes on

}  // namespace

Result<RegionNo> PostgresStore::put_region(const std::string& name) {
  for (int i = 0; i < 3; ++i) {  // no row: somebody made a region at the same moment
    BELFRY_TRY(reply, database_.write(kPutRegion, Params().instant(now()).text(name)));
    if (!reply.empty()) return RegionNo(static_cast<std::uint8_t>(reply.row(0).number()));
  }
  return fail(Errc::kConflict, "there are 256 regions already");
}

Result<std::vector<ChoreStore::Region>> PostgresStore::list_regions() {
  BELFRY_TRY(reply, database_.read(kListRegions));
  return read_all(reply, [](Row row) {
    Region region;
    region.no = RegionNo(static_cast<std::uint8_t>(row.number()));
    region.name = row.text();
    return region;
  });
}

Status PostgresStore::keep_history(Duration retention, PastRuns past) {
  BELFRY_TRY(made, database_.write(kMakeHistory, Params().instant(now())));
  if (past == PastRuns::kDrop) {
    const auto params = Params().instant(now()).bigint(retention.count());
    BELFRY_TRY(dropped, database_.write(kDropHistory, params));
  }
  for (const std::string_view prune :
       {kPruneChanges, kPruneEvents, kPruneRequests, kPruneAudit, kPruneLinks, kPruneBulk}) {
    for (int i = 0; i < kMostBatches; ++i) {
      BELFRY_TRY(pruned, database_.write(prune, Params().instant(now())));
      if (pruned.row(0).number() == 0) break;
    }
  }
  for (int i = 0; i < kMostBatches; ++i) {
    const auto params = Params().instant(now()).bigint(retention.count());
    BELFRY_TRY(pruned, database_.write(kPruneRunLogs, params));
    if (pruned.row(0).number() == 0) break;
  }
  BELFRY_TRY(forgotten, database_.write(kPruneNodes, Params().instant(now())));
  return {};
}

Result<std::size_t> PostgresStore::end_pauses(std::size_t most) {
  const auto params = Params().instant(now()).bigint(to_bigint(most));
  BELFRY_TRY(ended, database_.write(kEndPauses, params));
  return static_cast<std::size_t>(ended.row(0).number());
}

Result<std::optional<ChoreStore::SkipCursor>> PostgresStore::sweep_skips(const SkipCursor& after,
                                                                         Duration retention,
                                                                         std::size_t most) {
  BELFRY_TRY(reply, database_.write(kSweepSkips, Params()
                                                     .instant(now())
                                                     .bigint(retention.count())
                                                     .integer(partition_of(after.job).value())
                                                     .bigint(to_bigint(after.job.value()))
                                                     .instant(after.first.instant())
                                                     .bigint(to_bigint(most))));
  if (reply.empty()) return std::nullopt;
  Row row = reply.row(0);
  const JobId job(to_unsigned(row.number()));
  return SkipCursor{job, Tick(row.instant())};
}

}  // namespace belfry::store::postgres

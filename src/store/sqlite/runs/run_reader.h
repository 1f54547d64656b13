#pragma once

#include "store/common/run_pages.h"
#include "store/sqlite/wire/session.h"

#include <span>
#include <string_view>
#include <vector>

namespace belfry::store::sqlite {

// What pages of runs and of the ledger are made of.
class SqliteRunReader final : public RunReader {
 public:
  explicit SqliteRunReader(const Session& session) : db_(session.db) {}

  Result<std::vector<RunRow>> live_of_job(JobId job, const Ask& ask) override;
  Result<std::vector<RunRow>> past_of_job(JobId job, const Ask& ask) override;
  Result<std::vector<RunRow>> live_of_tenant(TenantId tenant, const Ask& ask) override;
  Result<std::vector<RunRow>> past_of_tenant(TenantId tenant, const Ask& ask) override;
  Result<std::vector<RunRow>> unhappy_of_tenant(TenantId tenant, core::RunState state,
                                                const Ask& ask) override;

  Result<std::vector<SkipRow>> skips_of_job(JobId job, const Ask& ask) override;

  Status add_results(std::span<RunRow> runs) override;

 private:
  Result<std::vector<RunRow>> of_job(std::string_view sql, JobId job, const Ask& ask);
  template <typename... More>
  Result<std::vector<RunRow>> of_tenant(std::string_view sql, TenantId tenant, const Ask& ask,
                                        const More&... more);

  Db& db_;
};

}  // namespace belfry::store::sqlite

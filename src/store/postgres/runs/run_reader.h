#pragma once

#include "store/common/run_pages.h"
#include "store/postgres/wire/database.h"

#include <span>
#include <string_view>
#include <vector>

namespace belfry::store::postgres {

// What pages of runs and of the ledger are made of.
class PostgresRunReader final : public RunReader {
 public:
  explicit PostgresRunReader(Database& database) : database_(database) {}

  Result<std::vector<RunRow>> live_of_job(JobId job, const Ask& ask) override;
  Result<std::vector<RunRow>> past_of_job(JobId job, const Ask& ask) override;
  Result<std::vector<RunRow>> live_of_tenant(TenantId tenant, const Ask& ask) override;
  Result<std::vector<RunRow>> past_of_tenant(TenantId tenant, const Ask& ask) override;
  Result<std::vector<RunRow>> unhappy_of_tenant(TenantId tenant, core::RunState state,
                                                const Ask& ask) override;
  Result<std::vector<SkipRow>> skips_of_job(JobId job, const Ask& ask) override;

  Status add_results(std::span<RunRow> runs) override;

 private:
  static Params params_of(std::uint64_t whose, const Ask& ask);
  Result<std::vector<RunRow>> runs(std::string_view statement, const Params& params);

  Database& database_;
};

}  // namespace belfry::store::postgres

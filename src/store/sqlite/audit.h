#pragma once

#include "base/result.h"
#include "store/author.h"
#include "store/sqlite/session.h"

#include <string>
#include <string_view>

// Who did what. Without an actor nothing is written.
namespace belfry::store::sqlite {

struct JobDeed {
  const Author& author;
  std::string_view action;
  std::uint32_t revision_before = 0;  // 0: the job is new
  std::string changed = "[]";         // JSON
  std::string_view note = {};
};
Status audit_job(const Session& session, const JobRow& job, const JobDeed& deed);

Status audit_backfill(const Session& session, TenantId tenant, const Author& author, JobId job,
                      std::int64_t runs);

Status audit_run(const Session& session, TenantId tenant, const Author& author,
                 std::string_view action, const core::RunRef& run);

}  // namespace belfry::store::sqlite

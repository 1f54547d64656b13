#pragma once

#include "base/result.h"
#include "store/author.h"
#include "store/common/access_rules.h"
#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <string>
#include <string_view>

// Who did what. Without an actor nothing is written.
namespace belfry::store::sqlite {

struct JobDeed {
  const Author& author;
  std::string_view action;
  std::uint32_t revision_before = 0;          // 0: the job is new
  std::string changed = R"({"changed":[]})";  // JSON, from differences()
  std::string_view note = {};
};
Status audit_job(const Session& session, const JobRow& job, const JobDeed& deed);

Status audit_run(const Session& session, TenantId tenant, const Author& author,
                 std::string_view action, const core::RunRef& run, std::string_view note = {});

// Writes a row in the transaction of the change it is about, unless the author has no actor.
Status note_audit(const Session& session, const Author& author, const AuditNote& note);

}  // namespace belfry::store::sqlite

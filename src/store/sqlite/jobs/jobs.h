#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <span>
#include <string>
#include <vector>

// JobStore, and the reading half of DecisionStore, function by function; store.h says what each one
// does.
namespace belfry::store::sqlite {

// `settle` runs inside the transaction and must not call the store.
struct Registrations {
  std::vector<JobStore::Registered> answers;
  std::vector<JobId> announced;  // the jobs whose owners should look
};
Result<Registrations> register_all(const Session& session, std::span<const Registration> requests,
                                   const JobStore::Settle& settle);
Result<JobRow> change_job(const Session& session, const JobStore::JobChange& change,
                          const JobStore::Settle& settle);
// The same for a job that was read and checked.
Result<JobRow> apply_change(const Session& session, const JobRow& before,
                            const JobStore::JobChange& change, const JobStore::Settle& settle);

// Decides the one instant of a definition just written, if it was over before it took effect.
// `before` is none for a new job.
Status settle_start(const Session& session, const JobRow* before, const JobRow& after,
                    const JobStore::Settle& settle);

// By id a deleted job is found too, for whoever looks at its history; a name is free again once its
// job is deleted.
Result<JobRow> find_job(const Session& session, JobId job);
Result<JobRow> find_job(const Session& session, TenantId tenant, const std::string& name);

Result<PartitionJobs> load_partition(const Session& session, PartitionNo partition);
Result<std::vector<std::optional<PartitionJobs>>> load_changes(const Session& session,
                                                               std::span<const KnownJobs> known);

}  // namespace belfry::store::sqlite

#include "store/common/bulk_rules.h"

namespace belfry::store {

std::optional<JobStore::JobChange> bulk_change(const JobRow& job, const BulkWork& work,
                                               const BulkStore::JobDeed& deed, Instant now) {
  const core::JobStatus status = core::status_at(now, job.status, job.paused_until);
  if (core::judge(deed.action, status, false) != core::ActionVerdict::kGo) return {};
  JobStore::JobChange change{.job = job.id, .author = work.wanted.author};
  if (deed.action == core::JobAction::kLabel) {
    auto labels = core::edited_labels(job.definition.labels, deed.labels);
    if (!labels) return {};
    change.definition = job.definition;
    change.definition->labels = *std::move(labels);
    change.reschedules = false;
  }
  change.status = core::status_after(deed.action);
  change.paused_until = deed.until;
  change.pause_note = work.wanted.note;
  change.ends_waiting = deed.ends_waiting;
  return change;
}

BulkStore::JobSearch search_of(const BulkStore::Batch& batch) {
  return {.tenant = batch.work.wanted.tenant,
          .selector = batch.selector,
          .after = batch.work.cursor,
          .look = kLookPerBatch,
          .most = batch.most,
          .made_by = batch.work.created_at};
}

Error no_such_bulk(std::uint64_t id) {
  return {.code = Errc::kNotFound, .message = "there is no bulk work " + std::to_string(id)};
}

Error bulk_moved_on() {
  return {.code = Errc::kConflict, .message = "the bulk work is not where it was"};
}

}  // namespace belfry::store

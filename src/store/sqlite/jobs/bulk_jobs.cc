#include "store/common/bulk_rules.h"
#include "store/sqlite/admin/bulk.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/change_job.h"
#include "store/sqlite/jobs/find_job.h"
#include "store/sqlite/sql.h"

#include <algorithm>
#include <cctype>

namespace belfry::store::sqlite {
namespace {

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return c < 128 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
  });
  return text;
}

// Counts all that match, and names the first `most`; with `stops`, the next piece follows those.
Result<SelectedJobs> select_jobs(const Session& session, const BulkStore::JobSearch& search,
                                 bool stops) {
  SelectedJobs found;
  std::uint64_t seen = 0;
  std::string last;
  const auto add = [&](Row& row) {
    JobId id;
    bool matches = false;
    row.read(id, last, matches);
    ++seen;
    if (!matches) return;
    ++found.matched;
    if (found.jobs.size() < search.most) found.jobs.emplace_back(id, last);
  };
  const core::JobSelector& selector = search.selector;
  BELFRY_CHECK(session.db.each(
      kSelectedJobs, add, session.now, search.tenant, search.after, search.look,
      selector.name_prefix, in_small_letters(selector.name_contains), selector.status,
      selector.job_type, selector.failing, label_terms_json(selector), search.made_by));
  const bool is_full = stops && found.jobs.size() == search.most;
  if (is_full) found.next = found.jobs.back().second;
  if (!is_full && seen == search.look) found.next = last;
  return found;
}

}  // namespace

Result<SelectedJobs> SqliteStore::count_selected(const JobSearch& search) {
  return read([&](const Session& session) { return select_jobs(session, search, false); });
}

Result<SelectedJobs> SqliteStore::next_selected(const JobSearch& search) {
  return read([&](const Session& session) { return select_jobs(session, search, true); });
}

Result<BulkStore::BatchDone> SqliteStore::change_selected(const Batch& batch) {
  Settler settler = new_settler();
  std::vector<JobId> rescheduled;
  auto done = write([&](const Session& session) -> Result<BatchDone> {
    BatchDone result;
    BELFRY_TRY(found, select_jobs(session, search_of(batch), true));
    for (const auto& [id, name] : found.jobs) {
      BELFRY_TRY(before, sqlite::find_job(session, id));
      const auto change = bulk_change(before, batch.work, batch.deed, session.now);
      if (!change) continue;
      BELFRY_TRY(changed, apply_change(session, before, *change, settler));
      if (change->reschedules) rescheduled.push_back(id);
      result.settled.emplace_back(id, std::move(changed.settled));
    }
    Progress progress{.work = batch.work, .node = batch.node, .lease = batch.lease};
    progress.next = found.next;
    progress.done = result.settled.size();
    progress.skipped = found.jobs.size() - result.settled.size();
    BELFRY_TRY(work, sqlite::advance_bulk(session, progress));
    result.work = std::move(work);
    return result;
  });
  if (!done) return done;
  if (!rescheduled.empty()) hints_.add_changed(rescheduled);
  for (const auto& [job, settled] : done->settled) {
    hints_.add_touched(job, keys_of_runs(settled.fates));
  }
  return done;
}

}  // namespace belfry::store::sqlite

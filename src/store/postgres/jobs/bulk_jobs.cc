#include "store/common/bulk_rules.h"
#include "store/common/change_rules.h"
#include "store/postgres/admin/bulk.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/calendars.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/jobs/job_writes.h"
#include "store/postgres/sql.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace belfry::store::postgres {
namespace {

// Where a search looks.
Params walk_of(Params params, const BulkStore::JobSearch& search) {
  params.bigint(to_bigint(search.tenant.value())).text(search.after);
  params.bigint(to_bigint(search.look)).text(search.selector.name_prefix);
  return params;
}

// And what it looks for.
Params params_of(const BulkStore::JobSearch& search, std::optional<Instant> now) {
  const core::JobSelector& selector = search.selector;
  std::string part = selector.name_contains;
  std::ranges::transform(part, part.begin(), [](unsigned char c) {
    return c < 128 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
  });
  std::optional<std::int64_t> status;
  if (selector.status) status = static_cast<std::int64_t>(*selector.status);
  Params params = walk_of(Params().instant(now), search);
  params.text(part).maybe_smallint(status).maybe_text(selector.job_type).boolean(selector.failing);
  params.text(label_terms_json(selector)).instant(search.made_by).bigint(to_bigint(search.most));
  return params;
}

SelectedJobs read_counted(const Reply& reply, const BulkStore::JobSearch& search) {
  SelectedJobs found;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const std::uint64_t seen = to_unsigned(row.number());
    if (row.next_is_null()) return found;  // no name at all
    const std::string last = row.text();
    found.matched = to_unsigned(row.number());
    if (seen == search.look) found.next = last;
    if (row.next_is_null()) return found;  // no job
    const JobId id(to_unsigned(row.number()));
    found.jobs.emplace_back(id, row.text());
  }
  return found;
}

// `run` runs a statement, in a transaction or by itself.
template <typename Run>
Result<SelectedJobs> select_next(const BulkStore::JobSearch& search, std::optional<Instant> now,
                                 const Run& run) {
  SelectedJobs found;
  BELFRY_TRY(hits, run(kNextSelected, params_of(search, now)));
  for (int i = 0; i < hits.size(); ++i) {
    Row row = hits.row(i);
    const JobId id(to_unsigned(row.number()));
    found.jobs.emplace_back(id, row.text());
  }
  found.matched = found.jobs.size();
  if (found.jobs.size() == search.most) {
    found.next = found.jobs.back().second;
    return found;
  }
  BELFRY_TRY(looked, run(kNamesLookedAt, walk_of(Params(), search)));
  Row row = looked.row(0);
  const std::uint64_t seen = to_unsigned(row.number());
  if (seen == search.look) found.next = row.text();
  return found;
}

// The search walks along names, which lie in all partitions, and whoever changes a job of a
// partition makes its owner read before it can decide the next tick there. So a batch takes its
// jobs from a longer piece of the walk, partition by partition: the next one finds other
// partitions, and the owner has time.
struct Piece {
  std::string after;  // of the names behind this one
  std::string until;  // up to this one
  JobId handled;      // all jobs up to this one, in the order of partitions, have been handled
};
constexpr std::size_t kBatchesInAPiece = 12;
constexpr char kApart = '\n';  // no name has one

bool goes_before(JobId a, JobId b) {
  return std::pair(partition_of(a), a) < std::pair(partition_of(b), b);
}

std::string write_piece(const Piece& piece) {
  return piece.after + kApart + piece.until + kApart + std::to_string(piece.handled.value());
}

// None: the cursor is a name, and no piece has been begun.
std::optional<Piece> read_piece(const std::string& cursor) {
  const std::size_t first = cursor.find(kApart);
  if (first == std::string::npos) return {};
  const std::size_t second = cursor.find(kApart, first + 1);
  Piece piece{.after = cursor.substr(0, first),
              .until = cursor.substr(first + 1, second - first - 1),
              .handled = {}};
  std::uint64_t handled = 0;
  std::from_chars(cursor.data() + second + 1, cursor.data() + cursor.size(), handled);
  piece.handled = JobId(handled);
  return piece;
}

// What a batch does, and what it leaves to the next one.
struct Chosen {
  SelectedJobs now;
  SelectedJobs left;
};

Chosen choose(SelectedJobs all, Piece piece, std::size_t most) {
  Chosen chosen;
  if (all.jobs.size() > most) {
    const auto end = all.jobs.begin() + static_cast<std::ptrdiff_t>(most);
    chosen.left.jobs.assign(end, all.jobs.end());
    chosen.left.next = std::exchange(all.next, {});
    all.jobs.erase(end, all.jobs.end());
    piece.handled = all.jobs.back().first;
    all.next = write_piece(piece);
  }
  chosen.now = std::move(all);
  return chosen;
}

// The next jobs, up to `search.most`, and where to go on; begins a piece if the search is in none.
template <typename Run>
Result<Chosen> select_in_piece(BulkStore::JobSearch search, std::optional<Instant> now,
                               const Run& run) {
  const std::size_t most = search.most;
  const auto begun = read_piece(search.after);
  if (begun) search.after = begun->after;
  search.most = most * kBatchesInAPiece;
  BELFRY_TRY(found, select_next(search, now, run));
  if (found.jobs.empty() && !begun) return Chosen{.now = std::move(found), .left = {}};
  Piece piece = begun.value_or(Piece{.after = search.after, .until = {}, .handled = {}});
  if (!begun) {
    piece.until = found.next.value_or(found.jobs.back().second);
  } else {
    const bool is_cut_short = found.next && *found.next < piece.until;
    const auto beyond =
        std::erase_if(found.jobs, [&](const auto& job) { return job.second > piece.until; });
    const bool is_last = !found.next && beyond == 0;
    std::erase_if(found.jobs,
                  [&](const auto& job) { return !goes_before(piece.handled, job.first); });
    if (is_cut_short) {  // it is longer than a search now: its beginning goes first, by name
      piece.after = *std::exchange(found.next, {});
      if (found.jobs.size() > most) {
        found.jobs.resize(most);
        piece.after = found.jobs.back().second;
      }
      found.next = write_piece(piece);
      return Chosen{.now = std::move(found), .left = {}};
    }
    if (!is_last) found.next = piece.until;
  }
  std::ranges::sort(found.jobs, goes_before, [](const auto& job) { return job.first; });
  return choose(std::move(found), std::move(piece), most);
}

// One batch, in its transaction.
class BatchOfJobs {
 public:
  BatchOfJobs(Transaction& transaction, std::optional<Instant> now, const BulkStore::Batch& batch,
              SelectedJobs left, core::ZoneCatalog& zones)
      : transaction_(transaction),
        now_(now),
        batch_(batch),
        left_(std::move(left)),
        settler_(zones) {}

  Result<BulkStore::BatchDone> run() {
    BELFRY_CHECK(hold_bulk(transaction_, batch_.work, batch_.node));
    BELFRY_TRY(chosen, select());
    const SelectedJobs& found = chosen.now;
    left_ = std::move(chosen.left);
    BELFRY_CHECK(change(found));
    BulkStore::Progress progress{.work = batch_.work, .node = batch_.node, .lease = batch_.lease};
    progress.next = found.next;
    progress.done = edits_.size();
    progress.skipped = found.jobs.size() - edits_.size();
    BELFRY_TRY(work, advance_bulk(transaction_, now_, progress));
    BulkStore::BatchDone done{.work = std::move(work), .settled = {}};
    for (JobEdit& edit : edits_) done.settled.emplace_back(edit.after.id, std::move(edit.settled));
    return done;
  }

  // After run(): what it leaves to the next one.
  const SelectedJobs& left() const { return left_; }

  std::vector<JobId> rescheduled() const {
    std::vector<JobId> ids;
    for (const JobEdit& edit : edits_) {
      if (edit.change.reschedules) ids.push_back(edit.after.id);
    }
    return ids;
  }

 private:
  Result<Chosen> select() {
    const auto begun = read_piece(batch_.work.cursor);
    // A single job is the one that next_selected finds.
    if (begun && !left_.jobs.empty() && batch_.most > 1) {
      return choose(std::move(left_), *begun, batch_.most);
    }
    const auto ask = [this](std::string_view sql, const Params& params) {
      return transaction_.run(sql, params);
    };
    return select_in_piece(search_of(batch_), now_, ask);
  }

  Status change(const SelectedJobs& found) {
    if (found.jobs.empty()) return {};
    std::set<PartitionNo> numbers;
    std::vector<std::int64_t> ids;
    for (const auto& [id, name] : found.jobs) {
      numbers.insert(partition_of(id));
      ids.push_back(to_bigint(id.value()));
    }
    BELFRY_TRY(partitions, lock_partitions(transaction_, now_, numbers));
    if (partitions.empty()) return {};
    const Instant at = partitions.begin()->second.now;
    const bool restates = batch_.deed.action != core::JobAction::kLabel;
    BELFRY_TRY(reply,
               transaction_.run(restates ? kJobsToRestate : kJobsToChange, Params().bigints(ids)));
    for (JobRow& job : read_all(reply, read_whole_job)) add_edit(std::move(job), at);
    if (edits_.empty()) return {};
    BELFRY_CHECK(settle_ticks(transaction_, edits_, partitions, settler_));
    std::vector<JobRow*> announced;
    for (JobEdit& edit : edits_) {
      if (!edit.change.reschedules) continue;
      BELFRY_CHECK(follow_calendar(transaction_, edit.before, edit.after));
      announced.push_back(&edit.after);
    }
    BELFRY_CHECK(update_jobs(transaction_, at, edits_));
    return announce_jobs(transaction_, at, announced);
  }

  void add_edit(JobRow job, Instant at) {
    if (job.status == core::JobStatus::kDeleted) return;
    auto change = bulk_change(job, batch_.work, batch_.deed, at);
    if (!change) return;
    JobRow after = changed(job, *change);
    after.updated_at = at;
    edits_.push_back(
        {.before = std::move(job), .after = std::move(after), .change = *std::move(change)});
  }

  Transaction& transaction_;
  const std::optional<Instant> now_;
  const BulkStore::Batch& batch_;
  SelectedJobs left_;  // by the batch before; after run() by this one
  Settler settler_;
  std::vector<JobEdit> edits_;
};

}  // namespace

Result<SelectedJobs> PostgresStore::count_selected(const JobSearch& search) {
  BELFRY_TRY(reply, database_.read(kCountSelected, params_of(search, now())));
  return read_counted(reply, search);
}

Result<SelectedJobs> PostgresStore::next_selected(const JobSearch& search) {
  const auto ask = [this](std::string_view sql, const Params& params) {
    return database_.read(sql, params);
  };
  if (!read_piece(search.after)) return select_next(search, now(), ask);
  BELFRY_TRY(chosen, select_in_piece(search, now(), ask));
  return std::move(chosen.now);
}

Result<BulkStore::BatchDone> PostgresStore::change_selected(const Batch& batch) {
  BatchDone done;
  std::vector<JobId> rescheduled;
  const auto before = left_of_piece_.find(batch.work);
  LeftOfPiece::Selected left{.jobs = {}, .at = before ? before->at : clock_.boot_now()};
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    BatchOfJobs jobs(transaction, now(), batch, before ? before->jobs : SelectedJobs(), zones_);
    BELFRY_TRY(changed, jobs.run());
    done = std::move(changed);
    rescheduled = jobs.rescheduled();
    left.jobs = jobs.left();
    return {};
  }));
  left_of_piece_.keep(done.work, std::move(left));
  if (!rescheduled.empty()) hints_.box().add_changed(rescheduled);
  for (const auto& [job, settled] : done.settled) {
    hints_.box().add_touched(job, keys_of_runs(settled.fates));
  }
  hints_.box().add_events();
  return done;
}

}  // namespace belfry::store::postgres

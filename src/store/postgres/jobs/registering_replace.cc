#include "store/common/change_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/calendars.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/jobs/registering.h"
#include "store/postgres/sql.h"

#include <algorithm>
#include <set>
#include <utility>

// Registering jobs whose names are taken: they are replaced.
namespace belfry::store::postgres {
namespace {

using Outcome = RegisteredJob::Outcome;

}  // namespace

// The jobs whose names are taken and that are to be replaced.
Status Registering::read_existing(Transaction& transaction) {
  const std::vector<Item*> items = items_where([](const Item& item) { return item.exists; });
  for (Item* item : items) item->exists = false;
  BELFRY_CHECK(match(transaction, items));
  const bool all = std::ranges::all_of(items, [](const Item* item) { return item->exists; });
  if (!all) return try_again("a job changed meanwhile");
  for (Item* item : items) {
    const Status may = check_may_exec(*item->request, &item->job, *item->wanted);
    if (!may) refuse(*item, may.error());
  }
  return {};
}

// Finds the jobs that have the wanted names.
Status Registering::match(Transaction& transaction, const std::vector<Item*>& items) {
  if (items.empty()) return {};
  std::vector<std::int64_t> tenants;
  std::vector<std::string_view> names;
  std::vector<std::string_view> labels;
  for (const Item* item : items) {
    tenants.push_back(to_bigint(item->wanted->tenant.value()));
    names.push_back(item->wanted->definition.name);
    labels.push_back(item->wanted->definition.labels);
  }
  BELFRY_TRY(reply,
             transaction.run(kMatchJobs, Params().bigints(tenants).texts(names).texts(labels)));
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    Item& item = *items.at(static_cast<std::size_t>(row.number() - 1));
    const bool same_labels = row.boolean();
    item.job = read_whole_job(row);
    if (same_labels) item.job.definition.labels = item.wanted->definition.labels;
    item.exists = true;
    item.outcome = Outcome::kUnchanged;
  }
  return {};
}

Status Registering::replace(Transaction& transaction) {
  const auto differs = [](const Item& item) {
    return item.exists && replacement(item.job, *item.wanted, item.request->author);
  };
  const std::vector<Item*> items = items_where(differs);
  return items.empty() ? Status() : edit(transaction, items);
}

Status Registering::edit(Transaction& transaction, const std::vector<Item*>& items) {
  std::set<PartitionNo> numbers;
  for (const Item* item : items) numbers.insert(partition_of(item->job.id));
  // The partitions of new jobs as well, so that all locks are taken in one order.
  for (const Item* item : items_where([](const Item& item) { return item.announce; })) {
    numbers.insert(partition_of(item->job.id));
  }
  BELFRY_TRY(partitions, lock_partitions(transaction, now_, numbers));
  // From here on nobody else changes these jobs. A name may belong to another job by now, or
  // to none.
  std::vector<JobId> expected;
  for (Item* item : items) {
    expected.push_back(item->job.id);
    item->exists = false;
  }
  BELFRY_CHECK(match(transaction, items));
  std::vector<JobEdit> edits;
  std::vector<Item*> edited;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Item& item = *items[i];
    if (!item.exists || item.job.id != expected[i]) return try_again("a job changed meanwhile");
    // What is refused is refused before anything is written: with a fresh look.
    if (!check_may_exec(*item.request, &item.job, *item.wanted)) {
      return try_again("a job changed meanwhile");
    }
    const auto change = replacement(item.job, *item.wanted, item.request->author);
    if (!change) continue;
    edits.push_back({.before = item.job, .after = changed(item.job, *change), .change = *change});
    edited.push_back(&item);
  }
  if (edits.empty()) return {};
  BELFRY_CHECK(settle_ticks(transaction, edits, partitions, settler_));
  changed_anything_ = true;
  const Instant at = partitions.begin()->second.now;
  for (JobEdit& edit : edits) {
    edit.after.updated_at = at;
    if (edit.change.reschedules) {
      BELFRY_CHECK(follow_calendar(transaction, edit.before, edit.after));
    }
  }
  BELFRY_CHECK(update_jobs(transaction, at, edits));
  for (std::size_t i = 0; i < edits.size(); ++i) {
    edited[i]->begins =
        edits[i].change.reschedules && may_begin_late(&edits[i].before, edits[i].after);
    edited[i]->job = std::move(edits[i].after);
    edited[i]->settled = std::move(edits[i].settled);
    edited[i]->outcome = Outcome::kReplaced;
    edited[i]->announce = edits[i].change.reschedules;
  }
  return {};
}

}  // namespace belfry::store::postgres

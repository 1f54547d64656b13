#include "store/postgres/register.h"

#include "store/job_change.h"
#include "store/postgres/calendars.h"
#include "store/postgres/implementation.h"
#include "store/postgres/job_columns.h"
#include "store/postgres/new_jobs.h"
#include "store/postgres/sql.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace belfry::store::postgres {
namespace {

using Outcome = RegisteredJob::Outcome;

}  // namespace

template <typename Which>
std::vector<Registering::Item*> Registering::items_where(const Which& which) {
  std::vector<Item*> found;
  for (Work& work : work_) {
    if (!work.is_open()) continue;
    for (Item& item : work.items) {
      if (which(item)) found.push_back(&item);
    }
  }
  return found;
}

Status Registering::run(Transaction& transaction) {
  begin();
  BELFRY_CHECK(take_keys(transaction));
  const auto may_replace = [](const Item& item) {
    return item.request->replace && item.outcome != Outcome::kRepeated;
  };
  BELFRY_CHECK(match(transaction, items_where(may_replace)));
  BELFRY_CHECK(check_quotas(transaction));
  BELFRY_CHECK(create(transaction));
  BELFRY_CHECK(replace(transaction));
  BELFRY_CHECK(announce(transaction));
  return keep_keys(transaction);
}

void Registering::begin() {
  again_ = false;
  changed_anything_ = false;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    work_[i].items.clear();
    work_[i].refused.reset();
    for (const NewJob& job : requests_[i]->jobs) {
      work_[i].items.push_back({.request = requests_[i],
                                .request_number = i,
                                .wanted = &job,
                                .job = {.tenant = job.tenant, .definition = job.definition}});
    }
  }
}

Status Registering::take_keys(Transaction& transaction) {
  std::vector<const Once*> keys;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (work_[i].is_open() && requests_[i]->once) keys.push_back(&*requests_[i]->once);
  }
  BELFRY_TRY(earlier, postgres::take_keys(transaction, now_, keys));
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const auto& once = requests_[i]->once;
    if (!once || !work_[i].is_open()) continue;
    const auto found = earlier.find({once->tenant, once->key});
    if (found == earlier.end()) continue;
    if (found->second.fingerprint != once->fingerprint) {
      work_[i].refused = key_taken();
      continue;
    }
    work_[i].items.clear();
    for (JobRow& job : found->second.jobs) {
      work_[i].items.push_back({.request = requests_[i],
                                .request_number = i,
                                .job = std::move(job),
                                .outcome = Outcome::kRepeated});
    }
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

// Looked at before anything is written; what others create at this moment is not seen. Of requests
// that do not fit together the first ones are let in.
Status Registering::check_quotas(Transaction& transaction) {
  const auto is_new = [](const Item& item) {
    return !item.exists && item.outcome != Outcome::kRepeated;
  };
  std::map<TenantId, std::int64_t> added;
  for (const Item* item : items_where(is_new)) ++added[item->wanted->tenant];
  std::vector<std::int64_t> tenants;
  std::vector<std::int64_t> counts;
  for (const auto& [tenant, count] : added) {
    tenants.push_back(to_bigint(tenant.value()));
    counts.push_back(count);
  }
  if (tenants.empty()) return {};
  BELFRY_TRY(reply, transaction.run(kFullTenants, Params().bigints(tenants).bigints(counts)));
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const TenantId tenant(to_unsigned(row.number()));
    std::int64_t existing = row.number();
    row.skip(1);
    const std::int64_t most = row.number();
    for (Work& work : work_) {
      if (!work.is_open()) continue;
      const auto more = std::ranges::count_if(work.items, [&](const Item& item) {
        return is_new(item) && item.wanted->tenant == tenant;
      });
      if (existing + more > most) {
        work.refused = too_many_jobs(tenant, existing, more, most);
      } else {
        existing += more;
      }
    }
  }
  return {};
}

// The heavy part, before any partition is locked.
Status Registering::create(Transaction& transaction) {
  const auto is_new = [](const Item& item) {
    return !item.exists && item.outcome != Outcome::kRepeated;
  };
  std::vector<Item*> items = items_where(is_new);
  if (items.empty()) return {};
  BELFRY_CHECK(prepare(transaction, items));
  BELFRY_CHECK(take_calendars(transaction, items_where(is_new)));
  items = items_where(is_new);
  if (items.empty()) return {};
  // In order, so that two transactions never wait for each other's names.
  std::ranges::sort(items, [](const Item* a, const Item* b) {
    return std::tie(a->job.tenant, a->job.definition.name) <
           std::tie(b->job.tenant, b->job.definition.name);
  });
  changed_anything_ = true;
  return insert(transaction, items);
}

// Gives new jobs their ids; refuses the requests that cannot have all of theirs.
Status Registering::prepare(Transaction& transaction, const std::vector<Item*>& items) {
  std::vector<std::int64_t> tenants;
  std::vector<std::string_view> names;
  std::vector<std::int64_t> regions;
  for (const Item* item : items) {
    tenants.push_back(to_bigint(item->wanted->tenant.value()));
    names.push_back(item->wanted->definition.name);
    regions.push_back(item->wanted->region.value());
  }
  BELFRY_TRY(reply, transaction.run(
                        kPrepareJobs,
                        Params().instant(now_).bigints(tenants).texts(names).smallints(regions)));
  for (std::size_t i = 0; i < items.size(); ++i) {
    Item& item = *items[i];
    Row row = reply.row(static_cast<int>(i));
    item.job.id = make_job_id(to_unsigned(row.number()), item.wanted->region);
    const bool has_tenant = row.boolean();
    const bool has_region = row.boolean();
    const bool is_free = row.boolean();
    item.job.effective_from = item.job.created_at = item.job.updated_at = row.instant();
    if (!has_tenant) {
      refuse(item, no_such_tenant(item.wanted->tenant));
    } else if (!has_region) {
      refuse(item, {.code = Errc::kNotFound, .message = "no such region"});
    } else if (!is_free && item.request->replace) {
      return try_again("a job of the same name was made at the same moment");
    } else if (!is_free) {
      refuse(item, name_taken(item.wanted->definition.name));
    }
  }
  return {};
}

// The rules of their calendars. Where one is missing, its request is refused.
Status Registering::take_calendars(Transaction& transaction, const std::vector<Item*>& items) {
  std::vector<JobRow*> jobs;
  for (Item* item : items) jobs.push_back(&item->job);
  auto taken = postgres::take_calendars(transaction, jobs);
  if (taken || taken.error().code != Errc::kNotFound) return taken;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto one = postgres::take_calendars(transaction, {&jobs[i], 1});
    if (one) continue;
    if (one.error().code != Errc::kNotFound) return one;
    refuse(*items[i], one.error());
  }
  return {};
}

Status Registering::insert(Transaction& transaction, const std::vector<Item*>& items) {
  std::vector<NewJobRow> rows;
  for (Item* item : items) {
    if (item->request->paused) {
      item->job.status = core::JobStatus::kPaused;
      item->job.paused_by = item->request->author.actor;
    }
    item->announce = true;
    item->begins = true;
    rows.push_back({&item->job, &item->request->author});
  }
  auto written = write_new_jobs(transaction, rows);
  if (!written && written.error().code == Errc::kConflict) {
    return try_again("a job of the same name was made at the same moment");
  }
  return written;
}

// All jobs of its request; nothing of it is written yet.
void Registering::refuse(const Item& item, Error error) {
  Work& work = work_[item.request_number];
  if (!work.refused) work.refused = std::move(error);
}

Status Registering::try_again(std::string why) {
  again_ = true;
  return fail(Errc::kUnavailable, std::move(why));
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
  // Those of the new jobs as well: all locks in one order.
  for (const Item* item : items_where([](const Item& item) { return item.announce; })) {
    numbers.insert(partition_of(item->job.id));
  }
  BELFRY_TRY(partitions, lock_partitions(transaction, now_, numbers));
  // Only now nobody else changes them. One that is gone has become another, or none.
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
    const auto change = replacement(item.job, *item.wanted, item.request->author);
    if (!change) continue;
    edits.push_back({.before = item.job, .after = changed(item.job, *change), .change = *change});
    edited.push_back(&item);
  }
  if (edits.empty()) return {};
  BELFRY_CHECK(settle_ticks(transaction, edits, partitions, settle_));
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
    edited[i]->outcome = Outcome::kReplaced;
    edited[i]->announce = edits[i].change.reschedules;
  }
  return {};
}

Status Registering::announce(Transaction& transaction) {
  std::vector<JobRow*> jobs;
  for (Item* item : items_where([](const Item& item) { return item.announce; })) {
    jobs.push_back(&item->job);
  }
  std::set<JobId> fresh;
  for (Item* item : items_where(
           [](const Item& item) { return item.announce && item.outcome == Outcome::kCreated; })) {
    fresh.insert(item->job.id);
  }
  BELFRY_CHECK(announce_jobs(transaction, now_, jobs, fresh));
  std::vector<const JobRow*> begun;
  for (const Item* item : items_where([](const Item& item) { return item.begins; })) {
    if (may_begin_late(nullptr, item->job)) begun.push_back(&item->job);
  }
  return settle_starts(transaction, now_, begun, settle_);
}

Status Registering::keep_keys(Transaction& transaction) {
  std::map<OnceKey, std::vector<JobId>> led_to;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const Work& work = work_[i];
    const auto& once = requests_[i]->once;
    const bool taken_before = work.refused && work.refused->field == "idempotency_key";
    if (!once || taken_before) continue;
    const bool repeated = !work.items.empty() && work.items[0].outcome == Outcome::kRepeated;
    if (repeated) continue;
    std::vector<JobId>& jobs = led_to[{once->tenant, once->key}];
    if (work.refused) continue;
    for (const Item& item : work.items) jobs.push_back(item.job.id);
  }
  return postgres::keep_keys(transaction, led_to);
}

JobStore::Registered Registering::take_answer(std::size_t request) {
  Work& work = work_[request];
  if (work.refused) return fail(*work.refused);
  std::vector<RegisteredJob> jobs;
  jobs.reserve(work.items.size());
  for (Item& item : work.items) {
    jobs.push_back({.job = std::move(item.job), .outcome = item.outcome});
  }
  return jobs;
}

std::vector<JobRow> Registering::announced() const {
  std::vector<JobRow> jobs;
  for (const Work& work : work_) {
    if (!work.is_open()) continue;
    for (const Item& item : work.items) {
      if (item.announce) jobs.push_back({.id = item.job.id});
    }
  }
  return jobs;
}

}  // namespace belfry::store::postgres

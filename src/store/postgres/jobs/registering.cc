#include "store/postgres/jobs/registering.h"

#include "store/common/access_rules.h"
#include "store/common/change_rules.h"
#include "store/common/job_rules.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/calendars.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/sql.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace belfry::store::postgres {
namespace {

using Outcome = RegisteredJob::Outcome;

}  // namespace

Status Registering::run(Database& database) {
  if (is_plain()) return run_plain(database);
  return database.transaction(
      [this](Transaction& transaction) { return run_step_by_step(transaction); });
}

// Whether all that is written is known beforehand: a few new jobs, nothing that depends on what the
// transaction finds. A single instant does, because it may have passed by then.
bool Registering::is_plain() const {
  const auto job_is_plain = [](const NewJob& job) {
    const core::ScheduleSpec& schedule = job.definition.schedule;
    return schedule.calendar_name.empty() && schedule.type != core::ScheduleSpec::Type::kOnce;
  };
  for (const Registration* request : requests_) {
    if (request->replace || request->idempotency) return false;
    if (!std::ranges::all_of(request->jobs, job_is_plain)) return false;
  }
  return count_jobs() < kWorthCopying;
}

bool Registering::may_exec() const {
  return std::ranges::all_of(requests_, [](const Registration* request) {
    return std::ranges::all_of(request->jobs, [&](const NewJob& job) {
      return check_may_exec(*request, nullptr, job).has_value();
    });
  });
}

std::size_t Registering::count_jobs() const {
  std::size_t jobs = 0;
  for (const Registration* request : requests_) jobs += request->jobs.size();
  return jobs;
}

Status Registering::run_plain(Database& database) {
  if (may_exec()) {
    if (const auto drawn = stock_.take(count_jobs())) {
      BELFRY_TRY(written, run_at_once(database, *drawn));
      if (written) return {};
    }
  }
  return run_in_flight(database);
}

// One round trip. False: nothing was written, because somebody is not let in; the longer way tells
// whom, and why.
Result<bool> Registering::run_at_once(Database& database, const RegistrationStock::Drawn& drawn) {
  begin();
  types_ = drawn.types;
  auto serial = drawn.serials.begin();
  for (Item* item : items_where(is_new)) {
    item->job.id = make_job_id(*serial++, item->wanted->region);
    const Instant now = now_.value_or(drawn.now);
    item->job.effective_from = item->job.created_at = item->job.updated_at = now;
  }
  auto written = write_new(database, new_rows(), LetIn::kAskFirst);
  if (!written && written.error().code == Errc::kConflict) return false;
  return written;
}

// Two round trips instead of nine. What the first one sees may be outdated when the second writes,
// like everything read without a lock: unique names and the second one's partition locks guard
// against that.
Status Registering::run_in_flight(Database& database) {
  begin();
  const Ask ask = [&](std::string_view sql, const Params& params) {
    return database.read(sql, params);
  };
  BELFRY_CHECK(prepare(ask, items_where(is_new)));
  const std::vector<NewJobRow> rows = new_rows();
  if (rows.empty()) return {};
  const auto done = write_new(database, rows, LetIn::kAlready);
  return done ? Status() : written(fail(done.error()));
}

// And draws for the next one, where that is wanted. False: they were not let in.
Result<bool> Registering::write_new(Database& database, const std::vector<NewJobRow>& rows,
                                    LetIn let_in) {
  const std::vector<JobRow*> jobs = announced_jobs();
  BELFRY_TRY(inserted, insertion(rows, types_, let_in));
  std::vector<Statement> statements;
  statements.push_back(std::move(inserted));
  statements.push_back(announcement(now_, jobs, fresh_jobs(), let_in));
  const bool draws = stock_.is_low();
  if (draws) statements.push_back(RegistrationStock::draw(now_));
  BELFRY_TRY(replies, database.write_together(statements));
  if (draws) stock_.put(replies.back());
  const Reply& announced = replies.at(1);
  take_starts(announced, jobs);
  return !announced.empty();
}

Status Registering::run_step_by_step(Transaction& transaction) {
  begin();
  BELFRY_CHECK(take_keys(transaction));
  const Ask ask = [&](std::string_view sql, const Params& params) {
    return transaction.run(sql, params);
  };
  BELFRY_CHECK(prepare(ask, items_where(is_new)));
  BELFRY_CHECK(read_existing(transaction));
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
    work_[i].items.reserve(requests_[i]->jobs.size());
    for (const NewJob& job : requests_[i]->jobs) {
      work_[i].items.push_back({.request = requests_[i],
                                .request_number = i,
                                .wanted = &job,
                                .job = {.tenant = job.tenant, .definition = job.definition}});
    }
  }
}

Status Registering::take_keys(Transaction& transaction) {
  std::vector<const IdempotencyKey*> keys;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (work_[i].is_open() && requests_[i]->idempotency)
      keys.push_back(&*requests_[i]->idempotency);
  }
  BELFRY_TRY(earlier, postgres::take_keys(transaction, now_, keys));
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const auto& idempotency = requests_[i]->idempotency;
    if (!idempotency || !work_[i].is_open()) continue;
    const auto found = earlier.find({idempotency->tenant, idempotency->key});
    if (found == earlier.end()) continue;
    if (found->second.fingerprint != idempotency->fingerprint) {
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

// The heavy part, before any partition is locked.
Status Registering::create(Transaction& transaction) {
  BELFRY_CHECK(take_calendars(transaction, items_where(is_new)));
  const std::vector<NewJobRow> rows = new_rows();
  if (rows.empty()) return {};
  if (rows.size() >= kWorthCopying) return written(copy_new_jobs(transaction, rows));
  BELFRY_TRY(statement, insertion(rows, types_, LetIn::kAlready));
  const auto inserted = transaction.run(statement.sql, statement.params);
  return inserted ? Status() : written(fail(inserted.error()));
}

// Finds out which jobs are new and gives them their ids; refuses the requests that cannot have all
// of theirs.
Status Registering::prepare(const Ask& ask, const std::vector<Item*>& items) {
  if (items.empty()) return {};
  std::vector<std::int64_t> tenants;
  std::vector<std::string_view> names;
  std::vector<std::int64_t> regions;
  for (const Item* item : items) {
    tenants.push_back(to_bigint(item->wanted->tenant.value()));
    names.push_back(item->wanted->definition.name);
    regions.push_back(item->wanted->region.value());
  }
  BELFRY_TRY(reply, ask(kPrepareJobs,
                        Params().instant(now_).bigints(tenants).texts(names).smallints(regions)));
  std::map<TenantId, std::pair<std::int64_t, std::int64_t>> quotas;
  Instant now;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    Item& item = *items.at(static_cast<std::size_t>(row.number() - 1));
    const bool has_tenant = row.boolean();
    const bool has_region = row.boolean();
    const bool is_free = row.boolean();
    item.job.id = make_job_id(to_unsigned(row.number()), item.wanted->region);
    if (row.next_is_null()) {  // no limit
      row.skip(2);
    } else {
      const std::int64_t existing = row.number();
      quotas[item.wanted->tenant] = {existing, row.number()};
    }
    if (!row.next_is_null()) {
      now = row.instant();
      types_ = read_types(row);
    }
    if (!has_tenant) {
      refuse(item, no_such_tenant());
    } else if (!has_region) {
      refuse(item, {.code = Errc::kNotFound, .message = "no such region"});
    } else if (!is_free && !item.request->replace) {
      refuse(item, name_taken(item.wanted->definition.name));
    } else if (is_free) {
      const Status may = check_may_exec(*item.request, nullptr, *item.wanted);
      if (!may) refuse(item, may.error());
    }
    item.exists = !is_free;
  }
  for (Item* item : items) {
    item->job.effective_from = item->job.created_at = item->job.updated_at = now;
  }
  for (const auto& [tenant, quota] : quotas) check_quota(tenant, quota.first, quota.second);
  return {};
}

// Checked before anything is written; jobs that others create at this moment are not seen. If the
// requests do not all fit, the first ones are let in.
void Registering::check_quota(TenantId tenant, std::int64_t existing, std::int64_t most) {
  for (Work& work : work_) {
    if (!work.is_open()) continue;
    const auto more = std::ranges::count_if(work.items, [&](const Item& item) {
      return is_new(item) && item.wanted->tenant == tenant;
    });
    const Status fits = store::check_quota(existing, more, most);
    if (fits) {
      existing += more;
    } else {
      work.refused = fits.error();
    }
  }
}

// Copies the rules of the jobs' calendars. Where one is missing, its request is refused.
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

// What is to be written of the new jobs, in order, so that two transactions never wait for each
// other's names.
std::vector<NewJobRow> Registering::new_rows() {
  std::vector<Item*> items = items_where(is_new);
  std::ranges::sort(items, [](const Item* a, const Item* b) {
    return std::tie(a->job.tenant, a->job.definition.name) <
           std::tie(b->job.tenant, b->job.definition.name);
  });
  std::vector<NewJobRow> rows;
  for (Item* item : items) {
    start_as_asked(item->job, *item->request);
    item->announce = true;
    item->begins = true;
    rows.push_back({&item->job, &item->request->author});
  }
  changed_anything_ |= !rows.empty();
  return rows;
}

// A name that was free a moment ago may be taken now.
Status Registering::written(Status status) {
  if (status || status.error().code != Errc::kConflict) return status;
  return try_again("a job of the same name was made at the same moment");
}

// Refuses all jobs of the item's request; nothing of it is written yet.
void Registering::refuse(const Item& item, Error error) {
  Work& work = work_[item.request_number];
  if (!work.refused) work.refused = std::move(error);
}

Status Registering::try_again(std::string why) {
  again_ = true;
  return fail(Errc::kUnavailable, std::move(why));
}

std::vector<JobRow*> Registering::announced_jobs() {
  std::vector<JobRow*> jobs;
  for (Item* item : items_where([](const Item& item) { return item.announce; })) {
    jobs.push_back(&item->job);
  }
  return jobs;
}

std::unordered_set<JobId> Registering::fresh_jobs() {
  std::unordered_set<JobId> fresh;
  for (Item* item : items_where([](const Item& item) { return item.announce && is_new(item); })) {
    fresh.insert(item->job.id);
  }
  return fresh;
}

Status Registering::announce(Transaction& transaction) {
  BELFRY_CHECK(announce_jobs(transaction, now_, announced_jobs(), fresh_jobs()));
  std::vector<BegunJob> begun;
  for (Item* item : items_where([](const Item& item) { return item.begins; })) {
    if (may_begin_late(nullptr, item->job)) begun.push_back({&item->job, &item->settled});
  }
  return settle_starts(transaction, now_, begun, settler_);
}

Status Registering::keep_keys(Transaction& transaction) {
  std::map<KeyOfTenant, std::vector<JobId>> led_to;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const Work& work = work_[i];
    const auto& idempotency = requests_[i]->idempotency;
    const bool taken_before = work.refused && work.refused->field == "idempotency_key";
    if (!idempotency || taken_before) continue;
    const bool repeated = !work.items.empty() && work.items[0].outcome == Outcome::kRepeated;
    if (repeated) continue;
    std::vector<JobId>& jobs = led_to[{idempotency->tenant, idempotency->key}];
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
    jobs.push_back(
        {.job = std::move(item.job), .outcome = item.outcome, .settled = std::move(item.settled)});
  }
  return jobs;
}

std::vector<JobId> Registering::announced() const {
  std::vector<JobId> jobs;
  for (const Work& work : work_) {
    if (!work.is_open()) continue;
    for (const Item& item : work.items) {
      if (item.announce) jobs.push_back(item.job.id);
    }
  }
  return jobs;
}

}  // namespace belfry::store::postgres

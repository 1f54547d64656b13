#include "service/health/given_up.h"

#include "core/book/live_run.h"
#include "core/overlap.h"
#include "core/queue.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace belfry::service {
namespace {

constexpr Duration kLately = std::chrono::minutes(10);
constexpr std::size_t kTenants = 20;  // in a look
constexpr std::size_t kRuns = 100;    // of a tenant: the last ones
constexpr std::size_t kJobs = 20;     // of a tenant, to be read

bool is_of(const GivenUpRuns& runs, const std::string& queue, std::optional<RegionNo> region) {
  return runs.queue == queue && runs.region == region;
}

void add(std::vector<GivenUpRuns>& to, GivenUpRuns more) {
  const auto same = std::ranges::find_if(
      to, [&](const GivenUpRuns& each) { return is_of(each, more.queue, more.region); });
  if (same == to.end()) return to.push_back(std::move(more));
  same->runs += more.runs;
  same->first = std::min(same->first, more.first);
  same->last_due = std::max(same->last_due, more.last_due);
  same->last = std::max(same->last, more.last);
}

// What is wrong for longer than the look reaches began when it was seen first.
void keep_first(const std::vector<GivenUpRuns>& before, std::vector<GivenUpRuns>& now) {
  for (GivenUpRuns& runs : now) {
    for (const GivenUpRuns& known : before) {
      if (is_of(known, runs.queue, runs.region)) runs.first = std::min(runs.first, known.first);
    }
  }
}

// A look at a tenant.
class TenantLook {
 public:
  TenantLook(store::Store& store, TenantId tenant, Instant since)
      : store_(store), tenant_(tenant), since_(since) {}

  Result<std::vector<GivenUpRuns>> take() {
    BELFRY_TRY(dead, runs_in(core::RunState::kDead, since_));
    sort_out(dead.runs);
    if (given_up_.empty()) return std::move(found_);
    const bool exact = !dead.next && given_up_.size() < kJobs;
    BELFRY_CHECK(forget_started());
    BELFRY_CHECK(gather(exact));
    if (!found_.empty()) BELFRY_CHECK(note_served());
    return std::move(found_);
  }

 private:
  struct OfJob {
    std::int64_t runs = 0;
    Instant first;
    Instant last_due;
    Instant last;
  };

  Result<store::RunPage> runs_in(core::RunState state, Instant from) {
    return store_.list_runs({.tenant = tenant_, .state = state, .from = from}, "", kRuns);
  }

  void sort_out(const std::vector<store::RunRow>& dead) {
    for (const store::RunRow& run : dead) {
      if (run.reason != core::DeadReason::kNotStarted) note_worked_on(run);
      if (run.reason != core::DeadReason::kNotStarted || !run.finished_at) continue;
      if (!given_up_.contains(run.run.job) && given_up_.size() == kJobs) continue;
      OfJob& job = given_up_[run.run.job];
      job.first = job.runs == 0 ? run.scheduled_for : std::min(job.first, run.scheduled_for);
      job.last_due = std::max(job.last_due, run.scheduled_for);
      job.last = std::max(job.last, *run.finished_at);
      ++job.runs;
    }
  }

  void note_worked_on(const store::RunRow& run) {
    Instant& until = worked_on_[run.run.job];
    until = std::max(until, run.finished_at.value_or(until));
  }

  Status forget_started() {
    std::vector<JobId> jobs;
    for (const auto& [job, runs] : given_up_) jobs.push_back(job);
    BELFRY_TRY(health, store_.health_of(jobs));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const auto& last = health[i].last;
      if (!last || last->reason != core::DeadReason::kNotStarted) given_up_.erase(jobs[i]);
    }
    return {};
  }

  // By queue and region.
  Status gather(bool exact) {
    BELFRY_TRY(regions, store_.list_regions());
    const auto called = [&](RegionNo region) {
      const auto named = std::ranges::find(regions, region, &store::ChoreStore::Region::no);
      return regions.size() < 2 || named == regions.end() ? std::string() : named->name;
    };
    for (const auto& [job, runs] : given_up_) {
      BELFRY_TRY(place, place_of(job));
      if (!place) continue;
      if (place->exclusive) {
        BELFRY_TRY(is_own, waited_for_own(job, runs));
        if (is_own) continue;
      }
      add(found_, {.queue = place->queue,
                   .tenant = tenant_,
                   .region = place->region,
                   .region_name = place->region ? called(*place->region) : "",
                   .runs = runs.runs,
                   .exact = exact,
                   .first = runs.first,
                   .last_due = runs.last_due,
                   .last = runs.last});
    }
    return {};
  }

  // Whether a run of the job itself was in their way.
  Result<bool> waited_for_own(JobId job, const OfJob& given_up) {
    BELFRY_TRY(page, store_.list_runs({.tenant = tenant_, .job = job}, "", kRuns));
    return std::ranges::any_of(page.runs, [&](const store::RunRow& run) {
      const bool was_over = run.finished_at && *run.finished_at < given_up.first;
      const bool had_begun = run.started_at ? *run.started_at < given_up.last : run.attempts > 0;
      return had_begun && !was_over;
    });
  }

  // Who did other work of a queue is not missing, though this node may not know of them.
  Status note_served() {
    const Instant from = std::ranges::min_element(found_, {}, &GivenUpRuns::last_due)->last_due;
    BELFRY_TRY(done, runs_in(core::RunState::kSucceeded, from));
    for (const store::RunRow& run : done.runs) note_worked_on(run);
    std::size_t looked = 0;
    for (const auto& [job, until] : worked_on_) {
      if (until < from) continue;
      if (looked++ == kJobs) break;
      BELFRY_TRY(place, place_of(job));
      if (!place) continue;
      for (GivenUpRuns& runs : found_) {
        const bool is_its = is_of(runs, place->queue, place->region);
        if (is_its && until >= runs.last_due) runs.was_served = true;
      }
    }
    return {};
  }

  struct Place {
    std::string queue;
    std::optional<RegionNo> region;
    bool exclusive = false;  // its runs wait for each other
  };

  // None: nobody wants the job any more.
  Result<std::optional<Place>> place_of(JobId job) {
    const auto row = store_.find_job(job);
    if (!row && row.error().code == Errc::kNotFound) return std::optional<Place>();
    if (!row) return fail(row.error());
    using core::JobStatus;
    const bool is_gone = row->status == JobStatus::kDeleted || row->status == JobStatus::kCancelled;
    if (is_gone) return std::optional<Place>();
    return Place{core::queue_of(row->definition),
                 core::region_for(job, row->definition.policies.run_in),
                 core::overlap_terms(row->definition.policies).exclusive};
  }

  store::Store& store_;
  const TenantId tenant_;
  const Instant since_;
  std::map<JobId, OfJob> given_up_;
  std::map<JobId, Instant> worked_on_;  // somebody had runs of these until then
  std::vector<GivenUpRuns> found_;
};

}  // namespace

Result<std::vector<GivenUpRuns>> GivenUpWatch::look(Instant now) {
  const Instant since = now - kLately;
  for (auto& [tenant, runs] : found_) {
    std::erase_if(runs, [&](const GivenUpRuns& each) { return each.last <= since; });
  }
  std::erase_if(found_, [](const auto& entry) { return entry.second.empty(); });
  BELFRY_TRY(tenants, store_.list_tenants(after_, kTenants));
  for (const store::Tenant& tenant : tenants) {
    BELFRY_TRY(runs, TenantLook(store_, tenant.id, since).take());
    keep_first(found_[tenant.id], runs);
    found_[tenant.id] = std::move(runs);
  }
  after_ = tenants.size() < kTenants ? "" : tenants.back().name;
  std::vector<GivenUpRuns> all;
  for (const auto& [tenant, runs] : found_) std::ranges::copy(runs, std::back_inserter(all));
  return all;
}

}  // namespace belfry::service

#include "store/postgres/jobs/job_row.h"

#include "core/overlap.h"
#include "core/queue.h"
#include "core/terms.h"
#include "store/postgres/implementation.h"

namespace belfry::store::postgres {
namespace {

// One column of all jobs.
template <typename Get>
std::vector<std::int64_t> numbers(std::span<const JobRow* const> jobs, const Get& get) {
  std::vector<std::int64_t> column;
  column.reserve(jobs.size());
  for (const JobRow* job : jobs) column.push_back(static_cast<std::int64_t>(get(*job)));
  return column;
}

template <typename Get>
std::vector<std::string_view> strings(std::span<const JobRow* const> jobs, const Get& get) {
  std::vector<std::string_view> column;
  column.reserve(jobs.size());
  for (const JobRow* job : jobs) column.push_back(get(job->definition));
  return column;
}

template <typename Get>
std::vector<std::string_view> states(std::span<const JobRow* const> jobs, const Get& get) {
  std::vector<std::string_view> column;
  column.reserve(jobs.size());
  for (const JobRow* job : jobs) column.push_back(get(*job));
  return column;
}

template <typename Get>
std::vector<std::optional<Instant>> times(std::span<const JobRow* const> jobs, const Get& get) {
  std::vector<std::optional<Instant>> column;
  column.reserve(jobs.size());
  for (const JobRow* job : jobs) column.push_back(get(job->definition.schedule));
  return column;
}

void bind_schedule(Params& params, std::span<const JobRow* const> jobs) {
  using Job = JobRow;
  using Spec = core::ScheduleSpec;
  using Definition = core::JobDefinition;
  const auto spec = [](const Job& job) -> const Spec& { return job.definition.schedule; };
  params.smallints(numbers(jobs, [&](const Job& j) { return spec(j).type; }));
  params.texts(
      strings(jobs, [](const Definition& d) -> auto& { return d.schedule.cron_expression; }));
  params.smallints(numbers(jobs, [&](const Job& j) { return spec(j).dialect; }));
  params.texts(strings(jobs, [](const Definition& d) -> auto& { return d.schedule.timezone; }));
  params.smallints(numbers(jobs, [&](const Job& j) { return spec(j).dst_gap; }));
  params.smallints(numbers(jobs, [&](const Job& j) { return spec(j).dst_overlap; }));
  params.bigints(numbers(jobs, [&](const Job& j) { return spec(j).every.count(); }));
  params.instants(times(jobs, [](const Spec& s) { return s.run_at; }));
  params.instants(times(jobs, [](const Spec& s) { return s.start_at; }));
  params.instants(times(jobs, [](const Spec& s) { return s.end_at; }));
  params.bigints(numbers(jobs, [&](const Job& j) { return spec(j).jitter.count(); }));
  params.texts(
      strings(jobs, [](const Definition& d) -> auto& { return d.schedule.calendar_name; }));
  params.smallints(numbers(jobs, [&](const Job& j) { return spec(j).calendar_policy; }));
}

void bind_policies(Params& params, std::span<const JobRow* const> jobs) {
  using Job = JobRow;
  const auto policies = [](const Job& job) -> const core::JobPolicies& {
    return job.definition.policies;
  };
  params.smallints(numbers(jobs, [&](const Job& j) { return policies(j).overlap; }));
  params.integers(numbers(jobs, [&](const Job& j) { return policies(j).max_concurrent; }));
  params.smallints(numbers(jobs, [&](const Job& j) { return policies(j).misfire; }));
  params.bigints(numbers(jobs, [&](const Job& j) { return policies(j).misfire_grace.count(); }));
  params.integers(numbers(jobs, [&](const Job& j) { return policies(j).max_missed_firings; }));
  params.integers(numbers(jobs, [&](const Job& j) { return policies(j).max_attempts; }));
  params.bigints(numbers(jobs, [&](const Job& j) { return policies(j).retry_base.count(); }));
  params.bigints(numbers(jobs, [&](const Job& j) { return policies(j).retry_cap.count(); }));
  params.bigints(numbers(jobs, [&](const Job& j) { return policies(j).timeout.count(); }));
  params.integers(numbers(jobs, [&](const Job& j) { return policies(j).priority; }));
  params.bigints(numbers(jobs, [&](const Job& j) { return policies(j).start_within.count(); }));
  params.bigints(numbers(jobs, [&](const Job& j) { return policies(j).stop_within.count(); }));
  params.smallints(numbers(jobs, [&](const Job& j) { return policies(j).run_in; }));
  std::vector<std::int64_t> live_limits;
  std::vector<bool> exclusive;
  std::vector<bool> replaces;
  for (const Job* job : jobs) {
    const core::OverlapTerms terms = core::overlap_terms(policies(*job));
    live_limits.push_back(terms.live_limit);
    exclusive.push_back(terms.exclusive);
    replaces.push_back(terms.replaces);
  }
  params.integers(live_limits).booleans(exclusive).booleans(replaces);
}

void bind_queues(Params& params, std::span<const JobRow* const> jobs) {
  std::vector<std::string> queues;
  for (const JobRow* job : jobs) queues.push_back(core::queue_beside_type(job->definition));
  params.texts(std::vector<std::string_view>(queues.begin(), queues.end()));
}

void bind_terms(Params& params, std::span<const JobRow* const> jobs) {
  std::vector<std::string> terms;
  for (const JobRow* job : jobs) {
    const auto shared = core::terms_of(job->definition);
    terms.push_back(shared ? to_hex(*shared) : "");
  }
  params.texts(std::vector<std::string_view>(terms.begin(), terms.end()));
}

}  // namespace

void read_schedule(core::ScheduleSpec& spec, Row& row) {
  spec.type = static_cast<core::ScheduleSpec::Type>(row.number());
  spec.cron_expression = row.text();
  spec.dialect = static_cast<core::Dialect>(row.number());
  spec.timezone = row.text();
  spec.dst_gap = static_cast<core::DstGap>(row.number());
  spec.dst_overlap = static_cast<core::DstOverlap>(row.number());
  spec.every = Duration(row.number());
  spec.run_at = row.instant();
  spec.start_at = row.maybe_instant();
  spec.end_at = row.maybe_instant();
  spec.jitter = Duration(row.number());
  spec.calendar_name = row.text();
  spec.calendar_policy = static_cast<core::CalendarPolicy>(row.number());
}

void read_policies(core::JobPolicies& policies, Row& row) {
  policies.overlap = static_cast<core::OverlapPolicy>(row.number());
  policies.max_concurrent = static_cast<std::int32_t>(row.number());
  policies.misfire = static_cast<core::MisfirePolicy>(row.number());
  policies.misfire_grace = Duration(row.number());
  policies.max_missed_firings = static_cast<std::int32_t>(row.number());
  policies.max_attempts = static_cast<std::int32_t>(row.number());
  policies.retry_base = Duration(row.number());
  policies.retry_cap = Duration(row.number());
  policies.timeout = Duration(row.number());
  policies.priority = static_cast<std::int32_t>(row.number());
  policies.start_within = Duration(row.number());
  policies.stop_within = Duration(row.number());
  policies.run_in = static_cast<core::RunIn>(row.number());
}

void bind_jobs(Params& params, std::span<const JobRow* const> jobs) {
  using Job = JobRow;
  using Definition = core::JobDefinition;
  params.bigints(numbers(jobs, [](const Job& j) { return j.id.value(); }));
  params.bigints(numbers(jobs, [](const Job& j) { return j.tenant.value(); }));
  params.texts(strings(jobs, [](const Definition& d) -> auto& { return d.name; }));
  params.texts(strings(jobs, [](const Definition& d) -> auto& { return d.job_type; }));
  bind_schedule(params, jobs);
  bind_policies(params, jobs);
  params.texts(strings(jobs, [](const Definition& d) -> auto& { return d.labels; }));
  params.texts(strings(jobs, [](const Definition& d) -> auto& { return d.description; }));
}

void bind_states(Params& params, std::span<const JobRow* const> jobs) {
  std::vector<std::optional<Instant>> starts;
  std::vector<std::optional<Instant>> pauses;
  for (const JobRow* job : jobs) {
    starts.emplace_back(job->effective_from);
    pauses.push_back(job->paused_until);
  }
  params.integers(numbers(jobs, [](const JobRow& j) { return j.revision; }));
  params.smallints(numbers(jobs, [](const JobRow& j) { return j.status; }));
  params.instants(starts).instants(pauses);
  params.texts(states(jobs, [](const JobRow& j) -> auto& { return j.paused_by; }));
  params.texts(states(jobs, [](const JobRow& j) -> auto& { return j.pause_note; }));
  bind_queues(params, jobs);
  bind_terms(params, jobs);
}

void bind_restated(Params& params, std::span<const JobRow* const> jobs) {
  std::vector<std::optional<Instant>> starts;
  std::vector<std::optional<Instant>> pauses;
  for (const JobRow* job : jobs) {
    starts.emplace_back(job->effective_from);
    pauses.push_back(job->paused_until);
  }
  params.bigints(numbers(jobs, [](const JobRow& j) { return j.id.value(); }));
  params.integers(numbers(jobs, [](const JobRow& j) { return j.revision; }));
  params.smallints(numbers(jobs, [](const JobRow& j) { return j.status; }));
  params.instants(starts).instants(pauses);
  params.texts(states(jobs, [](const JobRow& j) -> auto& { return j.paused_by; }));
  params.texts(states(jobs, [](const JobRow& j) -> auto& { return j.pause_note; }));
}

JobRow read_job(Row& row) {
  JobRow job;
  job.id = JobId(to_unsigned(row.number()));
  job.tenant = TenantId(to_unsigned(row.number()));
  job.revision = static_cast<std::uint32_t>(row.number());
  job.status = static_cast<core::JobStatus>(row.number());
  job.effective_from = row.instant();
  job.paused_until = row.maybe_instant();
  job.definition.name = row.text();
  job.definition.job_type = row.text();
  read_schedule(job.definition.schedule, row);
  read_policies(job.definition.policies, row);
  job.definition.target = row.text();
  job.definition.payload = row.text();
  job.definition.labels = row.text();
  job.definition.description = row.text();
  job.paused_by = row.text();
  job.pause_note = row.text();
  job.definition.schedule.calendar_rules = row.text();
  job.calendar_revision = static_cast<std::uint32_t>(row.number());
  return job;
}

JobRow read_whole_job(Row row) {
  JobRow job = read_job(row);
  job.created_at = row.instant();
  job.updated_at = row.instant();
  return job;
}

}  // namespace belfry::store::postgres

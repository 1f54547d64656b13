#include "store/sqlite/jobs/job_row.h"

#include "core/overlap.h"
#include "core/queue.h"

namespace belfry::store::sqlite {

void read_schedule(core::ScheduleSpec& schedule, Row& row) {
  row.read(schedule.type, schedule.cron_expression, schedule.dialect, schedule.timezone,
           schedule.dst_gap, schedule.dst_overlap);
  row.read(schedule.every, schedule.run_at, schedule.start_at, schedule.end_at, schedule.jitter,
           schedule.calendar_name, schedule.calendar_policy);
}

void read_policies(core::JobPolicies& policies, Row& row) {
  row.read(policies.overlap, policies.max_concurrent, policies.misfire, policies.misfire_grace,
           policies.max_missed_firings);
  row.read(policies.max_attempts, policies.retry_base, policies.retry_cap, policies.timeout,
           policies.priority, policies.start_within, policies.stop_within, policies.run_in);
}

JobRow read_job(Row& row) {
  JobRow job;
  core::JobDefinition& definition = job.definition;
  row.read(job.id, job.tenant, job.revision, job.status, job.effective_from, job.paused_until);
  row.read(definition.name, definition.job_type);
  read_schedule(definition.schedule, row);
  read_policies(definition.policies, row);
  row.read(definition.labels, definition.description, definition.target, definition.payload);
  row.read(job.paused_by, job.pause_note);
  row.read(definition.schedule.calendar_rules, job.calendar_revision);
  return job;
}

JobRow read_whole_job(Row& row) {
  JobRow job = read_job(row);
  row.read(job.created_at, job.updated_at);
  return job;
}

Status write_job(Db& db, std::string_view sql, const JobRow& job, Instant now) {
  const core::JobDefinition& definition = job.definition;
  const core::ScheduleSpec& schedule = definition.schedule;
  const core::JobPolicies& policies = definition.policies;
  const core::OverlapTerms terms = core::overlap_terms(policies);
  BELFRY_CHECK(db.run(sql, job.id, partition_of(job.id), job.tenant, job.revision, job.status,
                      job.effective_from, job.paused_until, definition.name, definition.job_type,
                      schedule.type, schedule.cron_expression, schedule.dialect, schedule.timezone,
                      schedule.dst_gap, schedule.dst_overlap, schedule.every, schedule.run_at,
                      schedule.start_at, schedule.end_at, schedule.jitter, schedule.calendar_name,
                      schedule.calendar_policy, policies.overlap, policies.max_concurrent,
                      policies.misfire, policies.misfire_grace, policies.max_missed_firings,
                      policies.max_attempts, policies.retry_base, policies.retry_cap,
                      policies.timeout, policies.priority, policies.start_within,
                      policies.stop_within, policies.run_in, terms.live_limit, terms.exclusive,
                      terms.replaces, definition.labels, definition.description, now, job.paused_by,
                      job.pause_note, core::queue_beside_type(definition)));
  return {};
}

}  // namespace belfry::store::sqlite

#include "store/postgres/jobs/new_jobs.h"

#include "base/json.h"
#include "core/overlap.h"
#include "core/queue.h"
#include "core/terms.h"
#include "store/postgres/implementation.h"
#include "store/postgres/jobs/record_texts.h"
#include "store/postgres/sql.h"
#include "store/postgres/wire/binary_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace belfry::store::postgres {
namespace {

void add_schedule(BinaryRows& rows, const core::ScheduleSpec& schedule) {
  rows.smallint(static_cast<int>(schedule.type)).text(schedule.cron_expression);
  rows.smallint(static_cast<int>(schedule.dialect)).text(schedule.timezone);
  rows.smallint(static_cast<int>(schedule.dst_gap));
  rows.smallint(static_cast<int>(schedule.dst_overlap));
  rows.bigint(schedule.every.count()).instant(schedule.run_at);
  rows.instant(schedule.start_at).instant(schedule.end_at);
  rows.bigint(schedule.jitter.count()).text(schedule.calendar_name);
  rows.smallint(static_cast<int>(schedule.calendar_policy));
}

void add_policies(BinaryRows& rows, const core::JobPolicies& policies) {
  rows.smallint(static_cast<int>(policies.overlap)).integer(policies.max_concurrent);
  rows.smallint(static_cast<int>(policies.misfire)).bigint(policies.misfire_grace.count());
  rows.integer(policies.max_missed_firings).integer(policies.max_attempts);
  rows.bigint(policies.retry_base.count()).bigint(policies.retry_cap.count());
  rows.bigint(policies.timeout.count()).integer(policies.priority);
  rows.bigint(policies.start_within.count()).bigint(policies.stop_within.count());
  rows.smallint(static_cast<int>(policies.run_in));
}

std::optional<Bits128> bits_of(std::optional<core::Terms> terms) {
  return terms ? std::optional(terms->value()) : std::nullopt;
}

void add_job(BinaryRows& rows, const JobRow& job) {
  const core::JobDefinition& definition = job.definition;
  const core::OverlapTerms terms = core::overlap_terms(definition.policies);
  const std::string queue = core::queue_beside_type(definition);
  rows.begin(46).bigint(to_bigint(job.id.value())).integer(partition_of(job.id).value());
  rows.bigint(to_bigint(job.tenant.value())).text(definition.name).integer(job.revision);
  rows.smallint(static_cast<int>(job.status)).instant(job.effective_from);
  rows.text(definition.job_type);
  add_schedule(rows, definition.schedule);
  add_policies(rows, definition.policies);
  rows.integer(terms.live_limit).boolean(terms.exclusive).boolean(terms.replaces);
  rows.jsonb(definition.labels).text(definition.description);
  rows.instant(job.created_at).instant(job.updated_at).text(job.paused_by);
  rows.text_or_null(queue).text(definition.schedule.calendar_rules).integer(job.calendar_revision);
  rows.uuid_or_null(bits_of(core::terms_of(definition)));
}

void add_revision(BinaryRows& rows, const JobRow& job) {
  const core::JobDefinition& definition = job.definition;
  rows.begin(24).bigint(to_bigint(job.id.value())).integer(job.revision);
  rows.instant(job.effective_from).smallint(static_cast<int>(job.status));
  rows.text(definition.job_type).json(schedule_text(definition));
  rows.json(definition.target).json(definition.payload).instant(job.created_at);
  rows.text(definition.name);
  add_policies(rows, definition.policies);
  rows.text(definition.schedule.calendar_rules);
}

void add_audit(BinaryRows& rows, const JobRow& job, const Author& author, Origins& origins) {
  rows.begin(6).instant(job.created_at).bigint(to_bigint(job.tenant.value())).text(author.actor);
  rows.text("job.create").text("job:" + std::to_string(job.id.value()));
  rows.jsonb(audit_text({.job = job,
                         .origin = origins.of(author),
                         .revision_before = 0,
                         .changed = R"({"changed":[]})",
                         .note = {}}));
}

// Returns how many there are.
Result<std::size_t> add_labels(BinaryRows& rows, const JobRow& job) {
  if (job.definition.labels == "{}") return std::size_t{0};
  BELFRY_TRY(labels, parse_json(job.definition.labels));
  for (const auto& [name, value] : labels.items()) {
    rows.begin(3).bigint(to_bigint(job.tenant.value()));
    const std::string text = value.is_string() ? value.get<std::string>() : write_json(value);
    rows.text(name + "=" + text).text(job.definition.name);
  }
  return labels.size();
}

// One event for each tenant, of at most 20 jobs by name: four arguments.
void add_event(Params& params, std::span<const NewJobRow> rows) {
  constexpr std::int64_t kMostNamed = 20;
  struct Announcement {
    std::int64_t count = 0;
    std::string text;
  };
  std::map<TenantId, Announcement> by_tenant;
  for (const NewJobRow& row : rows) {
    Announcement& announced = by_tenant[row.job->tenant];
    if (++announced.count > kMostNamed) continue;
    announced.text +=
        fmt::format("{}{}:{}:{}", announced.text.empty() ? "" : " ", row.job->id.value(),
                    row.job->revision, static_cast<int>(row.job->status));
  }
  std::vector<std::int64_t> tenants;
  std::vector<std::int64_t> counts;
  std::vector<std::string_view> texts;
  for (const auto& [tenant, announced] : by_tenant) {
    tenants.push_back(to_bigint(tenant.value()));
    counts.push_back(announced.count);
    texts.push_back(announced.text);
  }
  params.instant(rows.front().job->created_at).bigints(tenants).bigints(counts).texts(texts);
}

// Whom the statement has to let in: three arguments.
void add_asked(Params& params, std::span<const NewJobRow> rows) {
  std::vector<std::int64_t> tenants;
  std::vector<std::string_view> names;
  std::vector<std::int64_t> regions;
  for (const NewJobRow& row : rows) {
    tenants.push_back(to_bigint(row.job->tenant.value()));
    names.push_back(row.job->definition.name);
    regions.push_back(region_of(row.job->id).value());
  }
  params.bigints(tenants).texts(names).smallints(regions);
}

// Makes a few rows at a time, while the server takes in the ones before.
template <typename Add>
Status copy_rows(Transaction& transaction, std::string_view sql, std::span<const NewJobRow> rows,
                 const Add& add) {
  constexpr std::size_t kAtOnce = 200;
  CopyRows copied;
  return transaction.copy(sql, [&] {
    const auto piece = rows.first(std::min(kAtOnce, rows.size()));
    rows = rows.subspan(piece.size());
    for (const NewJobRow& row : piece) add(copied, row);
    if (rows.empty()) copied.end();
    return copied.take();
  });
}

Status copy_labels(Transaction& transaction, std::span<const NewJobRow> rows) {
  CopyRows copied;
  std::size_t labels = 0;
  for (const NewJobRow& row : rows) {
    BELFRY_TRY(added, add_labels(copied, *row.job));
    labels += added;
  }
  if (labels == 0) return {};
  copied.end();
  return transaction.copy(kCopyLabels, [&] { return copied.take(); });
}

}  // namespace

RowTypes read_types(Row& row) {
  RowTypes types;
  for (TypeOid* type : {&types.job, &types.revision, &types.label, &types.audit}) {
    *type = TypeOid{static_cast<std::uint32_t>(row.number())};
  }
  return types;
}

// All of it as one statement: with few jobs, round trips are what costs.
Result<Statement> insertion(std::span<const NewJobRow> rows, const RowTypes& types, LetIn let_in) {
  Records jobs;
  Records revisions;
  Records labels;
  Records audit;
  Origins origins;
  for (const NewJobRow& row : rows) {
    add_job(jobs, *row.job);
    add_revision(revisions, *row.job);
    BELFRY_CHECK(add_labels(labels, *row.job));
    if (!row.author->actor.empty()) add_audit(audit, *row.job, *row.author, origins);
  }
  Params params;
  params.records(jobs.take(types.job)).records(revisions.take(types.revision));
  params.records(labels.take(types.label)).records(audit.take(types.audit));
  add_event(params, rows);
  add_asked(params, let_in == LetIn::kAskFirst ? rows : std::span<const NewJobRow>());
  return Statement{kInsertJobs, std::move(params)};
}

// Several COPYs, which spare most of what a statement costs for each row.
Status copy_new_jobs(Transaction& transaction, std::span<const NewJobRow> rows) {
  const auto job = [](CopyRows& copied, const NewJobRow& row) { add_job(copied, *row.job); };
  BELFRY_CHECK(copy_rows(transaction, kCopyJobs, rows, job));
  const auto revision = [](CopyRows& copied, const NewJobRow& row) {
    add_revision(copied, *row.job);
  };
  BELFRY_CHECK(copy_rows(transaction, kCopyRevisions, rows, revision));
  BELFRY_CHECK(copy_labels(transaction, rows));
  Origins origins;
  const auto audit = [&](CopyRows& copied, const NewJobRow& row) {
    if (!row.author->actor.empty()) add_audit(copied, *row.job, *row.author, origins);
  };
  BELFRY_CHECK(copy_rows(transaction, kCopyAudit, rows, audit));
  Params told;
  add_event(told, rows);
  BELFRY_TRY(announced, transaction.run(kTellOfNewJobs, told));
  return {};
}

}  // namespace belfry::store::postgres

#include "store/postgres/ticks/decide.h"

#include "store/common/fates.h"
#include "store/postgres/implementation.h"
#include "store/postgres/runs/run_row.h"
#include "store/postgres/sql.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace belfry::store::postgres {
namespace {

constexpr std::int64_t kIsRun = -1;  // where a skip has its reason

// How far ahead the statement `decide` goes.
constexpr Duration kPatience = std::chrono::milliseconds(50);

// The fates as columns, by job and in the order of its ticks, each with its place among them. In
// the usual case, one run for each job, standing for its own tick only, most columns stay empty.
struct FateColumns {
  bool usual = true;
  std::vector<std::int64_t> jobs;
  std::vector<std::int64_t> keys;
  std::vector<std::optional<Instant>> firsts;
  std::vector<std::optional<Instant>> lasts;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> reasons;
  std::vector<std::int64_t> epochs;
  std::vector<std::int64_t> row_numbers;
  std::vector<std::int64_t> row_counts;
  std::vector<std::int64_t> run_numbers;
  std::vector<std::int64_t> run_counts;
  std::vector<std::optional<Instant>> dues;
  std::vector<std::int64_t> takers;  // 0: nobody; both are empty if nobody waits for any
  std::vector<std::string_view> queues;
  std::vector<const Taker*> all_takers;
  std::uint64_t claim = 0;  // the same for all

  explicit FateColumns(std::vector<Fate> fates) {
    sort_fates(fates);
    for (std::span<const Fate> rest = fates; !rest.empty();) add_job(take_job(rest));
    if (std::ranges::any_of(fates, [](const Fate& fate) { return fate.taker != nullptr; })) {
      add_takers(fates);
    }
  }
  void add_takers(const std::vector<Fate>& fates) {
    std::map<const Taker*, std::int64_t> numbers;
    for (const Fate& fate : fates) {
      std::int64_t number = 0;
      if (fate.taker != nullptr) {
        const auto next = static_cast<std::int64_t>(numbers.size()) + 1;
        const auto [found, is_new] = numbers.emplace(fate.taker, next);
        if (is_new) all_takers.push_back(fate.taker);
        number = found->second;
        claim = fate.claim;
      }
      takers.push_back(number);
      queues.push_back(fate.queue != nullptr ? std::string_view(*fate.queue) : std::string_view());
    }
  }
  void add_job(std::span<const Fate> of_job) {
    const auto runs = std::ranges::count_if(of_job, &Fate::is_live_run);
    const Fate& first = of_job.front();
    usual = usual && of_job.size() == 1 && runs == 1 && first.count == 1 && !first.due;
    std::int64_t run_number = 0;
    for (const Fate& fate : of_job) {
      if (fate.is_live_run()) ++run_number;
      jobs.push_back(to_bigint(fate.job.value()));
      keys.push_back(core::run_key_of(fate.first).value());
      firsts.emplace_back(fate.first.instant());
      lasts.emplace_back(fate.last.instant());
      counts.push_back(fate.count);
      reasons.push_back(fate.reason ? static_cast<std::int64_t>(*fate.reason) : kIsRun);
      epochs.push_back(to_bigint(fate.epoch.value()));
      row_numbers.push_back(&fate - of_job.data() + 1);
      row_counts.push_back(to_bigint(of_job.size()));
      run_numbers.push_back(fate.is_live_run() ? run_number : 0);
      run_counts.push_back(runs);
      dues.push_back(fate.due);
    }
  }
  void bind(Params& params) const {
    params.bigints(jobs).bigints(keys).instants(firsts);
    if (usual) {
      params.instants({}).bigints({}).smallints({}).bigints(epochs);
      params.bigints({}).bigints({}).bigints({}).bigints({}).instants({});
      return bind_takers(params);
    }
    params.instants(lasts).bigints(counts).smallints(reasons).bigints(epochs);
    params.bigints(row_numbers).bigints(row_counts).bigints(run_numbers).bigints(run_counts);
    params.instants(dues);
    bind_takers(params);
  }
  void bind_takers(Params& params) const {
    std::vector<std::string_view> workers;
    std::vector<std::int64_t> leases;
    std::vector<std::string> holders;
    std::vector<std::int64_t> regions;
    for (const Taker* taker : all_takers) {
      workers.push_back(taker->worker);
      leases.push_back(taker->lease.count());
      holders.push_back(holder_text(*taker));
      regions.push_back(taker->region.value());
    }
    params.integers(takers).texts(workers).bigints(leases).texts(queues);
    params.texts(std::vector<std::string_view>(holders.begin(), holders.end()));
    params.bigint(to_bigint(claim)).integers(regions);
  }
};

// Rows of the answer that have no queue are about partitions that did not pass; those whose queue
// is empty, about runs that were told to stop.
bool is_about_run(Row row) {
  row.skip(7);
  return !row.next_is_null();
}

core::LiveRun read_new_run(Row& row) {
  core::LiveRun run;
  run.run.job = JobId(to_unsigned(row.number()));
  run.run.key = core::RunKey(row.number());
  run.due = row.instant();
  run.tenant = TenantId(to_unsigned(row.number()));
  run.priority = static_cast<std::int32_t>(row.number());
  run.exclusive = row.number() != 0;
  run.region = core::region_for(run.run.job, static_cast<core::RunIn>(row.number()));
  run.queue = row.text();
  return run;
}

// A new run, and the grant if it was handed over at once.
void add_run(Row row, DecideResult& result) {
  core::LiveRun new_run = read_new_run(row);
  if (new_run.queue.empty()) {
    result.told.push_back(new_run.run);
    return;
  }
  core::LiveRun& run = result.runs.emplace_back(std::move(new_run));
  const Fence fence(to_unsigned(row.number()));
  if (fence == Fence(0)) {
    run.start_by = row.instant();
    row.skip(2);
    run.type = row.text();
    return;
  }
  ClaimedRun& granted = result.granted.emplace_back();
  granted.run = run.run;
  granted.tenant = run.tenant;
  granted.fence = fence;
  granted.attempt = AttemptNo(1);
  granted.scheduled_for = granted.due = run.due;
  granted.lease_until = row.instant();
  granted.deadline = row.instant();
  granted.stands_for = row.number();
  granted.job_type = row.text();
  run.type = granted.job_type;
  granted.job_name = row.text();
  granted.target = row.text();
  granted.payload = row.text();
  run.held = {.fence = fence, .until = std::min(granted.lease_until, granted.deadline)};
}

DecideResult read_outcomes(const Reply& reply, std::span<const PartitionDecision> partitions) {
  DecideResult result;
  Row all = reply.row(0);
  all.skip(1);
  result.overlaps = static_cast<std::size_t>(all.number());
  result.decided_at = all.instant();
  std::unordered_map<PartitionNo, PartitionOutcome> refused;
  for (int i = 1; i < reply.size(); ++i) {
    Row row = reply.row(i);
    if (is_about_run(row)) {
      add_run(row, result);
      continue;
    }
    PartitionOutcome outcome;
    outcome.partition = PartitionNo(static_cast<std::uint16_t>(row.number()));
    outcome.outcome = static_cast<DecideOutcome>(row.number());
    outcome.decided_through = row.instant();
    outcome.version = JobsVersion(to_unsigned(row.number()));
    refused.emplace(outcome.partition, outcome);
  }
  for (const PartitionDecision& asked : partitions) {
    const auto found = refused.find(asked.partition);
    result.partitions.push_back(found != refused.end()
                                    ? found->second
                                    : PartitionOutcome{.partition = asked.partition,
                                                       .outcome = DecideOutcome::kDecided,
                                                       .decided_through = asked.to,
                                                       .version = asked.version});
  }
  return result;
}

}  // namespace

Params decide_params(std::optional<Instant> now, const Incarnation& node, DecideMode mode,
                     std::span<const PartitionDecision> partitions) {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> epochs;
  std::vector<std::int64_t> versions;
  std::vector<std::optional<Instant>> from;
  std::vector<std::optional<Instant>> to;
  std::vector<Fate> fates;
  for (const PartitionDecision& partition : partitions) {
    ids.push_back(partition.partition.value());
    epochs.push_back(to_bigint(partition.epoch.value()));
    versions.push_back(to_bigint(partition.version.value()));
    from.emplace_back(partition.from);
    to.emplace_back(partition.to);
    add_fates(fates, partition.decisions, partition.epoch);
  }
  Params params;
  params.instant(now).uuid(node.value()).smallint(static_cast<std::int64_t>(mode));
  params.integers(ids).bigints(epochs).bigints(versions).instants(from).instants(to);
  FateColumns(std::move(fates)).bind(params);
  return params;
}

// With a clock of its own the database does not know when to go on.
Duration PostgresStore::patience() const {
  return now() ? Duration::zero() : kPatience;
}

// The writing takes its time, and a tick is to be on its way when that time has come. So the owner
// calls beforehand, and the transaction commits at the moment up to which it decides: until then
// nobody sees anything of it, and whoever changes a job meanwhile waits for the partition's lock.
Result<DecideResult> PostgresStore::decide(const Incarnation& node,
                                           std::span<const PartitionDecision> partitions) {
  Instant to = Instant::min();
  for (const PartitionDecision& partition : partitions) to = std::max(to, partition.to);
  const auto write = [&](DecideMode mode) {
    std::vector<Statement> statements{{kDecide, decide_params(now(), node, mode, partitions)}};
    if (!now()) statements.push_back({kAwaitInstant, Params().instant(to)});
    return decisions_.write_together(statements);
  };
  auto replies = write(DecideMode::kAdvance);
  // The run exists already: a second line of defence that no known case reaches.
  if (!replies && replies.error().code == Errc::kConflict) {
    replies = write(DecideMode::kAdvanceAgain);
  }
  if (!replies) return fail(std::move(replies).error());
  DecideResult result = read_outcomes(replies->front(), partitions);
  if (replies->size() > 1) result.spare = Duration(replies->back().row(0).number());
  if (!result.runs.empty()) {
    hints_.box().add_runs();
    hints_.box().add_events();
  }
  return result;
}

}  // namespace belfry::store::postgres

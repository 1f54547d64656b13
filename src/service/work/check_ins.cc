#include "service/work/check_ins.h"

#include "base/digest.h"
#include "base/json.h"
#include "core/checkin.h"
#include "core/id_text.h"
#include "core/run_key.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::service {
namespace {

using Kind = CheckIns::Report::Kind;

constexpr std::string_view kWorker = "check-in";    // who has such a run
constexpr Duration kLease = std::chrono::days(31);  // the attempt's deadline comes first
constexpr std::size_t kRecent = 50;                 // of a job's runs: what a report may mean
constexpr std::size_t kMostKnown = 100'000;         // tokens
constexpr std::size_t kMostEarly = 1'000;           // at a time
constexpr Duration kUndecided = std::chrono::seconds(30);  // a tick that never becomes a run
constexpr int kTries = 4;

bool is_waiting(const store::RunRow& run) {
  return run.state == core::RunState::kReady;
}
bool is_under_way(const store::RunRow& run) {
  return run.state == core::RunState::kRunning && run.worker == kWorker;
}

core::RunGrant grant_of(const store::RunRow& run) {
  return {run.run, run.fence};
}

// As error_code.h reads it: "exit code 3: the last line that was said".
std::string error_of(const CheckIns::Report& report) {
  std::string error =
      report.exit_code ? "exit code " + std::to_string(*report.exit_code) : "it reported a failure";
  const auto end = report.output.find_last_not_of(" \r\n\t");
  if (end == std::string::npos) return error;
  const auto line = report.output.rfind('\n', end);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return error + ": " + report.output.substr(begin, std::min<std::size_t>(end + 1 - begin, 500));
}

// A report as it is kept until its tick is decided.
std::string write(const CheckIns::Report& report, Tick tick) {
  Json json{{"kind", static_cast<int>(report.kind)},
            {"tick", tick.instant().micros()},
            {"output", report.output}};
  if (report.exit_code) json["exit_code"] = *report.exit_code;
  return write_json(json);
}

struct Kept {
  CheckIns::Report report;
  Tick tick;
};
std::optional<Kept> read(const std::string& text) {
  const auto json = parse_json(text);
  if (!json || !json->is_object()) return {};
  const int kind = json->value("kind", -1);
  if (kind < 0 || kind > static_cast<int>(Kind::kFail)) return {};
  Kept kept{.report = {.kind = static_cast<Kind>(kind), .output = json->value("output", "")},
            .tick = Tick(Instant::from_micros(json->value("tick", std::int64_t{0})))};
  if (json->contains("exit_code"))
    kept.report.exit_code = json->value("exit_code", std::int64_t{0});
  return kept;
}

}  // namespace

Result<store::CheckInRow> CheckIns::find(const std::string& token) {
  auto found = world_.store.find_checkin(token);
  if (found) remember(token);
  if (!found && found.error().code == Errc::kNotFound) {
    const MutexLock lock(mutex_);
    known_.erase(token);
  }
  return found;
}

void CheckIns::remember(const std::string& token) {
  const MutexLock lock(mutex_);
  if (known_.size() >= kMostKnown) known_.clear();
  known_.insert(token);
}

bool CheckIns::knows(const std::string& token) {
  const MutexLock lock(mutex_);
  return known_.contains(token);
}

void CheckIns::report(JobId job, const Report& report, OnAnswer on_answer) {
  const auto placed = place(job, report);
  if (!placed) return on_answer(fail(placed.error()));
  if (!placed->grant || report.kind == Kind::kStart) return on_answer(placed->answer);
  end(*placed->grant, report,
      [answer = placed->answer, on_answer = std::move(on_answer)](const Status& ended) {
        if (!ended) return on_answer(fail(ended.error()));
        on_answer(answer);
      });
}

Result<CheckIns::Place> CheckIns::place(JobId job, const Report& report) {
  if (report.run) {
    BELFRY_TRY(named, place_by_name(job, report));
    if (named) return *named;
  }
  BELFRY_TRY(row, world_.store.find_job(job));
  for (int i = 0; i < kTries; ++i) {
    const store::RunFilter filter{.tenant = row.tenant, .job = job};
    BELFRY_TRY(page, world_.store.list_runs(filter, "", kRecent));
    BELFRY_TRY(placed, place_by_runs(page.runs, report));
    if (placed) return *placed;
    if (std::ranges::any_of(page.runs, is_waiting)) continue;  // somebody else has just taken it
    const auto tick = undecided_tick(row, page.runs);
    if (!tick) return make_extra(job, "extra/" + random_token(24));
    BELFRY_CHECK(world_.store.keep_early(job, write(report, *tick)));
    return Place{.answer = {.fate = Fate::kEarly}};
  }
  return fail(Errc::kUnavailable, "other reports came at the same moment");
}

// A run that is over has had its report: a repeated one changes nothing.
Result<std::optional<CheckIns::Place>> CheckIns::place_by_name(JobId job, const Report& report) {
  if (report.run->job != job) return std::optional<Place>();
  const auto run = world_.store.find_run(*report.run);
  if (!run && run.error().code == Errc::kNotFound) return std::optional<Place>();
  if (!run) return fail(run.error());
  const bool is_over = !core::is_live(run->state);
  if (is_over) return std::optional<Place>({.answer = {Fate::kAgain, run->run}});
  if (!is_under_way(*run)) return std::optional<Place>();
  return std::optional<Place>({.answer = {Fate::kTaken, run->run}, .grant = grant_of(*run)});
}

// An end belongs to what began first; a beginning to the tick that came last: those before it have
// been missed. None: there is no such run, or not any more.
Result<std::optional<CheckIns::Place>> CheckIns::place_by_runs(
    const std::vector<store::RunRow>& runs, const Report& report) {
  const auto under_way = std::ranges::find_if(runs.rbegin(), runs.rend(), is_under_way);
  const bool is_start = report.kind == Kind::kStart;
  if (!is_start && under_way != runs.rend()) {
    return std::optional<Place>(
        {.answer = {Fate::kTaken, under_way->run}, .grant = grant_of(*under_way)});
  }
  const auto waiting = std::ranges::find_if(runs, is_waiting);
  if (waiting != runs.end()) {
    BELFRY_TRY(granted, grant(waiting->run));
    if (granted) {
      return std::optional<Place>({.answer = {Fate::kTaken, waiting->run}, .grant = granted});
    }
  }
  if (under_way == runs.rend()) return std::optional<Place>();
  return std::optional<Place>({.answer = {Fate::kAgain, under_way->run}});
}

// The tenant is not named: its limit is for work that is done here. The work is where it is, which
// is the job's region as far as we are concerned, whichever node it reports to.
Result<std::optional<core::RunGrant>> CheckIns::grant(const core::RunRef& run) {
  const store::Taker taker{
      .worker = std::string(kWorker), .lease = kLease, .region = region_of(run.job)};
  const store::GrantRequest request{.takers = {taker},
                                    .runs = {{.run = run, .tenant = TenantId(0), .taker = 0}}};
  BELFRY_TRY(granted, world_.store.grant(request));
  world_.store.touch({&run, 1});
  if (granted.empty()) return std::optional<core::RunGrant>();
  return std::optional(core::RunGrant{run, granted.front().fence});
}

Result<CheckIns::Place> CheckIns::make_extra(JobId job, const std::string& seed) {
  BELFRY_TRY(run, world_.store.trigger({.job = job, .key = core::key_without_tick(seed)}));
  if (!is_waiting(run)) return Place{.answer = {Fate::kAgain, run.run}};  // by another node
  BELFRY_TRY(granted, grant(run.run));
  if (!granted) return fail(Errc::kUnavailable, "other reports came at the same moment");
  return Place{.answer = {Fate::kExtra, run.run}, .grant = granted};
}

// The tick that a report of this moment would belong to, if it becomes a run.
std::optional<Tick> CheckIns::undecided_tick(const store::JobRow& job,
                                             const std::vector<store::RunRow>& runs) const {
  const Instant now = world_.now();
  if (core::status_at(now, job.status, job.paused_until) != core::JobStatus::kActive) return {};
  const auto schedule = core::compile_schedule(job.tenant, job.definition.name,
                                               job.definition.schedule, world_.zones);
  if (!schedule) return {};
  const auto instant_of = [](const auto& found) {
    return found ? std::optional(found->tick.instant()) : std::nullopt;
  };
  const auto before = instant_of(schedule->previous(now));
  const auto next = schedule->next_run(now);
  const auto after = next ? std::optional(next->starts()) : std::nullopt;
  const bool is_to_come = next && next->tick.instant() > now;
  if (is_to_come && *after - now <= core::checkin_tolerance(*after, before, {})) return next->tick;
  const bool is_new = before && *before > job.effective_from;
  if (!is_new || now - *before > core::checkin_tolerance(
                                     *before, instant_of(schedule->previous(*before)), after)) {
    return {};
  }
  const bool is_decided = std::ranges::any_of(
      runs, [&](const store::RunRow& run) { return run.scheduled_for == *before; });
  return is_decided ? std::nullopt : std::optional(Tick(*before));
}

void CheckIns::end(const core::RunGrant& grant, const Report& report,
                   std::function<void(Status)> on_ended) {
  if (!report.output.empty()) {
    const store::RunNote note{.grant = grant, .log = report.output};
    if (const auto kept = world_.store.put_notes({&note, 1}); !kept) return on_ended(kept);
  }
  const bool is_ok = report.kind == Kind::kOk;
  engine::Completion completion{
      .grant = grant,
      .outcome = is_ok ? core::AttemptOutcome::kSucceeded : core::AttemptOutcome::kFailed,
      .error = is_ok ? "" : error_of(report),
      .retryable = false};
  if (report.exit_code) completion.result = write_json({{"exit_code", *report.exit_code}});
  world_.dispatch.complete(
      {std::move(completion)},
      [on_ended = std::move(on_ended)](const std::vector<Result<engine::CompletionAnswer>>& all) {
        // One that is fenced ended by another word meanwhile: there is nothing left to say.
        on_ended(all.front() ? Status() : Status(fail(all.front().error())));
      });
}

Status CheckIns::follow_early() {
  BELFRY_TRY(reports, world_.store.early_reports(kMostEarly));
  for (const store::EarlyReport& early : reports) BELFRY_CHECK(follow(early));
  return {};
}

Status CheckIns::follow(const store::EarlyReport& early) {
  const auto kept = read(early.report);
  if (!kept) return world_.store.drop_early(early.job);
  const core::RunRef expected{early.job, core::run_key_of(kept->tick)};
  const auto run = world_.store.find_run(expected);
  if (!run && run.error().code != Errc::kNotFound) return fail(run.error());
  std::optional<core::RunGrant> grant;
  if (run && is_waiting(*run)) {
    BELFRY_TRY(granted, this->grant(expected));
    if (!granted) return {};  // the next look tells why
    grant = granted;
  } else if (run && is_under_way(*run)) {
    grant = grant_of(*run);
  } else if (!run) {
    if (world_.now() < kept->tick.instant() + kUndecided) return {};
    const std::string seed = core::write_job_id(early.job) + "/" + early.report;
    BELFRY_TRY(extra, make_extra(early.job, "early/" + seed));
    grant = extra.grant;
  }
  if (!grant || kept->report.kind == Kind::kStart) return world_.store.drop_early(early.job);
  // Only once it has taken effect: after a crash in between the next look ends the run.
  end(*grant, kept->report, [this, job = early.job](const Status& ended) {
    const Status done = ended ? world_.store.drop_early(job) : ended;
    if (!done) world_.log.warn("early_report_waits", {{"reason", to_string(done.error())}});
  });
  return {};
}

}  // namespace belfry::service

#include "api/runs/run_codec.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "base/verbatim.h"
#include "core/error_code.h"
#include "core/id_text.h"
#include "core/reason.h"
#include "core/spelling.h"

namespace belfry::api {
namespace {

Json maybe(const std::optional<Instant>& instant) {
  return instant ? Json(format_instant(*instant)) : Json();
}

Json maybe(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json value_of(const std::string& json) {
  return json.empty() ? Json() : verbatim(json);
}

std::string time_between(Instant from, Instant to) {
  return format_duration(to - from);
}

}  // namespace

Json write_run(const store::RunRow& run, const std::string& tenant) {
  const bool timed = run.started_at && run.finished_at;
  return {{"run_id", core::write_run_id(run.run)},
          {"job_id", core::write_job_id(run.run.job)},
          {"job_name", run.job_name},
          {"job_type", run.job_type},
          {"tenant_id", tenant},
          {"state", core::word_for(run.state, core::kRunStates)},
          {"origin", core::word_for(run.origin, core::kRunOrigins)},
          {"scheduled_for", format_instant(run.scheduled_for)},
          {"decided_at", format_instant(run.decided_at)},
          {"due_at", maybe(run.due_at)},
          {"started_at", maybe(run.started_at)},
          {"finished_at", maybe(run.finished_at)},
          {"duration", timed ? Json(time_between(*run.started_at, *run.finished_at)) : Json()},
          {"attempts", run.attempts},
          {"max_attempts", run.max_attempts},
          {"worker", maybe(run.worker)},
          {"result", value_of(run.result)},
          {"error", maybe(run.error)},
          {"code", maybe(core::error_code(run.error))},
          {"reason", run.reason == core::DeadReason::kNone
                         ? Json()
                         : Json(core::word_for(run.reason, core::kDeadReasons))},
          {"fence", run.fence.value()},
          {"stands_for", run.stands_for},
          {"job_version", run.revision},
          {"cancel_requested", run.cancel_requested},
          {"lease_until", maybe(run.lease_until)},
          {"deadline", maybe(run.deadline)}};
}

Json write_run_detail(const store::RunRow& run, const std::string& tenant,
                      const std::vector<store::AttemptRow>& attempts) {
  Json json = write_run(run, tenant);
  json["payload"] = value_of(run.payload);
  json["node_id"] = to_hex(run.node);
  json["epoch"] = run.epoch.value();
  Json history = Json::array();
  for (const store::AttemptRow& attempt : attempts) {
    const std::uint32_t number = attempt.attempt.value();
    history.push_back({{"attempt_id", core::write_run_id(run.run) + "-" + std::to_string(number)},
                       {"attempt", number},
                       {"fence", attempt.fence.value()},
                       {"outcome", core::word_for(attempt.outcome, core::kAttemptOutcomes)},
                       {"started_at", format_instant(attempt.started_at)},
                       {"finished_at", format_instant(attempt.finished_at)},
                       {"duration", time_between(attempt.started_at, attempt.finished_at)},
                       {"worker", attempt.worker},
                       {"error", maybe(attempt.error)},
                       {"code", maybe(core::error_code(attempt.error))}});
  }
  json["attempt_history"] = std::move(history);
  return json;
}

Json write_log(const core::RunRef& run, const store::RunLog& log) {
  Json progress;
  if (log.progress) progress = {{"done", log.progress->done}, {"total", log.progress->total}};
  return {{"run_id", core::write_run_id(run)},
          {"attempt", log.attempt.value()},
          {"updated_at", format_instant(log.updated_at)},
          {"log", log.log},
          {"progress", std::move(progress)}};
}

Json write_tick(const store::RunRow& run) {
  return {{"kind", "RUN"},
          {"scheduled_for", format_instant(run.scheduled_for)},
          {"run_id", core::write_run_id(run.run)},
          {"state", core::word_for(run.state, core::kRunStates)},
          {"origin", core::word_for(run.origin, core::kRunOrigins)},
          {"decided_at", format_instant(run.decided_at)},
          {"started_at", maybe(run.started_at)},
          {"finished_at", maybe(run.finished_at)},
          {"attempts", run.attempts},
          {"stands_for", run.stands_for},
          {"worker", maybe(run.worker)},
          {"error", maybe(run.error)},
          {"job_version", run.revision},
          {"epoch", run.epoch.value()}};
}

Json write_tick(const store::SkipRow& skip) {
  return {{"kind", "SKIP"},
          {"from", format_instant(skip.first.instant())},
          {"to", format_instant(skip.last.instant())},
          {"count", skip.count},
          {"reason", core::name_of(skip.reason)},
          {"epoch", skip.epoch.value()}};
}

}  // namespace belfry::api

#include "server/couriers/node_run_source.h"

#include "core/id_text.h"
#include "trace/place.h"

#include <algorithm>

namespace belfry::server {
namespace {

core::AttemptOutcome outcome_of(deliver::Ending ending) {
  switch (ending) {
    case deliver::Ending::kSucceeded: return core::AttemptOutcome::kSucceeded;
    case deliver::Ending::kTimedOut: return core::AttemptOutcome::kTimedOut;
    case deliver::Ending::kCancelled: return core::AttemptOutcome::kCancelled;
    case deliver::Ending::kFailed:
    case deliver::Ending::kPutOff:
    case deliver::Ending::kHandedOver: break;
  }
  return core::AttemptOutcome::kFailed;
}

}  // namespace

Status NodeRunSource::claim(const std::string& queue, std::size_t most, Duration lease,
                            OnDeliveries on_deliveries) {
  engine::Claim ask{.worker = worker_,
                    .job_types = {queue},
                    .max_runs = most,
                    .lease = lease,
                    .until = clock_.boot_now() + deliver::kLongPoll,
                    .holder = place_.node,
                    .region = place_.region};
  const auto on_runs =
      [this, lease, on_deliveries = std::move(on_deliveries)](std::vector<store::ClaimedRun> runs) {
        std::vector<deliver::Delivery> deliveries;
        deliveries.reserve(runs.size());
        for (store::ClaimedRun& run : runs)
          deliveries.push_back(delivery_of(std::move(run), lease));
        on_deliveries(std::move(deliveries));
        return true;
      };
  BELFRY_TRY(id, dispatch_.claim(std::move(ask), on_runs));
  const MutexLock lock(mutex_);
  last_claim_ = id;
  return {};
}

bool NodeRunSource::withdraw() {
  std::optional<engine::ClaimId> ask;
  {
    const MutexLock lock(mutex_);
    ask = last_claim_;
  }
  return ask && dispatch_.withdraw(*ask);
}

deliver::Delivery NodeRunSource::delivery_of(store::ClaimedRun run, Duration lease) const {
  const Instant started = run.lease_until - lease;
  auto target = parse_json(run.target);
  const std::string id = core::write_run_id(run.run);
  return {.grant = {run.run, run.fence},
          .run_id = id,
          .job_id = core::write_job_id(run.run.job),
          .job_name = std::move(run.job_name),
          .job_type = std::move(run.job_type),
          .tenant = run.tenant,
          .attempt = run.attempt,
          .scheduled_for = run.scheduled_for,
          .stands_for = run.stands_for,
          .target = target ? *std::move(target) : Json::object(),
          .payload = std::move(run.payload),
          .timeout = run.deadline - started,
          .give_up_at = clock_.boot_now() + (run.deadline - now_()),
          .granted = clock_.boot_now() - std::max(now_() - started, Duration::zero()),
          .traceparent = trace::write_traceparent(
              trace::place_of(id, trace::Step::kDelivery, run.fence, place_.trace_ratio))};
}

void NodeRunSource::complete(const core::RunGrant& grant, deliver::Outcome outcome,
                             std::function<void(bool)> on_told) {
  std::vector<engine::Completion> completions;
  completions.push_back({.grant = grant,
                         .outcome = outcome_of(outcome.ending),
                         .result = std::move(outcome.result),
                         .error = std::move(outcome.error),
                         .retryable = outcome.retryable,
                         .retry_after = outcome.wait});
  const auto on_ended = [&log = log_, run = core::write_run_id(grant.run),
                         on_told = std::move(on_told)](const auto& answers) {
    const auto& answer = answers.front();
    const bool again = !answer && (answer.error().code == Errc::kUnavailable ||
                                   answer.error().code == Errc::kUnknownOutcome);
    if (!answer && !again) {
      log.error("end_refused", {{"run", run}, {"reason", to_string(answer.error())}});
    }
    on_told(!again);
  };
  dispatch_.complete(std::move(completions), on_ended);
}

void NodeRunSource::heartbeat(std::vector<core::RunGrant> grants, Duration lease,
                              OnHeartbeat on_heartbeat) {
  dispatch_.heartbeat(std::move(grants), lease, std::move(on_heartbeat));
}

void NodeRunSource::give_back(std::vector<core::RunGrant> grants, Duration wait) {
  dispatch_.give_back(std::move(grants), wait);
}

}  // namespace belfry::server

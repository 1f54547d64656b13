#include "service/work/work.h"

#include "base/json.h"
#include "core/id_text.h"
#include "core/queue.h"
#include "core/target_secrets.h"
#include "trace/place.h"

#include <algorithm>
#include <utility>

namespace belfry::service {
namespace {

// Grants can be guessed: those of another tenant's jobs are answered as if nobody had them. If the
// store cannot say whose a job is, that is an error: to call it another's would end a healthy run.
Status disown(const Services& services, const Principal& principal, store::RunGrant& grant) {
  if (principal.all_tenants) return {};
  const auto tenant = services.job_owners.find(grant.run.job);
  if (!tenant && tenant.error().code != Errc::kNotFound) return fail(tenant.error());
  if (!tenant || *tenant != principal.tenant) grant.fence = Fence(0);  // nobody's
  return {};
}

bool has_news(const store::RunNote& note) {
  return !note.log.empty() || note.progress.has_value();
}

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

bool is_type(std::string_view text) {
  return is_name(text) && text.find(' ') == std::string_view::npos;
}

Status find_region(const Services& services, WorkerClaim& ask, std::vector<Complaint>& complaints) {
  if (!ask.region_name) return {};
  const auto region = services.regions.find(*ask.region_name);
  if (region) {
    ask.region = *region;
  } else if (region.error().code == Errc::kInvalid) {
    complaints.push_back({"/region", "invalid", region.error().message, region.error().hint});
  } else {
    return fail(region.error());
  }
  return {};
}

engine::Claim claim_of(const Services& services, const Principal& principal,
                       const WorkerClaim& ask) {
  engine::Claim result{.worker = ask.worker,
                       .job_types = ask.job_types,
                       .max_runs = ask.max_runs,
                       .lease = ask.lease,
                       .until = services.clock.boot_now() + ask.wait,
                       .region = ask.region.value_or(services.home_region)};
  for (const std::string& type : ask.exec_types) result.job_types.push_back(core::exec_queue(type));
  if (!principal.all_tenants) result.tenant = principal.tenant;
  return result;
}

// A note that cannot be kept does not hold up a heartbeat: the next one carries it all again.
void heartbeat(const Services& services, const Principal& principal,
               std::vector<WorkerHeartbeat> beats, Duration lease,
               engine::Dispatch::OnHeartbeat on_beat) {
  std::vector<store::RunGrant> grants;
  std::vector<store::RunNote> notes;
  for (WorkerHeartbeat& beat : beats) {
    if (const auto asked = disown(services, principal, beat.grant); !asked) {
      return on_beat(fail(asked.error()));
    }
    grants.push_back(beat.grant);
    if (!has_news(beat.note)) continue;
    beat.note.grant = beat.grant;
    notes.push_back(std::move(beat.note));
  }
  if (!notes.empty()) {
    if (const auto kept = services.store.put_notes(notes); !kept) {
      services.log.warn("notes_lost", {{"reason", to_string(kept.error())}});
    }
  }
  services.dispatch.heartbeat(std::move(grants), lease, std::move(on_beat));
}

// The last note is kept before the run ends, because it is kept only while the grant holds.
void complete(const Services& services, const Principal& principal,
              std::vector<WorkerCompletion> ends, engine::Dispatch::OnCompleted on_ended) {
  std::vector<Result<engine::CompletionAnswer>> answers(ends.size(), engine::CompletionAnswer::kOk);
  std::vector<engine::Completion> completions;
  std::vector<std::size_t> places;  // of the completions among the answers
  std::vector<store::RunNote> notes;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    WorkerCompletion& end = ends[i];
    if (const auto asked = disown(services, principal, end.completion.grant); !asked) {
      return on_ended({ends.size(), fail(asked.error())});
    }
    if (has_news(end.note)) {
      end.note.grant = end.completion.grant;
      notes.push_back(std::move(end.note));
    }
    if (end.returned) continue;
    completions.push_back(std::move(end.completion));
    places.push_back(i);
  }
  if (!notes.empty()) {
    if (const auto kept = services.store.put_notes(notes); !kept) {
      return on_ended({ends.size(), fail(kept.error())});
    }
  }
  for (const WorkerCompletion& end : ends) {
    if (!end.returned) continue;
    services.dispatch.give_back({end.completion.grant}, end.completion.retry_after);
  }
  services.dispatch.complete(std::move(completions),
                             [answers = std::move(answers), places = std::move(places),
                              on_ended = std::move(on_ended)](const auto& ended) mutable {
                               for (std::size_t i = 0; i < places.size(); ++i)
                                 answers[places[i]] = ended[i];
                               on_ended(std::move(answers));
                             });
}

const char* word_of(HeartbeatAnswer answer) {
  switch (answer) {
    case HeartbeatAnswer::kExtended: return "EXTENDED";
    case HeartbeatAnswer::kCancel: return "CANCEL";
    case HeartbeatAnswer::kFenced: break;
  }
  return "FENCED";
}

const char* word_of(const Result<engine::CompletionAnswer>& answer) {
  if (!answer) return "RETRY";  // repeating the report is safe and finds out
  return *answer == engine::CompletionAnswer::kOk ? "OK" : "FENCED";
}

Duration age_of(const Services& services, const store::ClaimedRun& run, Duration lease) {
  return std::max(services.now() - (run.lease_until - lease), Duration::zero());
}

Duration waited_for(const Services& services, const store::ClaimedRun& run, const AskedFor& asked) {
  const Duration since = services.clock.boot_now() - asked.at;
  return std::max(since - age_of(services, run, asked.lease), Duration::zero());
}

std::string attempt_id_of(const store::ClaimedRun& run) {
  return core::write_run_id(run.run) + "-" + std::to_string(run.attempt.value());
}

std::string traceparent_of(const Services& services, const store::ClaimedRun& run) {
  return trace::write_traceparent(trace::place_of(
      core::write_run_id(run.run), trace::Step::kAttempt, run.fence, services.trace_ratio));
}

const std::string& ShownTargets::of(const store::ClaimedRun& run) {
  if (run.target != target_ || shown_.empty()) {
    target_ = run.target;
    shown_ = write_json(core::shown_target(target_));
  }
  return shown_;
}

}  // namespace belfry::service
